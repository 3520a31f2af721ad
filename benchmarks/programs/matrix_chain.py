"""A product, a sum, two elementwise functions and a row sum: what a product's epilogue and its follower can take in."""
import numpy as np

SIZES = {"tiny": dict(n=8), "quick": dict(n=256), "cpu": dict(n=1000), "gpu": dict(n=8000)}
TOLERANCE = 1e-6  # sin and cos of sums of n products: an absolute error of n roundings


def run(a, b, c):
    t = a @ b + c
    return np.sum(np.sin(t) + np.cos(t), axis=1)


def inputs(size, fill):
    n = size["n"]
    return [fill((n, n), -1.0, 1.0), fill((n, n), -1.0, 1.0), fill((n, n), -1.0, 1.0)]


def floor(size):
    return 8 * (3 * size["n"] ** 2 + size["n"]), 2 * size["n"] ** 3


def pick(size, result):
    return [result[:4], result[-4:]]


def expected(size, arguments):
    a, b, c = arguments
    return [run(a[:4], b, c[:4]), run(a[-4:], b, c[-4:])]


def torch_run(torch):
    def chain(a, b, c):
        t = a @ b + c
        return torch.sum(torch.sin(t) + torch.cos(t), dim=1)
    return torch.compile(chain)
