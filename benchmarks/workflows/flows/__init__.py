"""Workflows, one in each module, which holds it as `FLOW`."""
