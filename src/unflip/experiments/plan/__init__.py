"""The plan of an experiment: methods, data sets, jobs, and the paper's printed numbers."""
