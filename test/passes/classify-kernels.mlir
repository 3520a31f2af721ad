// The kind of a kernel is read off its loops and off what its iterations access.
// RUN: npcc-opt %s --npcc-classify-kernels | FileCheck %s

// CHECK-LABEL: func.func @scale
// CHECK:       np.kernel map
func.func @scale(%x: memref<?xf64>, %n: index, %f: f64) {
  np.kernel (%i) = (%n) {
    memref.store %f, %x[%i] : memref<?xf64>
  }
  return
}

// Loads along one axis and stores along the other.
// CHECK-LABEL: func.func @transpose
// CHECK:       np.kernel transpose
func.func @transpose(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %n: index, %m: index) {
  np.kernel (%i, %j) = (%n, %m) {
    %u = memref.load %x[%j, %i] : memref<?x?xf64>
    memref.store %u, %y[%i, %j] : memref<?x?xf64>
  }
  return
}

// CHECK-LABEL: func.func @count
// CHECK:       np.kernel updates
func.func @count(%x: memref<?xindex>, %bins: memref<?xi64>, %n: index) {
  %one = arith.constant 1 : i64
  np.kernel (%i) = (%n) {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.atomic_rmw addi %one, %bins[%p] : (i64, memref<?xi64>) -> i64
  }
  return
}

// The loop inside goes along the contiguous axis: rows. Across it: columns.
// CHECK-LABEL: func.func @sums
// CHECK:       np.kernel rows
// CHECK:       np.kernel columns
func.func @sums(%x: memref<?x?xf64>, %y: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%m) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// Points of three numbers each, of which one is read: the loop's steps are shorter than those of the kernel's position in groups of points and in
// parts of one line of points, and longer where the points of a group lie side by side.
// CHECK-LABEL: func.func @points
// CHECK:       np.kernel rows
// CHECK:       np.kernel rows
// CHECK:       np.kernel columns
func.func @points(%x: memref<?x?x?xf64>, %p: memref<?x?xf64>, %y: memref<?xf64>, %n: index, %m: index, %length: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k, %c2] : memref<?x?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %start = arith.muli %i, %length overflow<nsw> : index
    %s = scf.parallel (%k) = (%c0) to (%length) step (%c1) init (%z) -> f64 {
      %at = arith.addi %start, %k overflow<nsw> : index
      %u = memref.load %p[%at, %c2] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%m) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k, %i, %c2] : memref<?x?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @cumsum
// CHECK:       np.kernel scan
func.func @cumsum(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%c1) {
    np.fold any neutral %n init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%k] : memref<?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %s = arith.addf %t, %u : f64
      np.yield %s : f64
    } each {
    ^bb0(%k: index, %s: f64):
      memref.store %s, %y[%k] : memref<?xf64>
      np.yield
    } : f64
  }
  return
}

// The nearest point of each: neither points of one array nor those of the other are neighbours in memory. A team of
// threads goes through all points for each.
// CHECK-LABEL: func.func @nearest
// CHECK:       np.kernel rows
func.func @nearest(%x: memref<?x2xf64>, %p: memref<?x2xf64>, %y: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0x7FF0000000000000 : f64
  np.kernel (%i) = (%n) {
    %x0 = memref.load %x[%i, %c0] : memref<?x2xf64>
    %x1 = memref.load %x[%i, %c1] : memref<?x2xf64>
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %p0 = memref.load %p[%k, %c0] : memref<?x2xf64>
      %p1 = memref.load %p[%k, %c1] : memref<?x2xf64>
      %d0 = arith.subf %x0, %p0 : f64
      %d1 = arith.subf %x1, %p1 : f64
      %q0 = arith.mulf %d0, %d0 : f64
      %q1 = arith.mulf %d1, %d1 : f64
      %d = arith.addf %q0, %q1 : f64
      scf.reduce(%d : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.minimumf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}
