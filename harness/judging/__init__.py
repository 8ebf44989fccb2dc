"""Judging: what the questions of a suite are answered with, by models or by people; verdicts are files of a run."""
