# RUN: %python %s
"""Elementwise kernels: ranks, strides, extents, dtypes; and that an element does not depend on where it stands."""
import numpy as np

from loops import Compiled
from text import elementwise

rng = np.random.default_rng(3)

# exp(x0) * x1 over ranks 0 to 4: empty, tiny, one long row, many short rows.
body = "%e = math.exp %x0 : f64\n %r = arith.mulf %e, %x1 : f64"
compiled = Compiled("\n".join(elementwise(f"f{rank}", "float64", rank, body, inputs=2) for rank in range(5)))
for shape in [(), (0,), (1,), (7,), (100001,), (0, 3), (3, 0), (2, 100000), (100000, 2), (37, 41), (5, 6, 7), (300, 7, 50), (0, 4, 4, 4), (3, 4, 5, 600)]:
    a, b = rng.standard_normal(shape), rng.standard_normal(shape)
    np.testing.assert_allclose(compiled(f"f{len(shape)}", a, b), np.exp(a) * b, rtol=1e-14)

# Strides of any sign, not to be merged.
compiled = Compiled("\n".join(elementwise(f"f{rank}", "float64", rank, body, inputs=2, strided=True) for rank in range(1, 4)))
base = rng.standard_normal((60, 70, 80))
for view in [base[::2, 3:, ::-1], base.T, base[:, ::-5, 7], base[3, :, ::2], base[::-1, 0, 0], np.broadcast_to(base[0], base.shape), base[:0], base[5:6, :, ::40]]:
    np.testing.assert_allclose(compiled(f"f{view.ndim}", view, view), np.exp(view) * view, rtol=1e-14)

# Transcendental functions: the same bits at any place, in any chunk.
functions = ["exp", "sin", "tanh", "log1p", "erf", "cbrt", "expm1"]
compiled = Compiled("\n".join(elementwise(f"{name}_{dtype}", dtype, 1, f"%r = math.{name} %x0 : {'f64' if dtype == 'float64' else 'f32'}")
                              for name in functions for dtype in ["float64", "float32"]))
for name in functions:
    for dtype in ["float64", "float32"]:
        a = (np.abs(rng.standard_normal(50003)) * 3).astype(dtype)
        whole = compiled(f"{name}_{dtype}", a)
        for k in [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 50001, 50002]:
            np.testing.assert_array_equal(compiled(f"{name}_{dtype}", a[k:k + 1].copy())[0], whole[k])
        np.testing.assert_array_equal(compiled(f"{name}_{dtype}", a[11:31000].copy()), whole[11:31000])

# Every dtype, with NumPy's wrapping of integers.
for dtype, ty, add in [("int8", "i8", "addi"), ("uint8", "i8", "addi"), ("int16", "i16", "addi"), ("int32", "i32", "addi"), ("int64", "i64", "addi"),
                       ("float16", "f16", "addf"), ("float32", "f32", "addf"), ("float64", "f64", "addf")]:
    compiled = Compiled(elementwise("f", dtype, 2, f"%t = arith.{add.replace('add', 'mul')} %x0, %x1 : {ty}\n %r = arith.{add} %t, %x0 : {ty}", inputs=2))
    if dtype.startswith("float"):
        a, b = rng.standard_normal((37, 203)).astype(dtype), rng.standard_normal((37, 203)).astype(dtype)
    else:
        info = np.iinfo(dtype)
        a, b = (rng.integers(info.min, info.max, (37, 203), dtype, endpoint=True) for _ in range(2))
    got = compiled("f", a, b)
    assert got.dtype == a.dtype
    np.testing.assert_array_equal(got, a * b + a)  # no contraction either

# f64 -> f16 rounds once: ties, what is just beside them, overflow, subnormal numbers, NaN.
compiled = Compiled(elementwise("f", "float64", 1, "%r = arith.truncf %x0 : f64 to f16", out="float16"))
halves = np.arange(0x7C00, dtype="uint16").view("float16").astype("float64")
ties = (halves[1:] + halves[:-1]) / 2
a = np.concatenate([halves, ties, np.nextafter(ties, 0), np.nextafter(ties, np.inf), ties * (1 + 1e-9), ties * (1 - 1e-9), rng.standard_normal(10000) * 1e-4,
                    [65504, 65519.99, 65520, 1e5, 1e300, 1e-300, 5e-324, np.inf, np.nan]])
with np.errstate(all="ignore"):
    for values in (a, -a):
        np.testing.assert_array_equal(compiled("f", values), values.astype("float16"))

for dtype, ty in [("complex64", "complex<f32>"), ("complex128", "complex<f64>")]:
    compiled = Compiled("\n".join([
        elementwise("arithmetic", dtype, 1, f"%t = complex.mul %x0, %x1 : {ty}\n %r = complex.div %t, %x0 : {ty}", inputs=2),
        elementwise("exp", dtype, 1, f"%r = complex.exp %x0 : {ty}"),
        elementwise("sqrt", dtype, 1, f"%r = complex.sqrt %x0 : {ty}"),
        elementwise("abs", dtype, 1, f"%r = complex.abs %x0 : {ty}", out="float32" if dtype == "complex64" else "float64"),
        elementwise("div", dtype, 1, f"%r = complex.div %x0, %x1 : {ty}", inputs=2)]))
    a, b = ((rng.standard_normal(1001) + 1j * rng.standard_normal(1001)).astype(dtype) for _ in range(2))
    tolerance = 3e-6 if dtype == "complex64" else 1e-14
    np.testing.assert_allclose(compiled("arithmetic", a, b), a * b / a, rtol=tolerance)
    np.testing.assert_allclose(compiled("exp", a), np.exp(a), rtol=tolerance)
    np.testing.assert_allclose(compiled("sqrt", a), np.sqrt(a), rtol=tolerance)
    np.testing.assert_allclose(compiled("abs", a), np.abs(a), rtol=tolerance)
    np.testing.assert_array_equal(compiled("div", a, b), a / b)
    with np.errstate(all="ignore"):
        special = np.array([complex(x, y) for x in (0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 1e300) for y in (0.0, -0.0, 2.0, np.inf, np.nan)]).astype(dtype)
    x, y = (m.ravel().copy() for m in np.meshgrid(special, special))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(compiled("div", x, y), x / y)
        np.testing.assert_array_equal(compiled("abs", special), np.abs(special))
# Transpositions, in tiles.
compiled = Compiled("""
func.func @f(%a: memref<?x?x?xf64>, %b: memref<?x?x?xf64>) -> memref<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %b, %c0 : memref<?x?x?xf64>
  %m = memref.dim %b, %c1 : memref<?x?x?xf64>
  %k = memref.dim %b, %c2 : memref<?x?x?xf64>
  %out = np.alloc(%n, %m, %k) : memref<?x?x?xf64>
  np.kernel (%i, %j, %l) = (%n, %m, %k) {
    %x = memref.load %a[%j, %l, %i] : memref<?x?x?xf64>
    %y = memref.load %b[%i, %j, %l] : memref<?x?x?xf64>
    %r = arith.addf %x, %y : f64
    memref.store %r, %out[%i, %j, %l] : memref<?x?x?xf64>
  }
  return %out : memref<?x?x?xf64>
}""")
for shape in [(1, 1, 1), (0, 3, 4), (3, 0, 4), (3, 4, 0), (33, 2, 65), (32, 3, 32), (100, 7, 31), (5, 40, 300)]:
    a, b = rng.standard_normal((shape[1], shape[2], shape[0])), rng.standard_normal(shape)
    np.testing.assert_array_equal(compiled("f", a, b), a.transpose(2, 0, 1) + b)
print("ok")
