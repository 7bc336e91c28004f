"""Running jobs and storing their results."""
