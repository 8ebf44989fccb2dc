"""Personas of pi-Bench: a folder each, with their world and their sessions."""
