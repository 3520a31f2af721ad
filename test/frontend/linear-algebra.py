# RUN: %python %s
# RUN: env NPCC_BLAS=none %python %s
"""numpy.linalg's decompositions with LAPACK and with the runtime's own loops: stacks, dtypes, empty ones, errors."""
import sys
from pathlib import Path

import numpy as np

import npcc

sys.path.insert(0, str(Path(__file__).parents[1] / "run"))
import executed  # noqa: E402

random = np.random.default_rng(0)


def both(function, *arguments):
    outcomes = []
    for call in function, npcc.jit(function, target="cpu"):
        try:
            result = call(*(a.copy() for a in arguments))
            outcomes.append(result if isinstance(result, tuple) else (result,))
        except Exception as error:
            outcomes.append(f"{type(error).__name__}: {error}")
    return outcomes


def check(function, *arguments):
    expected, result = both(function, *arguments)
    name = function.__name__, [(a.dtype.str, a.shape) for a in arguments]
    assert len(result) == len(expected), (name, result, expected)
    for mine, theirs in zip(result, expected):
        assert type(mine) is type(theirs) and mine.dtype == theirs.dtype and mine.shape == theirs.shape, (name, mine, theirs)
        tolerance = 2e-4 if np.finfo(theirs.dtype).bits == 32 else 1e-9
        np.testing.assert_allclose(mine, theirs, tolerance, tolerance, err_msg=str(name))
    executed.note(__file__, function)


def check_error(function, *arguments):
    expected, result = both(function, *arguments)
    assert isinstance(expected, str) and result == expected, (function.__name__, result, expected)


def definite(h):
    values, vectors = np.linalg.eigh(h)
    return (np.linalg.cholesky(h), np.linalg.cholesky(h, upper=True), values, abs(vectors), np.linalg.eigvalsh(h, "U"),
            np.linalg.inv(h), np.linalg.det(h))


def determinant(a):
    sign, logarithm = np.linalg.slogdet(a)
    return sign, logarithm, np.linalg.det(a)


def solve(a, b):
    return np.linalg.solve(a, b)


def powers(a):
    return np.linalg.matrix_power(a, -2)


def others(a):
    return np.linalg.vecdot(a, a * 2, axis=0), np.linalg.matrix_transpose(a), np.linalg.norm(a), np.linalg.norm(a, ord=1, axis=1, keepdims=True)


def inverse(a):
    return np.linalg.inv(a)


def cholesky(a):
    return np.linalg.cholesky(a)


def later(a, b):
    # The routine works on copies: a and b stay, and what is made of them before is not read again after.
    c = a * 2
    x = np.linalg.solve(a, b)
    a[0, 0] += 1
    return c, x, a @ x - b


for dtype, shape in [("f8", (5, 5)), ("c16", (2, 3, 4, 4)), ("f4", (3, 8, 8)), ("c8", (4, 4)), ("i8", (3, 3)), ("f8", (0, 3, 3)), ("f8", (2, 0, 0))]:
    a = random.normal(size=shape) * 3
    if dtype[0] == "c":
        a = a + 1j * random.normal(size=shape)
    a = a.astype(dtype)
    h = a @ np.conj(np.swapaxes(a, -1, -2)) + (2 * shape[-1] * np.eye(shape[-1])).astype(dtype)
    check(definite, h)
    check(determinant, a)
    check(solve, h, random.normal(size=(shape[-1], 2)))
    if len(shape) == 2:
        check(solve, h, random.normal(size=shape[-1]))
        check(powers, h)
check(solve, np.eye(3) * 2, random.normal(size=(2, 3, 1)))
check(later, random.normal(size=(4, 4)), random.normal(size=4))
check(determinant, np.ones((3, 3)))
check(others, random.normal(size=(3, 4)))
check_error(inverse, np.zeros((2, 3, 3)))
check_error(inverse, np.ones((2, 3)))
check_error(cholesky, -np.eye(3))
check_error(solve, np.eye(3), np.ones(4))
check_error(solve, np.eye(3), np.ones((4, 2)))
