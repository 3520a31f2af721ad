"""NumPy's own tests with every call compiled: see run.py."""
