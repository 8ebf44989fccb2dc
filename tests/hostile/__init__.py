"""Calls as nobody should make them, to every tool of every app, through every way in: `python -m tests.hostile`."""
