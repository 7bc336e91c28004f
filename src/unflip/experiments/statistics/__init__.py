"""Which method is better, and how certain that is."""
