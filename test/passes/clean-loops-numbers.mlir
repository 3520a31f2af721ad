// RUN: npcc-opt %s --npcc-clean-loops | FileCheck %s
// A number stored once and only loaded again is a register; one that a branch writes, or that leaves, is memory.

// CHECK-LABEL: func @once
// CHECK-NOT: np.alloc
// CHECK: return %arg0
func.func @once(%x: f64) -> f64 {
  %a = np.alloc() : memref<f64>
  memref.store %x, %a[] : memref<f64>
  %y = memref.load %a[] : memref<f64>
  np.release %a : memref<f64>
  return %y : f64
}

// CHECK-LABEL: func @twice
// CHECK: np.alloc
// CHECK: memref.load
func.func @twice(%x: f64, %c: i1) -> f64 {
  %a = np.alloc() : memref<f64>
  memref.store %x, %a[] : memref<f64>
  scf.if %c {
    %z = arith.addf %x, %x : f64
    memref.store %z, %a[] : memref<f64>
  }
  %y = memref.load %a[] : memref<f64>
  np.release %a : memref<f64>
  return %y : f64
}

// CHECK-LABEL: func @leaves
// CHECK: np.alloc
func.func @leaves(%x: f64) -> memref<f64> {
  %a = np.alloc() : memref<f64>
  memref.store %x, %a[] : memref<f64>
  return %a : memref<f64>
}
