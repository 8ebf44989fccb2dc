"""The user of pi-Bench: holds intents back, tells those that are asked for, and one more whenever nothing is."""
