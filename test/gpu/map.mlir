// Elementwise kernels: vectors where the host's test allows, one axis where the arrays are contiguous.
// RUN: npcc-opt %s --npcc-loops-to-launches | FileCheck %s
func.func @saxpy(%a: f64, %x: memref<?xf64>, %y: memref<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %u = memref.load %x[%i] : memref<?xf64>
    %v = memref.load %y[%i] : memref<?xf64>
    %p = arith.mulf %a, %u : f64
    %s = arith.addf %p, %v : f64
    memref.store %s, %y[%i] : memref<?xf64>
    scf.reduce
  }
  return
}
func.func @black(%x: memref<?x?xf64>, %y: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
    %u = memref.load %x[%i, %j] : memref<?x?xf64>
    %p = math.erf %u : f64
    %s = math.exp %p : f64
    memref.store %s, %y[%i, %j] : memref<?x?xf64>
    scf.reduce
  }
  return
}
func.func @norm(%x: memref<?xf64>, %y: memref<f64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %v = memref.load %x[%k] : memref<?xf64>
      %q = arith.mulf %v, %v : f64
      scf.reduce(%q : f64) { ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64 }
    }
    %r = math.sqrt %s : f64
    memref.store %r, %y[] : memref<f64>
    scf.reduce
  }
  return
}
