"""Judges held against people, or against models elsewhere: what is drawn from runs, forms, and how far they agree."""
