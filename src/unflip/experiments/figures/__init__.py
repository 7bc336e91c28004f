"""Figures of results and of the theory, and the numbers behind them."""
