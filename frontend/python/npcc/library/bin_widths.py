"""How wide the bins of a histogram should be: the estimators of numpy.histogram_bin_edges, of one axis of at least one element."""

import numpy as np


def _spread(x):
    """From the least to the largest element; what lies between integers may be no integer of their dtype."""
    if x.dtype.kind != "f":
        return np.max(x).astype(np.float64) - np.min(x).astype(np.float64)
    return np.max(x) - np.min(x)


def sqrt(x):
    return _spread(x) / np.sqrt(x.size)


def sturges(x):
    return _spread(x) / (np.log2(x.size) + 1.0)


def rice(x):
    return _spread(x) / (2.0 * x.size ** (1.0 / 3))


def scott(x):
    return (24.0 * np.pi**0.5 / x.size) ** (1.0 / 3.0) * np.std(x)


def doane(x):
    n = np.float64(x.size)
    sigma = np.std(x)
    width = np.float64(0.0)
    if n > 2 and sigma > 0:
        sg1 = np.sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))
        g1 = np.mean(((x - np.mean(x)) / sigma) ** 3)
        width = np.float64(_spread(x) / (1.0 + np.log2(n) + np.log2(1.0 + np.abs(g1) / sg1)))
    return width


def fd(x):
    return 2.0 * (np.percentile(x, 75) - np.percentile(x, 25)) * x.size ** (-1.0 / 3.0)


def stone(x):
    """Of 1 to max(100, sqrt(n)) bins those for which cross-validation finds the least error."""
    n = x.size
    spread = np.float64(_spread(x))
    width = np.float64(0.0)
    if n > 1 and spread != 0:
        least = np.inf
        x = x.astype(np.float64) if x.dtype.kind != "f" else x
        low = np.min(x)
        best = 1
        for count in range(1, max(100, int(np.sqrt(n))) + 1):
            at = np.minimum(((x - low) / spread * count).astype(np.int64), count - 1)
            share = np.bincount(at, minlength=count) / n
            error = (2 - (n + 1) * np.sum(share * share)) / (spread / count)
            if error < least:
                least = error
                best = count
        width = spread / best
    return width


def auto(x):
    return np.minimum(np.maximum(fd(x), sqrt(x) / 2), sturges(x))


ESTIMATORS = {"auto": auto, "doane": doane, "fd": fd, "rice": rice, "scott": scott, "sqrt": sqrt, "stone": stone, "sturges": sturges}
