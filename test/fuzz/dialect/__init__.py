"""Random valid IR of the `np` dialect, run through the compiler's passes; what a pass leaves must mean what it was given."""
