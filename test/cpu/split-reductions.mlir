// RUN: npcc-opt %s --npcc-split-reductions --canonicalize --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @total
// CHECK-DAG: %[[ROOM:.*]] = memref.alloca() : memref<64xf64>
// CHECK: %[[PARTIALS:.*]] = np.alternatives {{.*}} %[[MANY:.*]] -> (memref<?xf64>)
// CHECK: np.alloc
// CHECK: np.kernel (%[[BLOCK:.*]]) =
// CHECK: %[[P:.*]] = scf.parallel {{.*}} init
// CHECK: memref.store %[[P]], %[[PARTIALS]][%[[BLOCK]]]
// CHECK: %[[S:.*]] = scf.parallel (%[[B:.*]]) = {{.*}} init
// CHECK: memref.load %[[PARTIALS]][%[[B]]]
// CHECK: vectorize = <disable = true>
// CHECK: np.alternatives {{.*}} %[[MANY]]
// CHECK: np.release %[[PARTIALS]]
// CHECK: return %[[S]]
func.func @total(%a: memref<?x?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.parallel (%i, %k) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%zero) -> f64 {
    %x = memref.load %a[%i, %k] : memref<?x?xf64>
    scf.reduce(%x : f64) {
    ^bb0(%l: f64, %r: f64):
      %t = arith.addf %l, %r : f64
      scf.reduce.return %t : f64
    }
  }
  return %s : f64
}

// CHECK-LABEL: func.func @rows
// CHECK: arith.andi
// CHECK: %[[SPLIT:.*]] = arith.andi
// CHECK: np.alternatives "rows in parts" %[[SPLIT]] {
// CHECK: %[[PARTIALS:.*]] = np.alloc
// CHECK: np.kernel (%[[BLOCK:.*]], %[[I:.*]]) =
// CHECK: %[[P:.*]] = func.call @rows.reduction0({{.*}}) {np.loop_cost = array<i64: {{[0-9]+}}, 1>}
// CHECK: memref.store %[[P]], %[[PARTIALS]]
// CHECK: np.kernel (%[[I:.*]]) =
// CHECK: %[[S:.*]] = scf.parallel
// CHECK: memref.load %[[PARTIALS]]
// CHECK: vectorize = <disable = true>
// CHECK: math.sqrt %[[S]]
// CHECK: np.release %[[PARTIALS]]
// CHECK: } or {
// CHECK: np.kernel
// CHECK: %[[S:.*]] = func.call @rows.reduction0
// CHECK: math.sqrt %[[S]]
// CHECK-LABEL: func.func private @rows.reduction0
// CHECK-SAME: passthrough = ["noinline"]
// CHECK: scf.parallel {{.*}} init
func.func @rows(%a: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %x = memref.load %a[%i, %k] : memref<?x?xf64>
      scf.reduce(%x : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    %r = math.sqrt %s : f64
    memref.store %r, %out[%i] : memref<?xf64>
  }
  return
}

// Where the greatest element is: in the first block whose own greatest element it is.
// CHECK-LABEL: func.func @position
// CHECK: %[[PARTIALS:.*]] = np.alternatives {{.*}}
// CHECK: np.kernel
// CHECK: memref.store %{{.*}}, %[[PARTIALS]]
// CHECK: %[[MOST:.*]] = scf.parallel
// CHECK: vectorize = <disable = true>
// CHECK: %[[BLOCK:.*]] = scf.for
// CHECK: %[[PART:.*]] = memref.load %[[PARTIALS]]
// CHECK: arith.cmpf oeq, %[[PART]], %[[MOST]]
// CHECK: arith.cmpf uno, %[[PART]], %[[PART]]
// CHECK-NOT: np.kernel
// CHECK: %[[LAST:.*]] = arith.minui %[[BLOCK]]
// CHECK: %[[FROM:.*]] = arith.muli
// CHECK: %[[AT:.*]] = scf.parallel (%{{.*}}) = (%[[FROM]])
// CHECK: return %[[AT]]
func.func @position(%a: memref<?xf64>, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant 9223372036854775807 : i64
  %most = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%least) -> f64 {
    %x = memref.load %a[%k] : memref<?xf64>
    scf.reduce(%x : f64) {
    ^bb0(%l: f64, %r: f64):
      %t = arith.maximumf %l, %r : f64
      scf.reduce.return %t : f64
    }
  }
  %at = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%none) -> i64 {
    %x = memref.load %a[%k] : memref<?xf64>
    %is = arith.cmpf oeq, %x, %most : f64
    %nan = arith.cmpf uno, %x, %x : f64
    %here = arith.ori %is, %nan : i1
    %p = arith.index_cast %k : index to i64
    %v = arith.select %here, %p, %none : i64
    scf.reduce(%v : i64) {
    ^bb0(%l: i64, %r: i64):
      %t = arith.minsi %l, %r : i64
      scf.reduce.return %t : i64
    }
  }
  return %at : i64
}

// The same where elements are computed, alike in both loops; and where the second loop computes others.
// CHECK-LABEL: func.func @first_above
// CHECK: np.kernel
// CHECK: %[[ANY:.*]] = scf.parallel
// CHECK: %[[BLOCK:.*]] = scf.for
// CHECK-NOT: np.kernel
// CHECK: arith.minui %[[BLOCK]]
// CHECK: return
// CHECK-LABEL: func.func @first_of_others
// CHECK: np.kernel
// CHECK: np.kernel
// CHECK: return
func.func @first_above(%a: memref<?xf64>, %limit: f64, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  %none = arith.constant 9223372036854775807 : i64
  %most = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> i8 {
    %x = memref.load %a[%k] : memref<?xf64>
    %c = arith.cmpf ogt, %x, %limit : f64
    %b = arith.extui %c : i1 to i8
    scf.reduce(%b : i8) {
    ^bb0(%l: i8, %r: i8):
      %t = arith.maxui %l, %r : i8
      scf.reduce.return %t : i8
    }
  }
  %at = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%none) -> i64 {
    %x = memref.load %a[%k] : memref<?xf64>
    %c = arith.cmpf ogt, %x, %limit : f64
    %b = arith.extui %c : i1 to i8
    %is = arith.cmpi eq, %b, %most : i8
    %p = arith.index_cast %k : index to i64
    %v = arith.select %is, %p, %none : i64
    scf.reduce(%v : i64) {
    ^bb0(%l: i64, %r: i64):
      %t = arith.minsi %l, %r : i64
      scf.reduce.return %t : i64
    }
  }
  return %at : i64
}
func.func @first_of_others(%a: memref<?xf64>, %limit: f64, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  %none = arith.constant 9223372036854775807 : i64
  %most = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> i8 {
    %x = memref.load %a[%k] : memref<?xf64>
    %c = arith.cmpf ogt, %x, %limit : f64
    %b = arith.extui %c : i1 to i8
    scf.reduce(%b : i8) {
    ^bb0(%l: i8, %r: i8):
      %t = arith.maxui %l, %r : i8
      scf.reduce.return %t : i8
    }
  }
  %at = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%none) -> i64 {
    %x = memref.load %a[%k] : memref<?xf64>
    %c = arith.cmpf olt, %x, %limit : f64
    %b = arith.extui %c : i1 to i8
    %is = arith.cmpi eq, %b, %most : i8
    %p = arith.index_cast %k : index to i64
    %v = arith.select %is, %p, %none : i64
    scf.reduce(%v : i64) {
    ^bb0(%l: i64, %r: i64):
      %t = arith.minsi %l, %r : i64
      scf.reduce.return %t : i64
    }
  }
  return %at : i64
}
