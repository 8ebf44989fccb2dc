"""Branches of a recorded trial: its forks on other terms, as the value of a question needs them (docs/voi.md)."""
