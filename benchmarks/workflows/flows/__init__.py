"""Workflows, one in each module or package, which holds it as `FLOW`."""
