"""Tables of results beside the printed numbers."""
