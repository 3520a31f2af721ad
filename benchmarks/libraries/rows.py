"""The functions that are timed. Each is a NumPy function, which CuPy and JAX run with their own `np`; PyTorch has a version of its own.

A row's arguments are made by NumPy, of a size that the target chooses; `n` stands for extents, generators for streams of random numbers.
"""
from __future__ import annotations

import dataclasses
from typing import Callable

import numpy as np

import npcc

try:
    import ml_dtypes  # noqa: F401  NumPy knows bfloat16 then
except ImportError:
    pass


@dataclasses.dataclass
class Row:
    group: str
    name: str
    run: Callable
    arguments: Callable  # (numpy.random.Generator, divisor of the size) -> arguments
    torch: Callable | None = None  # (the module, arguments) -> result
    scipy: Callable | None = None  # the same of what SciPy has beside NumPy, with all cores where it asks how many
    jax: Callable | None = None  # where JAX has no such NumPy function: (jax, arguments) -> result
    bytes: Callable | None = None  # of the result, where the copy of it is the bound
    tolerance: float | None = 1e-3  # None: nothing to compare
    direct: str = ""  # what calls a library of CUDA's itself for it: a method in direct/
    is_own: bool = False  # npcc's alone
    is_of_several: bool = False  # held against what other rows take: a product, or three calls of libraries

    def is_bounded(self):
        return bool(self.direct or self.bytes or self.is_of_several)


def scaled(extent, divisor, least=4):
    return max(int(extent / divisor), least)


def matrices(*shapes, dtype="f4"):
    """Arguments of these shapes; extents beyond 1,000 are divided."""
    def make(rng, divisor):
        return [rng.uniform(-1, 1, [scaled(e, divisor) if e >= 1000 else e for e in shape]).astype(dtype) for shape in shapes]
    return make


def definite(stack, n, dtype="f8"):
    def make(rng, divisor):
        lead = [scaled(s, divisor) for s in stack]
        k = n if stack else scaled(n, divisor)
        a = rng.uniform(-1, 1, [*lead, k, k])
        return [(a @ np.swapaxes(a, -1, -2) + k * np.eye(k)).astype(dtype)]
    return make


def with_right_side(matrices_of, columns):
    def make(rng, divisor):
        a, = matrices_of(rng, divisor)
        return [a, rng.uniform(-1, 1, [*a.shape[:-1], columns]).astype(a.dtype)]
    return make


def stream(kind, count):
    def make(rng, divisor):
        # The array says where the numbers are wanted: a compiled function runs where its arrays are.
        return [np.zeros(1), np.random.Generator(getattr(np.random, kind)(1)), scaled(count, divisor)]
    return make


def signals(rng, divisor):
    n = scaled(4096, divisor)
    return [rng.uniform(-1, 1, (n, n)).astype("f4"), rng.uniform(0, 1, n // 2 + 1).astype("f4")]


@dataclasses.dataclass
class SparseRows:
    """A matrix of compressed rows, which each peer has as a class of its own."""
    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray
    shape: tuple

    def of(self, matrix, array=lambda a: a):
        return matrix((array(self.data), array(self.indices), array(self.indptr)), shape=self.shape)


def sparse(lengths, columns=None, dtype="f8"):
    """10^6 rows with lengths of their own, and a vector or a matrix of `columns`."""
    def make(rng, divisor):
        n = scaled(1_000_000, divisor)
        ends = np.concatenate([[0], np.cumsum(lengths(rng, n))]).astype("i4")
        rows = SparseRows(rng.uniform(-1, 1, ends[-1]).astype(dtype), rng.integers(0, n, ends[-1]).astype("i4"), ends, (n, n))
        return [rows, rng.uniform(-1, 1, (n, columns) if columns else n).astype(dtype)]
    return make


def twenty(rng, n):
    return np.full(n, 20)


def uneven(rng, n):  # most rows are short, a few have thousands of elements
    return np.minimum(2 * rng.zipf(1.7, n), 50_000)


def product(a, b):
    return a @ b


def transposed_product(a, b):
    return a.T @ b


def logistic_gradient(x, y, w):
    p = 1 / (1 + np.exp(-(x @ w)))
    return x.T @ (p - y)


def chain(a, b, c):
    z = a @ b + c
    return np.sum(np.sin(z) + np.cos(z))


def layer(a, w, b):
    return np.maximum(a @ w + b, 0)


def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2) * np.float32(0.125)
    e = np.exp(s - np.max(s, -1, keepdims=True))
    return (e / np.sum(e, -1, keepdims=True)) @ v


def smooth(x, response):
    return np.fft.irfft(np.fft.rfft(x) * response, x.shape[-1])


def counts_of(x):
    return np.unique(x, return_counts=True)


PRODUCTS = [
    Row("products", "float32, 4096", product, matrices((4096, 4096), (4096, 4096)), lambda t, a, b: a @ b, direct="product"),
    Row("products", "float64, 4096", product, matrices((4096, 4096), (4096, 4096), dtype="f8"), lambda t, a, b: a @ b, direct="product"),
    Row("products", "float16, 4096", product, matrices((4096, 4096), (4096, 4096), dtype="f2"), lambda t, a, b: a @ b, tolerance=2e-3, direct="product"),
    Row("products", "bfloat16, 4096", product, matrices((4096, 4096), (4096, 4096), dtype="bfloat16"), tolerance=None, direct="product"),
    Row("products", "4096 of 64 x 64", product, matrices((4096, 64, 64), (4096, 64, 64)), lambda t, a, b: a @ b, direct="product"),
    Row("products", "1,000,000 of 4 x 4", product, matrices((1000000, 4, 4), (1000000, 4, 4)), lambda t, a, b: a @ b),
    Row("products", "1,000,000 x 32, vector", product, matrices((1000000, 32), (32,)), lambda t, a, b: a @ b),
    Row("products", "its transpose, vector", transposed_product, matrices((1000000, 32), (1000000,)), lambda t, a, b: a.T @ b),
    Row("products", "logistic gradient", logistic_gradient, matrices((1000000, 32), (1000000,), (32,)),
        lambda t, x, y, w: x.T @ (t.sigmoid(x @ w) - y), tolerance=1e-2),
    Row("products", "layer with relu, 4096", layer, matrices((4096, 4096), (4096, 4096), (4096,)), lambda t, a, w, b: t.relu(t.addmm(b, a, w))),
    Row("products", "a @ b + c, sin + cos, sum", chain, matrices((4096, 4096), (4096, 4096), (4096, 4096)),
        lambda t, a, b, c: (lambda z: (t.sin(z) + t.cos(z)).sum())(a @ b + c), tolerance=None, is_of_several=True),
    Row("products", "attention, 64 of 1024 x 64", attention, matrices((64, 1024, 64), (64, 1024, 64), (64, 1024, 64)),
        lambda t, q, k, v: t.softmax(q @ k.transpose(-1, -2) * 0.125, -1) @ v, is_of_several=True),
]

FOURIER = [
    Row("Fourier", "fft of 2^24, complex64", lambda x: np.fft.fft(x), matrices((1 << 24,), dtype="c8"), lambda t, x: t.fft.fft(x),
        scipy=lambda s, x: s.fft.fft(x, workers=-1), direct="transform"),
    Row("Fourier", "fft of 2^22, complex128", lambda x: np.fft.fft(x), matrices((1 << 22,), dtype="c16"), lambda t, x: t.fft.fft(x),
        scipy=lambda s, x: s.fft.fft(x, workers=-1), direct="transform"),
    Row("Fourier", "rfft of 4096 x 4096", lambda x: np.fft.rfft(x), matrices((4096, 4096)), lambda t, x: t.fft.rfft(x),
        scipy=lambda s, x: s.fft.rfft(x, workers=-1), direct="transform"),
    Row("Fourier", "fft2 of 4096 x 4096", lambda x: np.fft.fft2(x), matrices((4096, 4096), dtype="c8"), lambda t, x: t.fft.fft2(x),
        scipy=lambda s, x: s.fft.fft2(x, workers=-1), direct="plane"),
    Row("Fourier", "smoothing of 4096 x 4096", smooth, signals,
        lambda t, x, r: t.fft.irfft(t.fft.rfft(x) * r, x.shape[-1]),
        scipy=lambda s, x, r: s.fft.irfft(s.fft.rfft(x, workers=-1) * r, x.shape[-1], workers=-1), direct="there_and_back"),
]

FACTORS = [
    Row("factors", "cholesky, 4096", lambda a: np.linalg.cholesky(a), definite((), 4096), lambda t, a: t.linalg.cholesky(a),
        scipy=lambda s, a: s.linalg.cholesky(a, lower=True), direct="cholesky"),
    Row("factors", "solve, 4096", lambda a, b: np.linalg.solve(a, b), with_right_side(definite((), 4096), 16), lambda t, a, b: t.linalg.solve(a, b),
        scipy=lambda s, a, b: s.linalg.solve(a, b), direct="solve"),
    Row("factors", "inv, 2048", lambda a: np.linalg.inv(a), definite((), 2048), lambda t, a: t.linalg.inv(a),
        scipy=lambda s, a: s.linalg.inv(a), direct="inverse"),
    Row("factors", "qr, 2048", lambda a: np.linalg.qr(a)[1], definite((), 2048), lambda t, a: t.linalg.qr(a)[1], tolerance=None,
        scipy=lambda s, a: s.linalg.qr(a, mode="r"), direct="triangle"),
    Row("factors", "svdvals, 1024", lambda a: np.linalg.svd(a, compute_uv=False), definite((), 1024), lambda t, a: t.linalg.svdvals(a),
        scipy=lambda s, a: s.linalg.svdvals(a), direct="singular_values"),
    Row("factors", "eigvalsh, 2048", lambda a: np.linalg.eigvalsh(a), definite((), 2048), lambda t, a: t.linalg.eigvalsh(a),
        scipy=lambda s, a: s.linalg.eigvalsh(a), direct="eigenvalues"),
    Row("factors", "10,000 eigvalsh of 32 x 32", lambda a: np.linalg.eigvalsh(a), definite((10000,), 32), lambda t, a: t.linalg.eigvalsh(a)),
    Row("factors", "100,000 solves of 8 x 8", lambda a, b: np.linalg.solve(a, b), with_right_side(definite((100000,), 8), 1),
        lambda t, a, b: t.linalg.solve(a, b)),
    Row("factors", "10,000 inverses of 32 x 32", lambda a: np.linalg.inv(a), definite((10000,), 32), lambda t, a: t.linalg.inv(a)),
    Row("factors", "100,000 det of 4 x 4", lambda a: np.linalg.det(a), definite((100000,), 4), lambda t, a: t.linalg.det(a)),
]

SORTS = [
    Row("sorts", "sort of 10^8 float32", lambda x: np.sort(x), matrices((100000000,)), lambda t, x: t.sort(x)[0]),
    Row("sorts", "argsort of 10^7 float64", lambda x: np.argsort(x), matrices((10000000,), dtype="f8"), lambda t, x: t.argsort(x)),
    Row("sorts", "1,000,000 lines of 32", lambda x: np.sort(x, -1), matrices((1000000, 32)), lambda t, x: t.sort(x, -1)[0]),
    Row("sorts", "unique with counts, 10^7", counts_of, lambda rng, divisor: [rng.integers(0, 1000000, scaled(10000000, divisor))],
        lambda t, x: t.unique(x, return_counts=True), jax=False),
    Row("sorts", "median of 10^7", lambda x: np.median(x), matrices((10000000,)), lambda t, x: t.median(x)),
]

SPARSE = [
    Row("sparse", "20 a row, vector", product, sparse(twenty), lambda t, a, x: a @ x, jax=False),
    Row("sparse", "uneven rows, vector", product, sparse(uneven), lambda t, a, x: a @ x, jax=False),
    Row("sparse", "transpose, vector", transposed_product, sparse(twenty), jax=False),
    Row("sparse", "transpose of uneven, vector", transposed_product, sparse(uneven), jax=False),
    Row("sparse", "20 a row, 32 columns", product, sparse(twenty, 32), lambda t, a, x: a @ x, jax=False),
    Row("sparse", "20 a row, 128, float32", product, sparse(twenty, 128, "f4"), lambda t, a, x: a @ x, jax=False),
    Row("sparse", "transpose, 32 columns", transposed_product, sparse(twenty, 32), jax=False),
]

UNIFORM, NORMAL = 100_000_000, 100_000_000
EIGHT = lambda n: 8 * n  # noqa: E731
RANDOM = [
    Row("random", "uniform, PCG64", lambda like, g, n: g.random(n), stream("PCG64", UNIFORM), lambda t, like, g, n: t.rand(n, dtype=t.float64, device=g),
        jax=lambda jax, like, g, n: jax.random.uniform(g, (n,), "float64"), bytes=EIGHT),
    Row("random", "uniform float32, PCG64", lambda like, g, n: g.random(n, np.float32), stream("PCG64", UNIFORM), lambda t, like, g, n: t.rand(n, device=g),
        jax=lambda jax, like, g, n: jax.random.uniform(g, (n,), "float32"), bytes=lambda n: 4 * n),
    Row("random", "uniform, Philox", lambda like, g, n: g.random(n), stream("Philox", UNIFORM), bytes=EIGHT, jax=False),
    Row("random", "uniform, MT19937", lambda like, g, n: g.random(n), stream("MT19937", UNIFORM / 10), bytes=EIGHT, jax=False),
    Row("random", "uniform, npcc.random.fast", lambda like, n: npcc.random.fast(5).random(n), lambda rng, divisor: [np.zeros(1), scaled(UNIFORM, divisor)],
        bytes=EIGHT, is_own=True),
    Row("random", "normal, PCG64", lambda like, g, n: g.standard_normal(n), stream("PCG64", NORMAL), lambda t, like, g, n: t.randn(n, dtype=t.float64, device=g),
        jax=lambda jax, like, g, n: jax.random.normal(g, (n,), "float64"), bytes=EIGHT),
    Row("random", "normal float32, PCG64", lambda like, g, n: g.standard_normal(n, np.float32), stream("PCG64", NORMAL),
        lambda t, like, g, n: t.randn(n, device=g), jax=lambda jax, like, g, n: jax.random.normal(g, (n,), "float32"), bytes=lambda n: 4 * n),
    Row("random", "exponential, PCG64", lambda like, g, n: g.standard_exponential(n), stream("PCG64", NORMAL), bytes=EIGHT,
        jax=lambda jax, like, g, n: jax.random.exponential(g, (n,), "float64")),
    Row("random", "integers below 1000, PCG64", lambda like, g, n: g.integers(0, 1000, n), stream("PCG64", UNIFORM),
        lambda t, like, g, n: t.randint(1000, (n,), device=g), jax=lambda jax, like, g, n: jax.random.randint(g, (n,), 0, 1000, "int64"), bytes=EIGHT),
    Row("random", "gamma 2.5, PCG64", lambda like, g, n: g.standard_gamma(2.5, n), stream("PCG64", NORMAL / 4), bytes=EIGHT,
        jax=lambda jax, like, g, n: jax.random.gamma(g, 2.5, (n,), "float64")),
    Row("random", "gamma 0.3, PCG64", lambda like, g, n: g.standard_gamma(0.3, n), stream("PCG64", NORMAL / 4), bytes=EIGHT,
        jax=lambda jax, like, g, n: jax.random.gamma(g, 0.3, (n,), "float64")),
    Row("random", "Poisson 5, PCG64", lambda like, g, n: g.poisson(5.0, n), stream("PCG64", NORMAL / 4), bytes=EIGHT,
        jax=lambda jax, like, g, n: jax.random.poisson(g, 5.0, (n,), "int64")),
    Row("random", "Poisson 50, PCG64", lambda like, g, n: g.poisson(50.0, n), stream("PCG64", NORMAL / 4), bytes=EIGHT,
        jax=lambda jax, like, g, n: jax.random.poisson(g, 50.0, (n,), "int64")),
    Row("random", "binomial of 20, PCG64", lambda like, g, n: g.binomial(20, 0.3, n), stream("PCG64", NORMAL / 4), bytes=EIGHT,
        jax=lambda jax, like, g, n: jax.random.binomial(g, 20, 0.3, (n,), "float64")),
]

ROWS = PRODUCTS + FOURIER + FACTORS + SORTS + SPARSE + RANDOM
