"""`harness build drift`: faulty requests of the tasks, phase by phase, in files that can be reviewed (section 3)."""
