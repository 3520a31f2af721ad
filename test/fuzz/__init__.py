"""Random NumPy programs, run by CPython and by a compiler, compared, and shrunk where they differ."""
