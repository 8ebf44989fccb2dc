"""LHAW's published variants: counted, checked, and put to a simulated user (docs/benchmarks/lhaw-published.md)."""
