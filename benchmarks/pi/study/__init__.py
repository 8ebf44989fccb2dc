"""What became of intents and items, judged once more by people or other models. `python -m benchmarks.pi.study`."""
