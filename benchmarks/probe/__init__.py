"""PROBE: notice the bottleneck that nobody mentioned, name it, and do the one thing that resolves it."""
