// RUN: npcc-opt %s --npcc-version-host-loops --canonicalize --mlir-print-local-scope | FileCheck %s

// Both checks hold where the matrix is no higher than wide.
// CHECK-LABEL: func.func @lu_step
// CHECK: np.alternatives "loop without checks" {{.*}} {
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: np.check_index
// CHECK: } or {
// CHECK: scf.for
// CHECK: np.check_index
// CHECK: scf.for
// CHECK: np.check_index
func.func @lu_step(%a: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = np.check_index %i of %m axis 1
    %d = memref.load %a[%i, %p] : memref<?x?xf64>
    scf.for %j = %i to %n step %c1 {
      %q = np.check_index %j of %m axis 1
      %x = memref.load %a[%i, %q] : memref<?x?xf64>
      %y = arith.divf %x, %d : f64
      memref.store %y, %a[%i, %q] : memref<?x?xf64>
    }
  }
  return
}

// A position that an array gives is checked where it is.
// CHECK-LABEL: func.func @table
// CHECK-NOT: scf.if
// CHECK: np.check_index
func.func @table(%a: memref<?xf64>, %t: memref<?xindex>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %t[%i] : memref<?xindex>
    %p = np.check_index %k of %m axis 0
    memref.store %zero, %a[%p] : memref<?xf64>
  }
  return
}
