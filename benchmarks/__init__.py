"""Measurements that compare several methods in one run: python -m benchmarks [NAME ...]."""
