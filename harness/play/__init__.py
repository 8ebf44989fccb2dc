"""Trials: opened, played, replayed and forked, alone or by the thousand."""
