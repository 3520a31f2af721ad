# RUN: %python %s
"""Host code: control flow, buffers, checks, print, products; errors inside kernels; memory after errors."""
import ctypes

import numpy as np

from loops import Compiled, Failure, runtime

IDS = {"IndexError": 1, "ValueError": 2, "ZeroDivisionError": 5}
compiled = Compiled("""
// A time loop with two buffers that change places, in place of the caller's.
func.func @heat(%u: memref<?x?xf64>, %steps: i64) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %quarter = arith.constant 0.25 : f64
  %n = memref.dim %u, %c0 : memref<?x?xf64>
  %m = memref.dim %u, %c1 : memref<?x?xf64>
  %a = np.alloc(%n, %m) : memref<?x?xf64>
  %b = np.alloc(%n, %m) : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %x = memref.load %u[%i, %j] : memref<?x?xf64>
    memref.store %x, %a[%i, %j] : memref<?x?xf64>
    memref.store %x, %b[%i, %j] : memref<?x?xf64>
  }
  %inner_n = arith.subi %n, %c2 : index
  %inner_m = arith.subi %m, %c2 : index
  %end = arith.index_cast %steps : i64 to index
  %r:2 = scf.for %t = %c0 to %end step %c1 iter_args(%old = %a, %new = %b) -> (memref<?x?xf64>, memref<?x?xf64>) {
    np.kernel (%i, %j) = (%inner_n, %inner_m) {
      %i1 = arith.addi %i, %c1 : index
      %i2 = arith.addi %i, %c2 : index
      %j1 = arith.addi %j, %c1 : index
      %j2 = arith.addi %j, %c2 : index
      %north = memref.load %old[%i, %j1] : memref<?x?xf64>
      %south = memref.load %old[%i2, %j1] : memref<?x?xf64>
      %west = memref.load %old[%i1, %j] : memref<?x?xf64>
      %east = memref.load %old[%i1, %j2] : memref<?x?xf64>
      %s0 = arith.addf %north, %south : f64
      %s1 = arith.addf %s0, %west : f64
      %s2 = arith.addf %s1, %east : f64
      %s = arith.mulf %s2, %quarter : f64
      memref.store %s, %new[%i1, %j1] : memref<?x?xf64>
    }
    scf.yield %new, %old : memref<?x?xf64>, memref<?x?xf64>
  }
  np.release %r#1 : memref<?x?xf64>
  return %r#0 : memref<?x?xf64>
}

// Collatz: while and if on scalars.
func.func @collatz(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%x = %n, %count = %zero) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %x, %one : i64
    scf.condition(%more) %x, %count : i64, i64
  } do {
  ^bb0(%x: i64, %count: i64):
    %bit = arith.andi %x, %one : i64
    %odd = arith.cmpi eq, %bit, %one : i64
    %next = scf.if %odd -> i64 {
      %t = arith.muli %x, %three : i64
      %t1 = arith.addi %t, %one : i64
      scf.yield %t1 : i64
    } else {
      %h = arith.divsi %x, %two : i64
      scf.yield %h : i64
    }
    %more = arith.addi %count, %one : i64
    scf.yield %next, %more : i64, i64
  }
  return %r#1 : i64
}

// a[i] on the host, and a gather whose positions are checked in the kernel.
func.func @element(%a: memref<?xf64>, %i: i64) -> f64 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %position = arith.index_cast %i : i64 to index
  %p = np.check_index %position of %n axis 0 loc("script.py":12:5)
  %x = memref.load %a[%p] : memref<?xf64>
  return %x : f64
}
func.func @gather(%a: memref<?xf64>, %i: memref<?xi64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %m = memref.dim %i, %c0 : memref<?xi64>
  %out = np.alloc(%m) : memref<?xf64>
  np.kernel (%k) = (%m) {
    %raw = memref.load %i[%k] : memref<?xi64>
    %position = arith.index_cast %raw : i64 to index
    %p = np.check_index %position of %n axis 0 loc("script.py":15:9)
    %x = memref.load %a[%p] : memref<?xf64>
    memref.store %x, %out[%k] : memref<?xf64>
  }
  return %out : memref<?xf64>
}
func.func @check(%a: memref<?xf64>, %b: memref<?xf64>, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %a, %c0 : memref<?xf64>
  %m = memref.dim %b, %c0 : memref<?xf64>
  %buffer = np.alloc(%n) : memref<?xf64>
  %good = arith.cmpi sge, %k, %zero : i64
  np.assert %good, "ValueError" "negative dimensions {0} {1} are not allowed"(%k, %n) : i64, index loc("script.py":20:1)
  %e = np.broadcast_extent "ufunc" %n, %m shapes [%n, %m] lhs_rank 1 loc("script.py":21:1)
  %f = np.broadcast_extent "store" %m, %n shapes [%m, %n] lhs_rank 1 loc("script.py":22:1)
  np.release %buffer : memref<?xf64>
  %r = arith.index_cast %e : index to i64
  return %r : i64
}
func.func @show(%x: f64, %i: i64, %z: complex<f64>, %b: i1) {
  np.print ["x = ", [0, ".3f"], " ", [1], " ", [2], " ", [3], " ", [0], "\\n"](%x, %i, %z, %b) : f64, i64, complex<f64>, i1
  return
}
func.func @product(%a: memref<?x?xf64>, %b: memref<?x?xf64, strided<[?, ?], offset: ?>>) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  %m = memref.dim %b, %c1 : memref<?x?xf64, strided<[?, ?], offset: ?>>
  %out = np.alloc(%n, %m) : memref<?x?xf64>
  np.call_matmul %a, %b into %out {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64, strided<[?, ?], offset: ?>>, memref<?x?xf64>
  return %out : memref<?x?xf64>
}
""")

rng = np.random.default_rng(5)
for shape, steps in [((3, 3), 1), ((40, 57), 10), ((300, 400), 7)]:
    u = rng.standard_normal(shape)
    old, new = u.copy(), u.copy()
    for _ in range(steps):
        new[1:-1, 1:-1] = (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]) * 0.25
        old, new = new, old
    np.testing.assert_array_equal(compiled("heat", u, steps), old)
assert compiled("collatz", 27) == 111


def failure(*call):
    try:
        compiled(*call)
    except Failure as found:
        return found.error, str(found), found.file, found.line
    raise AssertionError("no error")


a = rng.standard_normal(5)
assert compiled("element", a, -1) == a[-1] and compiled("element", a, 4) == a[4]
assert failure("element", a, 5) == (IDS["IndexError"], "index 5 is out of bounds for axis 0 with size 5", "script.py", 12)
assert failure("element", a, -6) == (IDS["IndexError"], "index -6 is out of bounds for axis 0 with size 5", "script.py", 12)
positions = rng.integers(-5, 5, 100000)
np.testing.assert_array_equal(compiled("gather", a, positions), a[positions])
positions[70000], positions[90000] = 5, -9
assert failure("gather", a, positions) == (IDS["IndexError"], "index 5 is out of bounds for axis 0 with size 5", "script.py", 15)
assert compiled("check", a, a, 1) == 5
assert failure("check", a, a, -3) == (IDS["ValueError"], "negative dimensions -3 5 are not allowed", "script.py", 20)
assert failure("check", a, a[:4].copy(), 1)[1].startswith("operands could not be broadcast together with shapes (5,) (4,)")
assert failure("check", a[:1].copy(), a, 1)[1] == "could not broadcast input array from shape (5,) into shape (1,)"

lines = []
Write = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
write = Write(lambda text, size: lines.append(ctypes.string_at(text, size).decode()))
runtime.npcc_rt_set_print(write)
compiled("show", 1.0625, 7, 1 + 2j, True)
assert "".join(lines) == f"x = {1.0625:.3f} 7 (1+2j) True 1.0625\n", lines

x, y = rng.standard_normal((5, 7)), rng.standard_normal((9, 7))
np.testing.assert_allclose(compiled("product", x, y.T), x @ y.T, rtol=1e-13)
print("ok")
