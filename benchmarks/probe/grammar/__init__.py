"""Samples made from facts, with no model: every fact is known, and what the sample claims is proved from its text."""
