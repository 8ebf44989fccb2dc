"""Samples that a model has a part in: those of the grammar told in its words, and those that it makes whole."""
