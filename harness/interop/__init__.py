"""Other makers' tools: Inspect reads our runs (`harness export inspect`) and plays our suites (`inspect eval`)."""
