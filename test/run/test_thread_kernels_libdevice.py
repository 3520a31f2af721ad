"""Thread-level kernels: the functions of libdevice."""
import math
import unittest

import numpy as np

from npcc import _npcc, cuda
from npcc.cuda import libdevice
from kernels_of_threads import Kernels, kernel, on_real_gpu


def launched(function, *arguments, results=1, dtype=np.float64):
    """What libdevice's function gives for each element of the arguments."""
    name = libdevice.__dict__[function]
    out = np.zeros((results, arguments[0].size), dtype)
    if results == 1 and len(arguments) == 1:
        @kernel
        def run(out, x):
            i = cuda.grid(1)
            if i < x.size:
                out[0, i] = name(x[i])
    elif results == 1 and len(arguments) == 2:
        @kernel
        def run(out, x, y):
            i = cuda.grid(1)
            if i < x.size:
                out[0, i] = name(x[i], y[i])
    elif results == 1:
        @kernel
        def run(out, x, y, z):
            i = cuda.grid(1)
            if i < x.size:
                out[0, i] = name(x[i], y[i], z[i])
    else:
        @kernel
        def run(out, x):
            i = cuda.grid(1)
            if i < x.size:
                a, b = name(x[i])
                out[0, i] = a
                out[1, i] = b
    run[2, 64](out, *arguments)
    return out[0] if results == 1 else out


class Libdevice(Kernels):
    X = np.linspace(0.1, 0.9, 17)

    def test_functions_of_numpy(self):
        rows = {"sin": np.sin, "cos": np.cos, "exp": np.exp, "log1p": np.log1p, "cbrt": np.cbrt, "acos": np.arccos, "atanh": np.arctanh, "rint": np.rint,
                "tanh": np.tanh, "exp2": np.exp2, "floor": np.floor}
        for name, expected in rows.items():
            with self.subTest(name):
                np.testing.assert_allclose(launched(name, self.X), expected(self.X), rtol=1e-14)
                if name + "f" in libdevice.__all__:
                    narrow = self.X.astype(np.float32)
                    np.testing.assert_allclose(launched(name + "f", narrow, dtype=np.float32), expected(narrow), rtol=3e-6)

    def test_special_functions(self):
        erfc = np.vectorize(math.erfc)
        np.testing.assert_allclose(erfc(launched("erfcinv", self.X)), self.X, rtol=1e-13)
        np.testing.assert_allclose(np.vectorize(math.erf)(launched("erfinv", self.X)), self.X, rtol=1e-13)
        np.testing.assert_allclose(launched("erfcx", self.X), np.exp(self.X**2) * erfc(self.X), rtol=1e-13)
        np.testing.assert_allclose(launched("erfcx", np.array([1e3])), 1 / (1e3 * math.sqrt(math.pi)), rtol=1e-6)
        np.testing.assert_allclose(launched("normcdf", launched("normcdfinv", self.X)), self.X, rtol=1e-13)
        np.testing.assert_allclose(launched("erfcinv", np.array([1e-200, 1e-20, 1.5])), [21.37478304902626, 6.6015806, -0.47693628], rtol=1e-6)
        np.testing.assert_allclose(launched("j0", np.array([1.0, 2.404825557695773])), [0.7651976865579666, 0], atol=1e-15)
        np.testing.assert_allclose(launched("tgamma", np.array([5.0])), 24)
        np.testing.assert_array_equal(launched("sinpi", np.array([1.0, 0.5, -1.5, 1e15])), [0, 1, 1, 0])
        np.testing.assert_array_equal(launched("cospi", np.array([1.0, 0.5, -1.5, 1e15])), [-1, 0, 0, 1])

    def test_several_results(self):
        x = np.linspace(1, 10, 30)
        fractions, exponents = launched("frexp", x, results=2)
        np.testing.assert_array_equal(fractions, np.frexp(x)[0])
        np.testing.assert_array_equal(exponents, np.frexp(x)[1])
        np.testing.assert_allclose(launched("sincos", x, results=2), [np.sin(x), np.cos(x)], rtol=1e-14)
        np.testing.assert_array_equal(launched("modf", x, results=2), np.modf(x))

    @on_real_gpu("directions of rounding")
    def test_directions_of_rounding(self):
        one, third = np.array([1.0]), np.array([3.0])
        down, nearest, up, zero = (launched(f"ddiv_{way}", one, third)[0] for way in ("rd", "rn", "ru", "rz"))
        self.assertEqual((down, nearest, up, zero), (1 / 3, 1 / 3, np.nextafter(1 / 3, 1), 1 / 3))
        self.assertEqual(launched("ddiv_rz", -one, third)[0], -1 / 3)
        self.assertEqual(launched("ddiv_rd", -one, third)[0], np.nextafter(-1 / 3, -1))
        large = np.array([2**24 + 1], np.int32)
        self.assertEqual([launched(f"int2float_{way}", large)[0] for way in ("rd", "ru", "rn")], [2**24, 2**24 + 2, 2**24])
        halves = np.array([2.5, -2.5, 1e20, np.nan])
        expected = {"rd": [2, -3], "rn": [2, -2], "ru": [3, -2], "rz": [2, -2]}
        for way, whole in expected.items():
            with self.subTest(way):
                np.testing.assert_array_equal(launched(f"double2int_{way}", halves, dtype=np.int64), [*whole, 2**31 - 1, -2**31])

    @on_real_gpu("integer instructions of that kind")
    def test_integers(self):
        x, y = np.array([-5, 7, 2**31 - 1, -2**31], np.int32), np.array([3, -9, 2, -1], np.int32)
        wide = x.astype(np.int64), y.astype(np.int64)
        rows = {"mulhi": wide[0] * wide[1] >> 32, "hadd": (wide[0] + wide[1]) >> 1, "rhadd": (wide[0] + wide[1] + 1) >> 1,
                "max": np.maximum(x, y), "umin": np.minimum(x.view(np.uint32), y.view(np.uint32)).view(np.int32)}
        for name, expected in rows.items():
            with self.subTest(name):
                np.testing.assert_array_equal(launched(name, x, y, dtype=np.int64), expected)
        np.testing.assert_array_equal(launched("sad", x, y, np.array([1, 2, 0, 0], np.int32), dtype=np.int64)[:2], [9, 18])
        np.testing.assert_array_equal(launched("popc", x, dtype=np.int32), [31, 3, 31, 1])
        np.testing.assert_array_equal(launched("ffs", x, dtype=np.int32), [1, 1, 1, 32])
        np.testing.assert_array_equal(launched("brev", np.array([1, 2], np.int32), dtype=np.int64), [-2**31, 2**30])
        bytes_of = np.array([0x33221100], np.int32), np.array([0x77665544], np.int32), np.array([0x7210], np.int32)
        self.assertEqual(launched("byte_perm", *bytes_of, dtype=np.int64)[0], 0x77221100)
        self.assertEqual(launched("mul64hi", np.array([2**62]), np.array([8]), dtype=np.int64)[0], 2)
        self.assertEqual(launched("double_as_longlong", np.array([1.0]), dtype=np.int64)[0], np.array([1.0]).view(np.int64)[0])

    def test_numbers_become_what_is_declared(self):
        x = np.arange(5)  # int64, where sqrt takes a double
        np.testing.assert_array_equal(launched("sqrt", x), np.sqrt(x))

    def test_every_function_compiles(self):
        """All rows, for the CPU: each has what the host computes."""
        self.assertEqual(len(libdevice.__all__), 317)
        self.assertEqual(libdevice.__all__, _npcc.libdevice_functions())

    def test_wrong_number_of_arguments(self):
        @kernel
        def wrong(x):
            x[0] = libdevice.atan2(x[0])

        with self.assertRaisesRegex(SyntaxError, r"TypeError: libdevice.atan2\(\) takes 2 arguments but 1 were given"):
            wrong[1, 1](np.ones(1))


if __name__ == "__main__":
    unittest.main()
