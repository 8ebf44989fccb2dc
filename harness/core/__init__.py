"""What tasks, runs, trials and scores are: data, and the protocols between agent and harness."""
