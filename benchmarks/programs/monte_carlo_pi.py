"""Pi from random points whose coordinates are given: a comparison and a count over two arrays, in one pass."""
import numpy as np

SIZES = {"tiny": dict(n=1000), "quick": dict(n=10**5), "cpu": dict(n=10**7), "gpu": dict(n=10**8)}
TOLERANCE = 1e-12


def run(x, y):
    return 4.0 * np.sum(x * x + y * y <= 1.0) / x.size


def inputs(size, fill):
    return [fill((size["n"],), 0.0, 1.0), fill((size["n"],), 0.0, 1.0)]


def floor(size):
    return 16 * size["n"], 4 * size["n"]


def pick(size, result):
    return [result]


def expected(size, arguments):
    return [run(*arguments)]


def jax_run(jax):
    def run_jax(x, y):
        return 4.0 * jax.numpy.sum(x * x + y * y <= 1.0) / x.size
    return jax.jit(run_jax)


def torch_run(torch):
    def run_torch(x, y):
        return 4.0 * torch.sum(x * x + y * y <= 1.0) / x.numel()
    return torch.compile(run_torch)
