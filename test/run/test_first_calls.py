"""Code that is compiled for a first call gives the same bits as the code for all calls, of which it leaves out what would not run."""
import unittest

import numpy as np
from harness import jit


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def norms(x):
    return np.sqrt(np.sum(x * x, axis=-1))


def total(x):
    return np.sum(x)


def running(x):
    return np.cumsum(x)


def relax(u):
    v, energy = u.copy(), 0.0
    for _ in range(3):
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (u[2:, 1:-1] - u[:-2, 1:-1])
        energy += np.sum(v * v)
        u[:] = v
    return energy


class FirstCalls(unittest.TestCase):
    # Extents of the call that is looked at, and others for which other alternatives are taken.
    CASES = ((softmax, ((8, 2000), (3, 513), (8, 10)), (700, 4)), (norms, ((8, 2000), (5, 514), (100, 60)), (700, 4)),
             (total, ((80, 200), (8, 8)), (2, 2)), (running, ((80, 200), (2, 150)), (1, 1)), (relax, ((20, 20), (61, 61)), (5, 5)))

    def test_the_same_bits(self):
        for function, shapes, other in self.CASES:
            for shape in shapes:
                for dtype in ("f4", "f8"):
                    with self.subTest(function=function.__name__, shape=shape, dtype=dtype):
                        x = np.random.default_rng(7).random(shape).astype(dtype)
                        first, later = jit(function), jit(function)
                        expected = np.asarray(first(x.copy()))
                        later(np.ones(other, dtype))
                        self.assertEqual(expected.tobytes(), np.asarray(later(x.copy())).tobytes())
                        np.testing.assert_allclose(expected, function(x.copy()), rtol=1e-3 if dtype == "f4" else 1e-12)


if __name__ == "__main__":
    unittest.main()
