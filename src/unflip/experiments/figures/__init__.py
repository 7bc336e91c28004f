"""The paper's figures, and the numbers behind them."""
