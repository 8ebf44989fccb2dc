"""Whoever answers an agent's question: grounded, scripted, a model or a person."""
