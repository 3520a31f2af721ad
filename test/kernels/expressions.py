# REQUIRES: nvrtc
# RUN: %python %s
"""The CUDA C++ that ElementwiseKernel and ReductionKernel write compiles for every dtype and layout."""
import numpy as np

import npcc
from npcc.kernels import expressions, images

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128")


def compiles(source):
    return images.Source(source, ("-arch=sm_90", "-std=c++17")).image().kernels


add = npcc.ElementwiseKernel("T x, raw T y, T scalar, raw float32 z", "T out, U other", "out = x + y[i]; other = y.size() + z.shape()[0]", "half")
for name in DTYPES:
    types = {"T": np.dtype(name), "U": np.dtype(np.int64)}
    straight = name in ("float32", "float16", "int64")
    forms = [("element",), ("raw", 2, straight), ("number",), ("raw", 1, True), ("element",), ("element",)]
    assert compiles(add.source(types, forms, 1 if straight else 3, straight)) == ["npcc_half"], name
reduction = npcc.ReductionKernel("T x, raw U y", "T out", "x * y[_j]" , "a + b", "out = a", "0", "my sum", preamble="// a comment")
for name in ("int32", "float32", "complex64"):
    types = {"T": np.dtype(name), "U": np.dtype(name)}
    assert sorted(compiles(reduction.source(types, [("element",), ("raw", 1, False), ("element",)], 1, 2))) == ["npcc_my_sum", "npcc_my_sum_finish"]

# Shapes and strides.
assert expressions.collapse((2, 3, 4), [(96, 32, 8), (96, 32, 8)]) == ((24,), [(8,), (8,)])
assert expressions.collapse((2, 3, 4), [(96, 32, 8), (0, 32, 8)]) == ((2, 12), [(96, 8), (0, 8)])
assert expressions.collapse((1, 5, 1), [(0, 8, 0)]) == ((5,), [(8,)])
assert expressions.collapse((), [()]) == ((), [()])
assert len(expressions.layout_bytes(3, (), ())) == 24 and len(expressions.layout_bytes(3, (3, 4), (8, 8))) == 40

# Declarations.
for text, error in (("T x y", "is no parameter"), ("T", "is no parameter"), ("wide x", "is no type"), ("T i", "cannot be called 'i'"), ("T _x", "cannot be called '_x'"),
                    ("float128 x", "is no type"), ("object x", "is no type")):
    try:
        npcc.ElementwiseKernel(text, "T y", "", "k")
    except (ValueError, TypeError) as caught:
        assert error in str(caught) and "kernel 'k'" in str(caught), str(caught)
    else:
        raise AssertionError(text)
try:
    npcc.ElementwiseKernel("T x", "T x", "", "k")
except ValueError as caught:
    assert "two parameters have the same name" in str(caught)
else:
    raise AssertionError("accepted")
