# RUN: %python %s
"""print() and f-strings of scalars of every dtype, as CPython and NumPy write them."""
import contextlib
import io

import numpy as np

import npcc


def show(a, b, c, d, e, f, g, h, i, j, n, x, z):
    print(a[0], b[0], c[0], d[0], e[0], f[0], g[0], h[0], i[0], j[0], n, x, z)
    print(f"{a[0]} {b[0]:.3f} {c[0]:>8} {d[0]:5d} {e[0]!r} {f[0]:04d} {g[0]} {h[0]} {i[0]:.2f} {j[0]} {n!r} {x:.2e} {z}")
    print((a[0], b[0], c[0], d[0], e[0], f[0], g[0], h[0], i[0], j[0], n, x, z))
    print([a[0]], str(b[0]), repr(n), repr(f[0]), (h[1],))
    print(np.sum(b), b.sum() * 2, np.uint8(100) + f[0], f[0] + 1, a[0] > 1, a[0].astype(np.float32), -e[0], f.sum(), j.any())


def printed(function, arguments):
    with contextlib.redirect_stdout(io.StringIO()) as text:
        function(*arguments)
    return text.getvalue()


arguments = [np.array([0.1]), np.array([0.1], "f4"), np.array([0.1], "f2"), np.array([-3], "i1"), np.array([2**62]), np.array([130], "u1"),
             np.array([2**64 - 1], "u8"), np.array([0.1 + 2j, 2j], "c8"), np.array([1j]), np.array([False]), 5, 0.1, True]
expected, result = printed(show, arguments), printed(npcc.jit(show, target="cpu"), arguments)
assert result == expected, result + expected
