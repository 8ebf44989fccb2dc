"""`harness build lhaw`: variants of the tasks of any suite that withhold information (sections 3.2 to 3.4)."""
