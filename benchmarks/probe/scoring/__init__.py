"""Scores of answers: what was found, made out and done. Pure functions of sample, answer and verdicts."""
