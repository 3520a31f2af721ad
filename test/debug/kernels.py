# RUN: %python %s
"""Kernels with faults, as a compiler's mistake would make them: what target="debug" says of each, and that it says nothing of good ones."""
import os

import numpy as np

from loops import Compiled, Failure

INDEX_ERROR, RUNTIME_ERROR = 1, 7
compiled = Compiled("""
// Two iterations write one element.
func.func @write_write(%a: memref<?xf64>, %n: index) {
  %c2 = arith.constant 2 : index
  %x = arith.constant 1.0 : f64
  np.kernel (%i) = (%n) {
    %half = arith.divui %i, %c2 : index
    memref.store %x, %a[%half] : memref<?xf64> loc("own.py":3:5)
  }
  return
}

// One writes what its neighbour reads.
func.func @write_read(%a: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  %inner = arith.subi %n, %c1 : index
  np.kernel (%i) = (%inner) {
    %next = arith.addi %i, %c1 : index
    %x = memref.load %a[%next] : memref<?xf64> loc("own.py":7:9)
    memref.store %x, %a[%i] : memref<?xf64> loc("own.py":8:5)
  }
  return
}

// Every iteration reads one element, and one of them, which has read it itself, writes it.
func.func @read_by_all(%a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%c0] : memref<?xf64>
    %is = arith.cmpi eq, %i, %c0 : index
    scf.if %is {
      memref.store %x, %a[%c0] : memref<?xf64> loc("own.py":12:5)
    }
  }
  return
}

// The parallel loop inside of a kernel is a space of its own: its iterations meet in a[i].
func.func @inner(%a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  np.kernel (%i) = (%n) {
    scf.parallel (%k) = (%c0) to (%n) step (%c1) {
      memref.store %x, %a[%i] : memref<?xf64> loc("own.py":20:5)
      scf.reduce
    }
  }
  return
}

// A position of a fold reads what another one has stored.
func.func @fold(%a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel scan (%i) = (%c1) {
    %s = np.fold any neutral %n init(%zero) {
    ^bb0(%k: index):
      %x = memref.load %a[%c0] : memref<?xf64> loc("own.py":30:5)
      np.yield %x : f64
    } combine {
    ^bb0(%total: f64, %x: f64):
      %next = arith.addf %total, %x : f64
      np.yield %next : f64
    } each {
    ^bb0(%k: index, %total: f64):
      memref.store %total, %a[%k] : memref<?xf64>
      np.yield
    } : f64
  }
  return
}

func.func @outside(%a: memref<?x?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  np.kernel (%i) = (%n) {
    %next = arith.addi %i, %c1 : index
    memref.store %x, %a[%i, %next] : memref<?x?xf64> loc("own.py":40:5)
  }
  return
}

// The element at 0 is written by nobody.
func.func @unwritten(%n: index) -> memref<?xf64> {
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  %a = np.alloc(%n) : memref<?xf64>
  %b = np.alloc(%n) : memref<?xf64>
  %inner = arith.subi %n, %c1 : index
  np.kernel (%i) = (%inner) {
    %next = arith.addi %i, %c1 : index
    memref.store %x, %a[%next] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %y = memref.load %a[%i] : memref<?xf64>
    %z = arith.addf %y, %x : f64 loc("own.py":50:5)
    memref.store %z, %b[%i] : memref<?xf64>
  }
  np.release %a : memref<?xf64>
  return %b : memref<?xf64>
}

func.func @released(%n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f64
  %a = np.alloc(%n) : memref<?xf64>
  memref.store %x, %a[%c0] : memref<?xf64>
  np.release %a : memref<?xf64>
  %y = memref.load %a[%c0] : memref<?xf64> loc("own.py":60:5)
  return %y : f64
}

// Updates may meet; what one iteration does twice, and what kernels do one after the other, is nobody's race.
func.func @good(%bins: memref<?xi64>, %counts: memref<?xi64>, %a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f64
  np.kernel updates (%i) = (%n) {
    %bin = memref.load %bins[%i] : memref<?xi64>
    %at = arith.index_cast %bin : i64 to index
    %old = memref.atomic_rmw addi %one, %counts[%at] : (i64, memref<?xi64>) -> i64
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %zero, %a[%i] : memref<?xf64>
    memref.store %x, %a[%i] : memref<?xf64>
  }
  np.kernel rows (%i) = (%c1) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
      %x = memref.load %a[%k] : memref<?xf64>
      scf.reduce(%x : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %a[%c0] : memref<?xf64>
  }
  return
}
""", target="debug")


def says(error, line, words, name, *args):
    try:
        compiled(name, *args)
    except Failure as failure:
        assert (failure.error, failure.line, failure.file) == (error, line, "own.py" if line else ""), (name, failure.error, failure.line, failure.file)
        assert str(failure).startswith(words), (name, str(failure))
    else:
        raise AssertionError(f"{name}: no error")


MEET = "two iterations of one kernel meet: one "
says(RUNTIME_ERROR, 3, MEET + "writes an element that another one writes (line 3)", "write_write", np.zeros(8), 8)
found = set()
for seed in range(8):  # which of the two comes first is the order's to say
    os.environ["NPCC_SEED"] = str(seed)
    try:
        compiled("write_read", np.zeros(8), 8)
    except Failure as failure:
        found.add(str(failure))
assert found == {MEET + "reads an element that another one writes (line 8)", MEET + "writes an element that another one reads (line 7)"}, found
del os.environ["NPCC_SEED"]
try:
    compiled("read_by_all", np.zeros(8), 8)
except Failure as failure:
    assert str(failure).startswith(MEET), failure
else:
    raise AssertionError("no error")
says(RUNTIME_ERROR, 20, MEET + "writes", "inner", np.zeros(8), 8)
says(RUNTIME_ERROR, 30, MEET + "reads", "fold", np.ones(8), 8)
says(INDEX_ERROR, 40, "index 4 is out of bounds for axis 1 with size 4", "outside", np.zeros((4, 4)), 4)
says(RUNTIME_ERROR, 50, "an element is read that was never written", "unwritten", 8)
says(RUNTIME_ERROR, 60, "an array is accessed that was released", "released", 8)

counts, a = np.zeros(3, np.int64), np.arange(8.0)
compiled("good", np.arange(8) % 3, counts, a, 8)
assert counts.tolist() == [3, 3, 2] and a[0] == 28 and a[1:].tolist() == list(range(1, 8))
