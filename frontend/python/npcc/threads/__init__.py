"""Thread-level kernels: Python functions that every thread of a grid runs, by the names that Numba has for them. npcc.cuda has all of it."""
