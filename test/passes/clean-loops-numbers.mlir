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

// An array without axes that each side of a branch makes, and that is only loaded behind it, is a number of the branch.
// CHECK-LABEL: func @number_of_a_branch
// CHECK:       %[[N:.*]] = scf.if %arg1 -> (f64) {
// CHECK:         np.kernel
// CHECK:         }
// CHECK-NEXT:    %[[V:.*]] = memref.load
// CHECK-NEXT:    scf.yield %[[V]] : f64
// CHECK:       } else {
// CHECK:         scf.yield %{{.*}} : f64
// CHECK:       memref.store %[[N]], %arg0[%c1]
func.func @number_of_a_branch(%a: memref<?xf64>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = scf.if %c -> (memref<f64>) {
    %m = np.alloc() : memref<f64>
    np.kernel (%i) = (%c1) {
      %v = memref.load %a[%i] : memref<?xf64>
      memref.store %v, %m[] : memref<f64>
    }
    scf.yield %m : memref<f64>
  } else {
    %m = np.alloc() : memref<f64>
    %v = memref.load %a[%c1] : memref<?xf64>
    memref.store %v, %m[] : memref<f64>
    scf.yield %m : memref<f64>
  }
  %v = memref.load %x[] : memref<f64>
  memref.store %v, %a[%c1] : memref<?xf64>
  return
}

// A kernel behind the branch reads the array where it is.
// CHECK-LABEL: func @array_of_a_branch
// CHECK:       scf.if %arg2 -> (memref<f64>)
func.func @array_of_a_branch(%a: memref<?xf64>, %b: memref<f64>, %c: i1, %n: index) {
  %x = scf.if %c -> (memref<f64>) {
    %m = np.alloc() : memref<f64>
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<?xf64>
    memref.store %v, %m[] : memref<f64>
    scf.yield %m : memref<f64>
  } else {
    scf.yield %b : memref<f64>
  }
  np.kernel (%i) = (%n) {
    %v = memref.load %x[] : memref<f64>
    memref.store %v, %a[%i] : memref<?xf64>
  }
  return
}
