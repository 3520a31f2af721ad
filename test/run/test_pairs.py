"""Forces between all pairs: components of a distance, of which each pair needs all, and sums of components that several places need."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def forces(p, box):
    d = p[:, None, :] - p[None, :, :]
    d = d - box * np.round(d / box)
    r2 = np.sum(d ** 2, axis=-1) + 0.5 + np.eye(p.shape[0]) * 1e6
    f = np.where(r2 < 6.25, 24 * (2 / r2 ** 2 + 1 / r2) / r2, 0.0)
    total = np.sum(f[:, :, None] * d, axis=1)
    return total, p + 0.1 * total, np.sum(np.where(r2 < 6.25, 1 / r2, 0.0))


def steps(p, v, box, n):
    def force(p):
        return forces(p, box)[0]
    f = force(p)
    for _ in range(n):
        v = v + 0.005 * f
        p = (p + 0.01 * v) % box
        f = force(p)
        v = v + 0.005 * f
    return p, v


def components(d):
    """Every position of the axis, twice the same one, and a part of it."""
    e = np.exp(d)
    return e[:, 0] + e[:, 1], e[:, 1] * e[:, 2], e[:, :2].copy(), e[::2, 0] - 1.0


class Pairs(Comparison):
    def test_results(self):
        g = np.random.default_rng(1)
        for n in (1, 2, 33):
            with self.subTest(n=n):
                self.compare(forces, (g.random((n, 3)) * 4, 4.0))
                self.compare(forces, (g.random((n, 2)) * 4, 4.0))
                self.compare(steps, (g.random((n, 3)) * 4, g.random((n, 3)), 4.0, 3))
                self.compare(components, (g.random((n, 3)),))

    @unittest.skipUnless(TARGET == "cuda", "counts launches")
    def test_no_array_of_all_components(self):
        """What is kept of each pair is a number and a bit, and not the three components of the distance."""
        p = npcc.asarray(np.random.default_rng(2).random((64, 3)) * 4)
        compiled = jit(forces)
        compiled(p, 4.0)
        text = compiled.inspect("kernels", target="cuda", arguments=(p, 4.0))
        self.assertNotRegex(text, r"memref\.store %\w+, %\w+\[%\w+, %\w+, %\w+\] : memref<\?x\?x\?xf64>")


if __name__ == "__main__":
    unittest.main()
