"""Arguments of the example programs, small, from fixed seeds."""
import numpy as np


def uniform(shape, low=0.0, high=1.0, dtype=np.float64, seed=0):
    values = np.random.default_rng(seed).uniform(low, high, shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * np.random.default_rng(seed + 1).uniform(low, high, shape)
    return values.astype(dtype)
