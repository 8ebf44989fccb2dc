"""Connects agents to sandboxed apps, plays tasks, records and scores them."""
