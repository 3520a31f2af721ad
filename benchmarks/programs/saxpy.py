"""a * x + y into a new vector, as an explicit loop over the elements; the peers get the array expression."""
import numpy as np

SIZES = {"tiny": dict(n=100), "quick": dict(n=10**5), "cpu": dict(n=10**7), "gpu": dict(n=10**8)}
TOLERANCE = 1e-5  # float32: a compiler may fuse the multiplication and the addition


def run(a, x, y):
    z = np.empty_like(y)
    for i in range(x.shape[0]):
        z[i] = a * x[i] + y[i]
    return z


def whole(a, x, y):
    return a * x + y


def inputs(size, fill):
    return [2.5, fill((size["n"],), 0.0, 1.0, "float32"), fill((size["n"],), 0.0, 1.0, "float32")]


def floor(size):
    return 12 * size["n"], 2 * size["n"]


def pick(size, result):
    return [result[:50], result[-50:]]


def expected(size, arguments):
    a, x, y = arguments
    return [whole(a, x[:50], y[:50]), whole(a, x[-50:], y[-50:])]


def cupy_run(cupy):
    return whole


def jax_run(jax):
    return jax.jit(whole)


def torch_run(torch):
    return torch.compile(whole)


def numba_run(numba):
    return numba.njit(run)
