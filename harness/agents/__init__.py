"""Agents: instruments that need no model, and models."""
