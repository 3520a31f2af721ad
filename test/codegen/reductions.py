# RUN: %python %s
"""Reductions of every dtype over rows, columns, several axes and everything, against NumPy."""
import itertools

import numpy as np

from loops import Compiled
from text import reduction

rng = np.random.default_rng(7)
SHAPES = [(0, 5, 3), (5, 0, 3), (5, 3, 0), (1, 1, 1), (2, 3, 5), (7, 33, 17), (3, 5, 700), (40, 700, 3), (2, 2, 40000), (300, 9, 41), (2, 300, 333), (70000, 3, 2)]
AXES = [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)]


def values(shape, dtype):
    if dtype.startswith(("int", "uint")):
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    found = rng.standard_normal(shape)
    if dtype.startswith("complex"):
        found = found + 1j * rng.standard_normal(shape)
    return found.astype(dtype)


def check_sum(compiled, dtype, axes, a):
    got = compiled(f"sum_{dtype}_{''.join(map(str, axes))}", a)
    if dtype.startswith(("int", "uint")):
        np.testing.assert_array_equal(got, a.sum(axes, dtype=dtype))
        return
    wide = "complex256" if dtype.startswith("complex") else "longdouble"
    exact = a.astype(wide).sum(axes)
    scale = np.abs(a).astype("longdouble").sum(axes)
    # The bound of NumPy's pairwise sum: log2(n / 8) + 16 roundings, of the magnitudes; plus the rounding to the dtype.
    epsilon = np.finfo("float32" if dtype == "float16" else dtype).eps
    count = max(int(np.prod([a.shape[k] for k in axes])), 1)
    bound = scale * epsilon * (np.log2(count + 1) + 17) + (np.abs(exact) * np.finfo("float16").eps if dtype == "float16" else 0)
    assert got.shape == exact.shape and got.dtype == a.dtype
    assert np.all(np.abs(got - exact) <= bound), (dtype, axes, a.shape)


for dtype in ["int8", "uint16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"]:
    add = "complex.add" if dtype.startswith("complex") else "arith.addf" if dtype.startswith("float") else "arith.addi"
    compiled = Compiled("\n".join(reduction(f"sum_{dtype}_{''.join(map(str, axes))}", dtype, 3, axes, add, 0) for axes in AXES))
    for shape, axes in itertools.product(SHAPES, AXES):
        check_sum(compiled, dtype, axes, values(shape, dtype))

# Extrema: NaN wins, wherever it stands; integers by their sign.
for dtype, op, neutral, function in [("float64", "arith.maximumf", "0xFFF0000000000000", np.max), ("float32", "arith.minimumf", "0x7F800000", np.min),
                                     ("int16", "arith.maxsi", -32768, np.max), ("uint8", "arith.minui", -1, np.min)]:
    text = "\n".join(reduction(f"f_{''.join(map(str, axes))}", dtype, 3, axes, op, 12345 % 100) for axes in AXES).replace(
        "arith.constant 45.0 :", f"arith.constant {neutral} :").replace("arith.constant 45 :", f"arith.constant {neutral} :")
    compiled = Compiled(text)
    for shape, axes in itertools.product([shape for shape in SHAPES if 0 not in shape], AXES):
        a = values(shape, dtype)
        np.testing.assert_array_equal(compiled(f"f_{''.join(map(str, axes))}", a), function(a, axes))
        if dtype.startswith("float"):
            a.flat[rng.integers(a.size, size=1 + a.size // 50)] = np.nan
            np.testing.assert_array_equal(compiled(f"f_{''.join(map(str, axes))}", a), function(a, axes))

# Strided views, also backwards.
compiled = Compiled("\n".join(reduction(f"s_{''.join(map(str, axes))}", "float64", 3, axes, "arith.addf", 0, strided=True) for axes in AXES))
base = values((20, 44, 36), "float64")
for view, axes in itertools.product([base[::2, ::-1, 1:], base.T, base[3:1:-1, :, ::-3], base[:, :1], np.broadcast_to(base[0], base.shape)], AXES):
    np.testing.assert_allclose(compiled(f"s_{''.join(map(str, axes))}", view), view.sum(axes), rtol=1e-10, atol=1e-12)

# Whatever the number of threads: the same bits.
a = values((37, 41, 1000), "float64")
compiled = Compiled("\n".join(reduction(f"s_{''.join(map(str, axes))}", "float64", 3, axes, "arith.addf", 0) for axes in AXES))
for axes in AXES:
    first = compiled(f"s_{''.join(map(str, axes))}", a)
    for _ in range(3):
        np.testing.assert_array_equal(compiled(f"s_{''.join(map(str, axes))}", a), first)
print("ok")
