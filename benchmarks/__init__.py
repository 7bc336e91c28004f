"""Measurements that compare two things in one run: python -m benchmarks [name ...]."""
