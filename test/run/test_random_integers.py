"""integers() and randint(): every dtype, bounds to the ends of 64 bits, and bounds that are arrays."""
import unittest

from draws import GENERATOR, LEGACY, Draws

DTYPES = ["np.int64", "np.int32", "'i2'", "np.int8", "np.uint64", "np.dtype('u4')", "np.uint16", "np.uint8", "bool", "int"]

INTEGERS = """
i | g.integers(i), g.integers(0, i, (2, 3)), g.integers(-i, i, endpoint=True), g.integers(i, 20, dtype='i2'), g.integers(0, i, dtype=np.uint8)
u | g.integers(u), g.integers(0, u, (2, 2), 'u1')
q | g.integers(q, dtype=np.uint64), g.integers(0, q, (3, 2), np.uint64), g.integers(5, q, dtype='u8', endpoint=True)
a | g.integers(a + 1), g.integers(3.0), g.integers(0.5, 10.2, 3)
x | g.integers([3, 5], size=0), g.integers([3, 1], 2, (0, 3), np.uint8), g.integers(5, 3, size=0), g.integers(5, 5, size=(2, 0))
x | g.integers(2**64, dtype=np.uint64), g.integers(0, 2**64, 3, np.uint64), g.integers(2**63, 2**64, 3, np.uint64), g.integers(0, 2**64 - 1, 3, np.uint64, True)
x | g.integers(-2**63, 2**63), g.integers(-2**63, 2**63, 4), g.integers(-2**63, 2**63 - 1, 4, endpoint=True), g.integers(0, 2**32, 4), g.integers(0, 2**32 - 1, 4)
x | g.integers(-128, 128, 9, np.int8), g.integers(0, 256, 9, np.uint8), g.integers(-2**15, 2**15, 3, np.int16), g.integers(-2**31, 2**31, 3, np.int32), g.integers(5, 6, 4)
n | g.integers(n), g.integers(0, n, n), g.integers(n, high=n + 5, size=(n, 2)), g.integers(n, endpoint=True), g.integers(n, size=0), g.integers(0, size=0)
k | g.integers(k), g.integers(0, k, 3), g.integers(k, k + 5, (2,))
"""

RANDINT = """
i | g.randint(i), g.randint(0, i, (2, 3)), g.randint(-i, i), g.randint(i, 20, dtype='i2'), g.randint(0, i, dtype=np.uint8)
q | g.randint(q, dtype=np.uint64), g.randint(0, q, (3, 2), np.uint64)
x | g.randint(-2**63, 2**63), g.randint(-2**63, 2**63, 4), g.randint(0, 2**32, 4), g.randint(0, 2**32 - 1, 4), g.randint(0, 2**64, 4, np.uint64)
n | g.randint(n), g.randint(0, n, n), g.randint(n, high=n + 5, size=(n, 2))
"""

BAD = """
n | g.integers(0)
n | g.integers(5, 5)
n | g.integers(5, 4, endpoint=True)
n | g.integers(0, endpoint=True)
n | g.integers(-1, endpoint=True)
n | g.integers(n - 12)
n | g.integers(0, 300, dtype=np.uint8)
n | g.integers(-n, 3, 4, np.uint8)
n | g.integers(0, 3, dtype=float)
n | g.integers(n, size=-1)
i | g.integers(i, 5)
i | g.integers(0, i - 1)
i | g.integers(i * 100, dtype='i1')
i | g.integers(-i, 5, dtype='u1')
i | g.integers(i, np.array([1, 2]))
i | g.integers(0, i, size=(2, 2))
"""

BAD_RANDINT = """
n | g.randint(0)
n | g.randint(n, 3)
n | g.randint(0, 300, dtype=np.uint8)
i | g.randint(i - 1)
"""


class Integers(Draws):
    def test_dtypes(self):
        highs = {dtype: "2" if dtype == "bool" else "100" for dtype in DTYPES}
        self.rows("".join(f"x | g.integers({high}, dtype={dtype}), g.integers(0, {high}, 7, dtype={dtype}), g.integers(1, {high}, (2, 3), {dtype}), g.integers(1, size=5, dtype={dtype}, endpoint=True)\n"
                          for dtype, high in highs.items()), GENERATOR)
        self.rows("".join(f"x | g.randint({high}, dtype={dtype}), g.randint(0, {high}, 7, dtype={dtype})\n" for dtype, high in highs.items()), LEGACY)

    def test_integers(self):
        self.rows(INTEGERS, GENERATOR)

    def test_randint(self):
        self.rows(RANDINT, LEGACY)

    def test_bad_bounds(self):
        self.rows(BAD_RANDINT, LEGACY, fails=True)


if __name__ == "__main__":
    unittest.main()
