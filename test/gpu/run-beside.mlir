// Kernels with loops that share nothing that is written are marked; what allocates goes before them.
// RUN: npcc-opt %s --npcc-run-beside | FileCheck %s

// CHECK-LABEL: func.func @independent
// CHECK:         np.alloc
// CHECK-NOT:     np.alloc
// CHECK:         np.kernel {{.*}} beside begins {
// CHECK:         np.kernel {{.*}} beside joins {
// CHECK:         np.kernel
// CHECK-NOT:     beside
// CHECK:         return
func.func @independent(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %zero: f64) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%unit) = (%c1) {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> f64 {
      %x = memref.load %b[%i] : memref<?xf64>
      %u = arith.addf %t, %x : f64
      scf.yield %u : f64
    }
    memref.store %s, %a[%c0] : memref<?xf64>
  }
  %m = arith.addi %n, %c1 : index
  %c = np.alloc(%m) : memref<?xf64>
  np.kernel (%unit) = (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %b[%i] : memref<?xf64>
      memref.store %x, %c[%i] : memref<?xf64>
    }
  }
  // It reads what the first one writes.
  np.kernel (%unit) = (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %a[%c0] : memref<?xf64>
      memref.store %x, %c[%i] : memref<?xf64>
    }
  }
  return %c : memref<?xf64>
}

// Arguments may overlap in the general version.
// CHECK-LABEL: func.func @general
// CHECK-NOT:     npcc.be
// CHECK-LABEL: func.func @apart
func.func @general(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %zero: f64) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%unit) = (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      memref.store %zero, %a[%i] : memref<?xf64>
    }
  }
  np.kernel (%unit) = (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      memref.store %zero, %b[%i] : memref<?xf64>
    }
  }
  return
}

// Memory that is freed between them may be what the next one gets; a kernel without a loop is over before another stream has waited for it.
// CHECK-NOT:     npcc.be
func.func @apart(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %n: index, %zero: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%unit) = (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      memref.store %zero, %a[%i] : memref<?xf64>
    }
  }
  np.release %c : memref<?xf64>
  np.kernel (%unit) = (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      memref.store %zero, %b[%i] : memref<?xf64>
    }
  }
  np.kernel (%i) = (%n) {
    memref.store %zero, %a[%i] : memref<?xf64>
  }
  return
}
