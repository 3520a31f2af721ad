# RUN: %python %s
"""Loops that are split at their borders: every place of the borders, also beyond the ends."""
import itertools

import numpy as np

from loops import Compiled

PREDICATES = {"eq": np.equal, "ne": np.not_equal, "slt": np.less, "sle": np.less_equal, "sgt": np.greater, "sge": np.greater_equal,
              "ult": lambda x, y: x.astype("uint64") < np.asarray(y).astype("uint64"), "ule": lambda x, y: x.astype("uint64") <= np.asarray(y).astype("uint64"),
              "ugt": lambda x, y: x.astype("uint64") > np.asarray(y).astype("uint64"), "uge": lambda x, y: x.astype("uint64") >= np.asarray(y).astype("uint64")}


def function(name, predicate, swapped):
    """out[i, j] = 100 + j where (j - p) ? q, and where i == r (as two nested questions)."""
    operands = "%q, %d" if swapped else "%d, %q"
    return f"""
func.func @{name}(%p64: i64, %q64: i64, %r64: i64, %n64: i64, %m64: i64) -> memref<?x?xi64> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %hundred = arith.constant 100 : i64
  %p = arith.index_cast %p64 : i64 to index
  %q = arith.index_cast %q64 : i64 to index
  %row = arith.index_cast %r64 : i64 to index
  %n = arith.index_cast %n64 : i64 to index
  %m = arith.index_cast %m64 : i64 to index
  %out = np.alloc(%n, %m) : memref<?x?xi64>
  np.kernel (%i, %j) = (%n, %m) {{
    %d = arith.subi %j, %p : index
    %c = arith.cmpi {predicate}, {operands} : index
    %v = arith.index_cast %j : index to i64
    %x = scf.if %c -> (i64) {{
      %t = arith.addi %v, %hundred : i64
      scf.yield %t : i64
    }} else {{
      %e = arith.cmpi eq, %i, %row : index
      %s = scf.if %e -> (i64) {{
        scf.yield %hundred : i64
      }} else {{
        scf.yield %v : i64
      }}
      scf.yield %s : i64
    }}
    memref.store %x, %out[%i, %j] : memref<?x?xi64>
  }}
  return %out : memref<?x?xi64>
}}"""


cases = list(itertools.product(PREDICATES, [False, True]))
compiled = Compiled("\n".join(function(f"{predicate}_{swapped}", predicate, swapped) for predicate, swapped in cases))
for predicate, swapped in cases:
    for p, q, row, (n, m) in itertools.product([0, 1, 5, 22, 40, -3], [0, 1, 4, 23, 30], [0, 2, 9], [(3, 23), (1, 1), (4, 0), (300, 70)]):
        i, j = np.mgrid[:n, :m]
        d = j - p
        with np.errstate(all="ignore"):
            question = PREDICATES[predicate](np.full_like(d, q), d.astype("uint64")) if swapped and predicate[0] == "u" else \
                PREDICATES[predicate](np.full_like(d, q), d) if swapped else PREDICATES[predicate](d, q)
        expected = np.where(question, j + 100, np.where(i == row, 100, j))
        np.testing.assert_array_equal(compiled(f"{predicate}_{swapped}", p, q, row, n, m), expected, err_msg=f"{predicate} {swapped} {p} {q} {row} {n} {m}")
print("ok")
