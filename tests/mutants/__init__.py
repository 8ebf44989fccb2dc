"""Small wrong changes to the harness, chosen by seed: does a test notice each of them?"""
