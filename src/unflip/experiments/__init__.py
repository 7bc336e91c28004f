"""Experiments: which method is better, how sure that is, and the tables and pictures that say so."""
