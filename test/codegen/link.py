# RUN: %python %s %t.so
"""The same code ahead of time: a library that needs libnpcc_rt.so only, called from C; its header compiles."""
import ctypes
import shutil
import subprocess
import sys

import numpy as np

from loops import Array, Complex, Compiled, describe, runtime, to_numpy
from text import elementwise

compiled = Compiled(elementwise("scale", "float64", 2, "%r = math.exp %x0 : f64") + """
func.func @mix(%a: i1, %b: i8, %c: i16 {test.unsigned}, %d: f32, %e: complex<f64>, %f: i64) -> (f64, complex<f64>, i1, i8) {
  %true = arith.constant true
  %not = arith.xori %a, %true : i1
  %b1 = arith.sitofp %b : i8 to f64
  %c1 = arith.uitofp %c : i16 to f64
  %d1 = arith.extf %d : f32 to f64
  %f1 = arith.sitofp %f : i64 to f64
  %0 = arith.addf %b1, %c1 : f64
  %1 = arith.addf %0, %d1 : f64
  %2 = arith.addf %1, %f1 : f64
  %z = complex.mul %e, %e : complex<f64>
  return %2, %z, %not, %b : f64, complex<f64>, i1, i8
}
func.func @fail(%k: i64) {
  %zero = arith.constant 0 : i64
  %good = arith.cmpi sge, %k, %zero : i64
  np.assert %good, "ValueError" "{0} is negative"(%k) : i64
  return
}
""")
path = sys.argv[1]
header = compiled.link(path)
assert "int32_t scale(const npcc_array *arg0, npcc_array *result);" in header, header
assert "int32_t mix(bool arg0, int8_t arg1, uint16_t arg2, float arg3, const npcc_complex *arg4, int64_t arg5, double *result0, npcc_complex *result1, bool *result2, int8_t *result3);" in header, header
assert "int32_t fail(int64_t arg0);" in header, header

library = ctypes.CDLL(path)
a = np.random.default_rng(1).standard_normal((300, 50))
given, result = describe(a), Array()
assert library.scale(ctypes.byref(given), ctypes.byref(result)) == 0
np.testing.assert_array_equal(to_numpy(result), compiled("scale", a))
runtime.npcc_rt_release(result.base)

real, product, inverse, same = ctypes.c_double(), Complex(), ctypes.c_bool(), ctypes.c_int8()
library.mix(ctypes.c_bool(True), ctypes.c_int8(-3), ctypes.c_uint16(65535), ctypes.c_float(0.5), ctypes.byref(Complex(1, 2)), ctypes.c_int64(-(1 << 40)),
            ctypes.byref(real), ctypes.byref(product), ctypes.byref(inverse), ctypes.byref(same))
assert (real.value, product.re, product.im, inverse.value, same.value) == (-3 + 65535 + 0.5 - (1 << 40), -3, 4, False, -3)

runtime.npcc_rt_last_error.restype = ctypes.c_char_p
assert library.fail(ctypes.c_int64(1)) == 0 and library.fail(ctypes.c_int64(-7)) == 2
assert runtime.npcc_rt_last_error() == b"-7 is negative"

if shutil.which("readelf"):
    dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
    assert [line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "NEEDED" in line] == ["libnpcc_rt.so"], dynamic
    symbols = subprocess.run(["readelf", "-W", "--dyn-syms", path], capture_output=True, text=True).stdout
    defined = sorted(line.split()[7] for line in symbols.splitlines()[4:] if len(line.split()) > 7 and line.split()[6] != "UND")
    assert defined == ["fail", "mix", "scale"], defined
try:
    compiled.link("/nowhere/there.so")
except RuntimeError as error:
    assert "/nowhere/there.so" in str(error)
else:
    raise AssertionError("linked into a folder that is not there")
print("ok")
