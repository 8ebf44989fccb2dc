"""Sandboxes, and the ways in which agents and people reach them."""
