"""Counts of values in 256 equal bins."""
import numpy as np

SIZES = {"tiny": dict(n=100), "quick": dict(n=10**5), "cpu": dict(n=10**6), "gpu": dict(n=10**8)}
TOLERANCE = 0.0


def run(x):
    return np.histogram(x, bins=256, range=(0.0, 1.0))[0]


def inputs(size, fill):
    return [fill((size["n"],))]


def floor(size):
    return 8 * size["n"], size["n"]


def pick(size, result):
    return [result]


def expected(size, arguments):
    return [run(*arguments)]


def torch_run(torch):
    return lambda x: torch.histc(x, bins=256, min=0.0, max=1.0).to(torch.int64)
