"""Inner product of two long vectors."""
import numpy as np

SIZES = {"tiny": dict(n=100), "quick": dict(n=10**6), "cpu": dict(n=10**7), "gpu": dict(n=10**8)}


def run(x, y):
    return np.dot(x, y)


def inputs(size, fill):
    return [fill((size["n"],)), fill((size["n"],))]


def floor(size):
    return 16 * size["n"], 2 * size["n"]


def pick(size, result):
    return [result]


def expected(size, arguments):
    return [run(*arguments)]


def torch_run(torch):
    return torch.dot
