"""What is on disk: runs, their records, and whether a record is one of its run."""
