"""Marit Solheim, head of model validation at Tarn Bank, in April 2026."""
