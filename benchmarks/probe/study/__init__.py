"""What people say: of a judge's verdicts, and when they do samples themselves. `python -m benchmarks.probe.study`."""
