"""Tables of results, each number beside the printed one."""
