// Inner loops of a kernel over the same positions become one.
// RUN: npcc-opt %s --npcc-merge-loops | FileCheck %s

// Two reductions, with code between that needs the first; then a walk whose elements a third reduction reads.
// CHECK-LABEL: func.func @kernel
// CHECK:       np.kernel (%{{.*}}) =
// CHECK:         %[[TWO:.*]]:2 = scf.parallel {{.*}} init (%{{.*}}, %{{.*}}) -> (f64, f64)
// CHECK:           scf.reduce(%{{.*}}, %{{.*}} : f64, f64)
// CHECK:         arith.mulf %[[TWO]]#0
// CHECK:         %[[SUM:.*]] = scf.parallel
// CHECK:           %[[V:.*]] = arith.divf
// CHECK:           memref.store %[[V]]
// CHECK-NOT:       memref.load
// CHECK:           scf.reduce(%[[V]] : f64)
// CHECK:         memref.store %[[SUM]]
func.func @kernel(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %s: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %low = arith.constant 0xFFF0000000000000 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %l = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%n) {
    %sum = scf.parallel (%k) = (%c0) to (%l) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %twice = arith.mulf %sum, %sum : f64
    %max = scf.parallel (%k) = (%c0) to (%l) step (%c1) init (%low) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.maximumf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %scale = arith.addf %twice, %max : f64
    scf.parallel (%k) = (%c0) to (%l) step (%c1) {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      %v = arith.divf %u, %scale : f64
      memref.store %v, %y[%i, %k] : memref<?x?xf64>
      scf.reduce
    }
    %all = scf.parallel (%k) = (%c0) to (%l) step (%c1) init (%z) -> f64 {
      %u = memref.load %y[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %all, %s[%i] : memref<?xf64>
  }
  return
}

// The second reads what other iterations of the first write.
// CHECK-LABEL: func.func @shifted
// CHECK:         scf.parallel (%{{.*}}) =
// CHECK:           memref.store
// CHECK:         scf.parallel (%{{.*}}) =
// CHECK:           memref.store
func.func @shifted(%x: memref<?x?xf64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %l = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%n) {
    scf.parallel (%k) = (%c0) to (%l) step (%c1) {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      memref.store %u, %y[%i, %k] : memref<?x?xf64>
      scf.reduce
    }
    scf.parallel (%k) = (%c0) to (%l) step (%c1) {
      %p = arith.xori %k, %c1 : index
      %u = memref.load %y[%i, %p] : memref<?x?xf64>
      memref.store %u, %x[%i, %k] : memref<?x?xf64>
      scf.reduce
    }
  }
  return
}

// A store between two loops that neither of them looks at is behind both; one that the second loop reads stays.
// CHECK-LABEL: func.func @stored_between
// CHECK:         %[[R:.*]]:2 = scf.parallel
// CHECK-NOT:     scf.parallel
// CHECK-DAG:     memref.store %[[R]]#0, %arg1
// CHECK-DAG:     memref.store %[[R]]#1, %arg2
func.func @stored_between(%x: memref<?x?xf64>, %s: memref<?xf64>, %m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %l = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%l) {
    %sum = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %sum, %s[%i] : memref<?xf64>
    %most = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.maximumf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %most, %m[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @read_between
// CHECK:         scf.parallel
// CHECK:         memref.store
// CHECK:         scf.parallel
// CHECK:           memref.load %arg1
func.func @read_between(%x: memref<?x?xf64>, %s: memref<?xf64>, %m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %l = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%l) {
    %sum = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %sum, %s[%i] : memref<?xf64>
    %most = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %s[%k] : memref<?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.maximumf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %most, %m[%i] : memref<?xf64>
  }
  return
}

// A store of the first sum stands between, of an array that is loaded behind them: it comes behind the loop of both.
// CHECK-LABEL: func.func @loaded_behind
// CHECK:       np.kernel (%[[I:.*]]) =
// CHECK:         %[[BOTH:.*]]:2 = scf.parallel
// CHECK:           math.exp
// CHECK-NOT:       memref.load
// CHECK:           scf.reduce
// CHECK:         memref.store %[[BOTH]]#0, %[[OUT:.*]][%[[I]]
// CHECK:         scf.parallel
// CHECK:           memref.load %[[OUT]]
func.func @loaded_behind(%x: memref<?x?xf64>, %z: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  %own = np.alloc(%n, %m) : memref<?x?xf64>
  %sums = np.alloc(%n, %m) : memref<?x?xf64>
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      %v = math.exp %u : f64
      memref.store %v, %own[%i, %k] : memref<?x?xf64>
      scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %sums[%i, %c0] : memref<?x?xf64>
    %p = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %v = memref.load %own[%i, %k] : memref<?x?xf64>
      %w = arith.mulf %v, %v : f64
      scf.reduce(%w : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %p, %sums[%i, %c1] : memref<?x?xf64>
    scf.parallel (%k) = (%c0) to (%c1) step (%c1) {
      %v = memref.load %sums[%i, %k] : memref<?x?xf64>
      memref.store %v, %z[%i, %k] : memref<?x?xf64>
      scf.reduce
    }
  }
  return
}

// Differences of coordinates, and their squares: the first loop goes over the two coordinates as well, and becomes one
// with the second, which no longer loads what the first has stored.
// CHECK-LABEL: func.func @coordinates
// CHECK:         np.kernel
// CHECK:           scf.parallel (%[[J:.*]]) = (%{{.*}}) to
// CHECK:             %[[X:.*]] = arith.subf
// CHECK:             %[[Y:.*]] = arith.subf
// CHECK-NOT:         memref.load
// CHECK:             arith.mulf %[[X]], %[[X]]
// CHECK:             arith.mulf %[[Y]], %[[Y]]
// CHECK-NOT:       scf.parallel
func.func @coordinates(%x: memref<?x2xf64>, %r: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?x2xf64>
  %d = np.alloc(%n, %n) : memref<?x?x2xf64>
  np.kernel (%i) = (%n) {
    scf.parallel (%j, %k) = (%c0, %c0) to (%n, %c2) step (%c1, %c1) {
      %a = memref.load %x[%i, %k] : memref<?x2xf64>
      %b = memref.load %x[%j, %k] : memref<?x2xf64>
      %difference = arith.subf %a, %b : f64
      memref.store %difference, %d[%i, %j, %k] : memref<?x?x2xf64>
      scf.reduce
    }
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      %u = memref.load %d[%i, %j, %c0] : memref<?x?x2xf64>
      %v = memref.load %d[%i, %j, %c1] : memref<?x?x2xf64>
      %uu = arith.mulf %u, %u : f64
      %vv = arith.mulf %v, %v : f64
      %sum = arith.addf %uu, %vv : f64
      memref.store %sum, %r[%i, %j] : memref<?x?xf64>
      scf.reduce
    }
  }
  return
}

// Where nothing else goes over the first axis alone, the few elements stay an axis.
// CHECK-LABEL: func.func @apart
// CHECK:           scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK:             memref.store
func.func @apart(%x: memref<?x2xf64>, %y: memref<?x?x2xf64>, %z: memref<?x?x2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?x2xf64>
  np.kernel (%i) = (%n) {
    scf.parallel (%j, %k) = (%c0, %c0) to (%n, %c2) step (%c1, %c1) {
      %a = memref.load %x[%j, %k] : memref<?x2xf64>
      memref.store %a, %y[%i, %j, %k] : memref<?x?x2xf64>
      scf.reduce
    }
    scf.parallel (%j, %k) = (%c0, %c0) to (%n, %c2) step (%c1, %c1) {
      %a = memref.load %y[%i, %j, %k] : memref<?x?x2xf64>
      memref.store %a, %z[%j, %i, %k] : memref<?x?x2xf64>
      scf.reduce
    }
  }
  return
}
