# RUN: %python %s
"""The bytes that a kernel gets for Python's values, with and without its declaration."""
import ctypes
import struct

import numpy as np

import npcc
from npcc.kernels import parameters


class Array:
    def __init__(self, dtype, address=4096):
        self.__cuda_array_interface__ = dict(shape=(3,), typestr=np.dtype(dtype).str, data=(address, False), strides=None, version=3)


class Address:
    ptr = 12345


def kernel(declaration):
    made = npcc.kernels.raw.Kernel()
    made._setup("k", None, None, False)
    if declaration is not None:
        made._declare(parameters.from_source(f'extern "C" __global__ void k({declaration}) {{}}', "k"))
    return made


def packed(declaration, *values):
    return kernel(declaration)._pack(values)


def one(declaration, value):
    return packed(declaration, value)[0]


# What is declared decides.
for declaration, value, expected in (
        ("float a", 2, struct.pack("f", 2)), ("float a", 2.5, struct.pack("f", 2.5)), ("float a", True, struct.pack("f", 1)), ("double a", 2, struct.pack("d", 2)),
        ("int n", 7, struct.pack("i", 7)), ("int n", -7, struct.pack("i", -7)), ("unsigned n", 2**32 - 1, struct.pack("I", 2**32 - 1)),
        ("short n", np.int64(-5), struct.pack("h", -5)), ("long long n", -1, struct.pack("q", -1)), ("unsigned long long n", 2**64 - 1, b"\xff" * 8),
        ("unsigned char n", np.uint16(200), b"\xc8"), ("char n", True, b"\1"), ("bool b", True, b"\1"), ("bool b", np.bool_(False), b"\0"), ("bool b", 1, b"\1"),
        ("float a", np.float32(1.5), struct.pack("f", 1.5)), ("__half a", np.float16(1.5), np.float16(1.5).tobytes()), ("__half a", 1.5, np.float16(1.5).tobytes()),
        ("complex<float> z", 1 + 2j, struct.pack("2f", 1, 2)), ("complex<double> z", 3, struct.pack("2d", 3, 0)), ("cuFloatComplex z", np.complex64(1j), struct.pack("2f", 0, 1)),
        ("float *x", Array("f4"), struct.pack("Q", 4096)), ("void *x", Array("c16"), struct.pack("Q", 4096)), ("float *x", Array("u1"), struct.pack("Q", 4096)),
        ("unsigned *x", Array("i4"), struct.pack("Q", 4096)), ("float *x", Array("c8"), struct.pack("Q", 4096)), ("float2 *x", Array("c8"), struct.pack("Q", 4096)),
        ("char *x", Array("f8"), struct.pack("Q", 4096)), ("unsigned short *x", Array("f2"), struct.pack("Q", 4096)), ("float *x", None, bytes(8)),
        ("float *x", 4096, struct.pack("Q", 4096)), ("float *x", Address(), struct.pack("Q", 12345)), ("Settings s", b"abcdefg", b"abcdefg"),
        ("Settings s", np.void(b"12345678"), b"12345678"), ("Settings s", (ctypes.c_int * 2)(1, 2), struct.pack("2i", 1, 2))):
    got = one(declaration, value)
    assert got == expected, (declaration, value, got, expected)
for value in (0.1, -1 / 3, 1e-7, 65519.0, 65520.0, 1e30, 0.0, -0.0, 6e-8, 2049.0, 3):
    with np.errstate(over="ignore"):
        assert one("__half a", value) == np.float16(value).tobytes(), value
record = np.zeros((), np.dtype([("a", "i4"), ("b", "f8")], align=True))
record["a"], record["b"] = 3, 1.5
assert one("Settings s", record[()]) == record.tobytes()

# Without a declaration: NumPy's scalars as they are, Python's int, float, complex and bool as int64, float64, complex128 and bool.
for value in (np.float32(1.5), np.int8(-3), np.uint64(2**63), np.complex64(1j), np.float16(2), np.bool_(True)):
    assert one(None, value) == value.tobytes(), value
for value, expected in ((7, struct.pack("q", 7)), (1.5, struct.pack("d", 1.5)), (2j, struct.pack("2d", 0, 2)), (True, b"\1"), (2**63, struct.pack("Q", 2**63)),
                        (Array("f8"), struct.pack("Q", 4096)), (None, bytes(8)), (np.void(b"abc"), b"abc")):
    assert one(None, value) == expected, value
assert packed("int a, float *b, double c", 1, Array("f4"), 2) == (struct.pack("i", 1), struct.pack("Q", 4096), struct.pack("d", 2))
assert packed("") == ()

# What does not fit is refused.
for declaration, value, error, text in (
        ("float a", np.float64(1), TypeError, "kernel 'k': argument 1 (float a) is np.float64(1.0) of type <class 'numpy.float64'>"),
        ("double a", np.float32(1), TypeError, "argument 1 (double a)"), ("int n", 1.0, TypeError, "argument 1 (int n) is 1.0 of type <class 'float'>"),
        ("float a", 1j, TypeError, "argument 1 (float a) is 1j"), ("double a", np.int32(1), TypeError, "argument 1 (double a)"),
        ("int n", 2**31, OverflowError, "argument 1 (int n) cannot hold 2147483648"), ("unsigned n", -1, OverflowError, "cannot hold -1"),
        ("int n", np.int64(2**40), OverflowError, "cannot hold np.int64(1099511627776)"), ("bool b", 2, OverflowError, "cannot hold 2"),
        ("long long n", 2**63, OverflowError, "cannot hold 9223372036854775808"), ("unsigned long long n", 2**64, OverflowError, "has more than 64 bits"),
        ("bool b", 1.0, TypeError, "argument 1 (bool b)"), ("float *x", Array("f8"), TypeError, "argument 1 (float *x) is an array of float64"),
        ("float *x", Array("i4"), TypeError, "argument 1 (float *x) is an array of int32"), ("double *x", Array("i8"), TypeError, "is an array of int64"),
        ("float *x", 1.0, TypeError, "argument 1 (float *x) is 1.0"), ("int n", Array("i4"), TypeError, "argument 1 (int n) is an array of int32"),
        ("float *x", np.ones(3, np.float32), TypeError, "argument 1 is a NumPy array, which is in the host's memory"), ("int n", "3", TypeError, "has the type <class 'str'>"),
        ("int n", [3], TypeError, "has the type <class 'list'>"), ("int n", None, TypeError, "argument 1 (int n) is None"),
        ("float *x", b"abc", TypeError, "argument 1 (float *x)"), ("int a, int b", 1, TypeError, "kernel 'k' has 2 parameters, 1 arguments were given")):
    try:
        got = one(declaration, value)
    except error as caught:
        assert text in str(caught) and "kernel 'k'" in str(caught), (text, str(caught))
    else:
        raise AssertionError((declaration, value, got))
