"""Cumulative sum of a long vector."""
import numpy as np

SIZES = {"tiny": dict(n=100), "quick": dict(n=10**5), "cpu": dict(n=10**7), "gpu": dict(n=10**8)}
TOLERANCE = 1e-8  # NumPy adds in order; a parallel scan errs less


def run(x):
    return np.cumsum(x)


def inputs(size, fill):
    return [fill((size["n"],))]


def floor(size):
    return 16 * size["n"], size["n"]


def pick(size, result):
    return [result[:9], result[-9:], result[size["n"] // 2: size["n"] // 2 + 9]]


def expected(size, arguments):
    x, = arguments
    half = size["n"] // 2
    middle = np.sum(x[:half]) + np.cumsum(x[half:half + 9])
    return [np.cumsum(x[:9]), np.sum(x[:-9]) + np.cumsum(x[-9:]), middle]


def torch_run(torch):
    return torch.compile(lambda x: torch.cumsum(x, dim=0))
