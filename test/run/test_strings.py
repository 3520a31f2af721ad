"""Strings with numbers of the program in them, as results: compiled, against Python."""
import unittest

import numpy as np

from everything import Everything

x = np.array([0.5, -1.25, 1e10])


class Strings(Everything):
    def test_formats(self):
        def shown(a, n):
            return f"{a.mean():.3f} {a.max():8.2e} {n:04d} {'x':>5} {a[0]!r} {n} {a[1]}", str(n) + "!", repr(a[0]), "known"
        self.check(shown, x, 7)
        self.check(shown, x.astype(np.float32), np.int64(-7))

    def test_percent(self):
        def shown(a, n):
            return ("%d items, mean %.4f, %s %% %5d|%-6d|%+d %g %e %i" % (n, a.mean(), "ok", n, n, n, a[2], a[0], a[2]),
                    "%s" % n, "%(a)d-%(b).1f" % {"a": n, "b": a[0]}, "%x" % 255, "%r" % a[0])
        self.check(shown, x, 7)
        self.check(shown, x, np.int32(12))

    def test_format_method(self):
        def shown(a, n):
            return ("{} and {:.2f}; {n:>{w}}".format(n, a[0], n=n, w=5), "{1} {0}".format(n, a[1]), "{a[1]:.1f} {{}}".format(a=a),
                    ", ".join([f"{v:.1f}" for v in (a[0], a[1], n)]))
        self.check(shown, x, 7)

    def test_complex(self):
        def shown(c):
            return f"{c} {c:.1f}", [str(c)], {"c": str(c)}
        self.check(shown, 1 - 2j)
        self.check(shown, np.complex64(1 - 2j))

    def test_containers(self):
        def shown(a, n):
            d = {"n": n, "list": [n, 1.5]}
            return f"{d} {(n, None, 'a')} {[n]}"
        self.check(shown, x, 3)

    def test_which_path(self):
        def verdict(a, n):
            if n > 3:
                return f"large: {n}"
            if n < 0:
                return None
            return "small", n
        for n in (5, 1, -1):
            self.check(verdict, x, n)

    def test_exact_types_of_results(self):
        def first(a, n):
            if n > 3:
                return -1
            if n > 2:
                return 1.5
            if n > 1:
                return a[0]
            return n > 0, [n]
        for n in (5, 3, 2, 1, 0):
            self.check(first, x, n)


if __name__ == "__main__":
    unittest.main()
