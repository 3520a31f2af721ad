"""Bits and divisors of integers, bits of floats, compiled, against NumPy."""
import unittest

from rows import Rows

ROWS = r"""
*     | a.byteswap(), a[..., ::2].byteswap(), a.T.byteswap(False)
I D   | a.byteswap(inplace=True), b[:, ::2].byteswap(True); return a, b
A     | a[1, 2].byteswap(), np.int16(3).byteswap()
U     | np.packbits(a), np.packbits(a, axis=0), np.packbits(a, axis=1), np.packbits(a > 9, bitorder='little'), np.packbits(a, -1, 'little')
P J   | np.packbits(a), np.packbits(b, axis=1), np.packbits([1, 0, 1])
U     | np.unpackbits(a), np.unpackbits(a, axis=0), np.unpackbits(a, axis=1, count=5), np.unpackbits(a, count=-3), np.unpackbits(a, 1, 50, 'little'), np.unpackbits(a[0], bitorder='little')
U     | np.packbits(a[:0], axis=0), np.packbits(a[:0], axis=1), np.packbits(a[:, :0]), np.unpackbits(a[:, :0], axis=1), np.unpackbits(a[:0].T, 0)
U     | np.packbits(a.T[::-1], 0, 'little'), np.unpackbits(a.T[::-1], 0, bitorder='little')
Z n   | np.gcd(a, 12), np.lcm(a, 3), np.gcd(a, b), np.gcd(-a, 4), np.lcm(-a, [4]), np.gcd(a, 0), np.lcm(a, 0)
J U L | np.gcd(a, 12), np.lcm(b[0, :3], b[1, :3]), np.gcd(c, np.uint64(6)), np.gcd(a, b), np.gcd.outer(b[0], b[1])
I J   | np.bitwise_count(a), np.bitwise_count(b), np.bitwise_count(b, out=np.zeros((4, 5), 'u1'))
U L P | np.bitwise_count(a), np.bitwise_count(b), np.bitwise_count(c)
A B F | np.nextafter(a, b), np.spacing(a), np.nextafter(c, 2), np.spacing(-c), np.nextafter(a, np.inf), np.spacing(b - 1)
H     | np.nextafter(a, 1), np.nextafter(a, -a), np.spacing(a), np.nextafter(a * 0, -1), np.spacing(a * 0)
N     | np.nextafter(a, 1), np.spacing(a), np.nextafter([0.0, -0.0, np.inf, -np.inf, 1e308], [1, -1, 0, 0, np.inf]), np.spacing([0.0, np.inf, -np.inf, 1e308, -1.5, 5e-324])
A I   | np.ldexp(a, b), np.ldexp(a, -1070), np.ldexp(1.5, b), np.ldexp(a, -2000), np.ldexp(a, 5000), np.ldexp(a, b.astype('i1'))
F H   | np.ldexp(a, 3), np.ldexp(b, 2), np.ldexp(a, -140), np.ldexp(b, -20)
A N   | np.frexp(a), np.frexp(b), np.frexp(-a * 1e-310), np.frexp([0.0, -0.0, np.inf, 5e-324, 1.0, 0.5, -4.0])
F H I | np.frexp(a), np.frexp(b), np.frexp(c), np.frexp(a * 1e-40)
y m   | np.frexp(a), np.ldexp(a, b), np.gcd(b, 9), np.spacing(a), np.nextafter(a, 0), np.bitwise_count(b), np.logaddexp2(a, b)
x y   | math.nextafter(a, b), math.ulp(a), math.ulp(b * 1e10)
x y   | math.modf(b), math.frexp(b), math.ldexp(a, 3), math.modf(-b * 3), math.frexp(-a)
"""

ERRORS = r"""
A   | np.packbits(a)
U   | np.packbits(a, bitorder='x')
A   | np.unpackbits(a)
U   | np.unpackbits(a, count=-999)
A I | np.ldexp(a, a)
x n | math.ldexp(a, b * 1000)
"""


class Bits(Rows):
    def test_results(self):
        self.results(ROWS)

    def test_errors(self):
        self.errors(ERRORS)


if __name__ == "__main__":
    unittest.main()
