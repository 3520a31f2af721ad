"""Out-of-place transpose, scaled: the access pattern that is wrong for either side."""
import numpy as np

SIZES = {"tiny": dict(n=8), "quick": dict(n=500), "cpu": dict(n=3000), "gpu": dict(n=16384)}


def run(x):
    return np.ascontiguousarray(x.T) * 2.0


def inputs(size, fill):
    return [fill((size["n"], size["n"]))]


def floor(size):
    return 16 * size["n"] ** 2, size["n"] ** 2


def pick(size, result):
    return [result[:9, :9], result[-9:, -9:], result[size["n"] // 2, :]]


def expected(size, arguments):
    x, = arguments
    return [2.0 * x[:9, :9].T, 2.0 * x[-9:, -9:].T, 2.0 * x[:, size["n"] // 2]]


def jax_run(jax):
    return jax.jit(lambda x: x.T * 2.0)


def torch_run(torch):
    return torch.compile(lambda x: x.T.contiguous() * 2.0)
