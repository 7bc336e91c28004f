"""Which methods differ, and how certain that is."""
