"""What every room may use: checks and refusals, files written whole, threads, compiled functions, optional imports."""
