"""Running jobs and keeping their results."""
