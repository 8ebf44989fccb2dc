"""Whether true positives, or the right action, can be told without reasoning: `python -m benchmarks.probe.gates`."""
