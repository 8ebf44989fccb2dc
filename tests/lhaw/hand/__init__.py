"""Run folders whose figures were worked out by hand, and what `harness report` says of them."""
