// A full reduction that lost its kernel gets it back, with the code that depends on it.
// RUN: npcc-opt %s --pass-pipeline='builtin.module(func.func(npcc-enclose-loops))' | FileCheck %s

// CHECK-LABEL: func.func @norm
// CHECK:       scf.parallel
// CHECK-NEXT:    %[[S:.*]] = scf.parallel {{.*}} init
// CHECK:         %[[R:.*]] = math.sqrt %[[S]]
// CHECK-NEXT:    memref.store %[[R]], %{{.*}}[]
func.func @norm(%x: memref<?xf64>, %y: memref<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
    %v = memref.load %x[%k] : memref<?xf64>
    scf.reduce(%v : f64) { ^bb0(%l: f64, %r: f64):
      %t = arith.addf %l, %r : f64
      scf.reduce.return %t : f64 }
  }
  %r = math.sqrt %s : f64
  memref.store %r, %y[] : memref<f64>
  return
}

// What the host needs goes through memory that it reads.
// CHECK-LABEL: func.func @any
// CHECK:       %[[M:.*]] = np.alloc() : memref<i8>
// CHECK:       scf.parallel
// CHECK:         arith.extui
// CHECK:         memref.store %{{.*}}, %[[M]][]
// CHECK:       memref.load %[[M]][]
// CHECK-NEXT:  arith.trunci
// CHECK-NEXT:  np.release %[[M]]
// CHECK-NEXT:  return
func.func @any(%x: memref<?xi8>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant false
  %n = memref.dim %x, %c0 : memref<?xi8>
  %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> i1 {
    %v = memref.load %x[%k] : memref<?xi8>
    %b = arith.trunci %v : i8 to i1
    scf.reduce(%b : i1) { ^bb0(%l: i1, %r: i1):
      %t = arith.ori %l, %r : i1
      scf.reduce.return %t : i1 }
  }
  return %s : i1
}

// A loop over elements without kernels runs on the device, in one thread.
// CHECK-LABEL: func.func @running
// CHECK:       scf.parallel (%{{.*}}) = (%{{.*}}) to (%c1
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      memref.load
func.func @running(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %z) -> (f64) {
    %v = memref.load %x[%k] : memref<?xf64>
    %t = arith.addf %a, %v : f64
    memref.store %t, %y[%k] : memref<?xf64>
    scf.yield %t : f64
  }
  return
}
