"""One folder per benchmark: tasks, checks, prompts and provenance."""
