"""What is to be run: methods, data sets, jobs, and the printed numbers to compare with."""
