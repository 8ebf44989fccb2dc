"""How an end is judged, and the statistics of many."""
