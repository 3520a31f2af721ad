// RUN: npcc-opt %s --npcc-check-before-stores | FileCheck %s
// RUN: npcc-opt %s --npcc-check-before-stores --npcc-guard-kernels --npcc-classify-kernels --npcc-map-kernels --npcc-lower-device-checks | FileCheck %s --check-prefix=LAUNCH

// The checks run first. Stores come behind the one check of their iteration; the position is only kept inside.
// CHECK-LABEL: func.func @loop
// CHECK:         np.kernel (%[[J:.*]]) = (%{{.*}}) {
// CHECK-NEXT:      memref.load %arg1[%[[J]]]
// CHECK-NEXT:      arith.index_cast
// CHECK-NEXT:      np.check_index
// CHECK-NEXT:    }
// CHECK:         np.kernel (%[[I:.*]]) = (%{{.*}}) {
// CHECK:           %[[PLACE:.*]] = arith.addi %[[I]], %c1
// CHECK-NEXT:      %[[REACHED:.*]] = np.is_reached %[[PLACE]]
// CHECK-NOT:       np.check_index
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult
// CHECK:           arith.select %[[INSIDE]]
// CHECK:           scf.if %[[REACHED]] {
// CHECK-NEXT:        memref.store %{{.*}}, %arg2[%[[I]]]

// The kernel ends for no other error: the stores have asked for those before, too.
// LAUNCH-LABEL: func.func @loop
// LAUNCH:         gpu.launch
// LAUNCH:         llvm.call @npcc_rt_error_flag()
// LAUNCH:         llvm.call @npcc_rt_launch_number()
// LAUNCH:         gpu.launch
// LAUNCH-NOT:       llvm.nvvm.exit
// LAUNCH:           %[[ERROR:.*]] = llvm.load
// LAUNCH:           arith.cmpi eq, %[[ERROR]]
// LAUNCH:           arith.cmpi sle
// LAUNCH:         return
func.func @loop(%x: memref<?xf64>, %index: memref<?xi64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  %size = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %k = memref.load %index[%i] : memref<?xi64>
    %p = arith.index_cast %k : i64 to index
    %q = np.check_index %p of %size axis 0
    %v = memref.load %x[%q] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
  }
  return
}

// Two checks in an iteration, one of them in a branch: stores in front of, between and behind them.
// CHECK-LABEL: func.func @statements
// CHECK:         np.kernel
// CHECK-NOT:       memref.store
// CHECK:           np.check_index
// CHECK:           scf.if
// CHECK:             np.check_index
// CHECK:         np.kernel (%[[I:.*]]) = (%{{.*}}) {
// CHECK-DAG:       %[[FIRST:.*]] = arith.muli %[[I]], %c2
// CHECK-DAG:       %[[BEFORE:.*]] = np.is_reached %[[FIRST]]
// CHECK-DAG:       %[[SECOND:.*]] = arith.addi %[[FIRST]], %c1
// CHECK-DAG:       %[[BETWEEN:.*]] = np.is_reached %[[SECOND]]
// CHECK-DAG:       %[[THIRD:.*]] = arith.addi %[[FIRST]], %c2
// CHECK-DAG:       %[[BEHIND:.*]] = np.is_reached %[[THIRD]]
// CHECK:           scf.if %[[BEFORE]]
// CHECK:           scf.if %[[BETWEEN]]
// CHECK:           scf.if %[[BEHIND]]
func.func @statements(%x: memref<?xf64>, %index: memref<?xi64>, %y: memref<?xf64>, %f: f64) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  %size = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    memref.store %f, %y[%i] : memref<?xf64>
    %k = memref.load %index[%i] : memref<?xi64>
    %p = arith.index_cast %k : i64 to index
    %q = np.check_index %p of %size axis 0
    %v = memref.load %x[%q] : memref<?xf64>
    %some = arith.cmpf ogt, %v, %f : f64
    scf.if %some {
      memref.store %v, %y[%i] : memref<?xf64>
      %r = np.check_index %q of %n axis 0
      memref.store %f, %y[%i] : memref<?xf64>
    }
  }
  return
}

// Nobody sees an array of the function's own behind an error.
// CHECK-LABEL: func.func @own
// CHECK-NOT:     np.is_reached
// CHECK:         return
func.func @own(%x: memref<?xf64>, %index: memref<?xi64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %index, %c0 : memref<?xi64>
  %size = memref.dim %x, %c0 : memref<?xf64>
  %y = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %k = memref.load %index[%i] : memref<?xi64>
    %p = arith.index_cast %k : i64 to index
    %q = np.check_index %p of %size axis 0
    %v = memref.load %x[%q] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
  }
  return %y : memref<?xf64>
}

// What the checks need is stored by the kernel itself: it stays.
// CHECK-LABEL: func.func @needed
// CHECK-NOT:     np.is_reached
// CHECK:         return
func.func @needed(%x: memref<?xf64>, %index: memref<?xi64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %n = memref.dim %y, %c0 : memref<?xf64>
  %size = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %k = memref.load %index[%i] : memref<?xi64>
    %next = arith.addi %k, %one : i64
    memref.store %next, %index[%i] : memref<?xi64>
    %p = arith.index_cast %k : i64 to index
    %q = np.check_index %p of %size axis 0
    %v = memref.load %x[%q] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
  }
  return
}

// A loop of an iteration makes the checks: the sum beside them is left away, and a statement has as many places as the longest such loop.
// CHECK-LABEL: func.func @sums
// CHECK:         np.kernel (%[[J:.*]]) = (%{{.*}}) {
// CHECK-NEXT:      scf.parallel (%{{.*}}) = (%c0) to (%[[M:.*]]) step (%c1) {
// CHECK-NEXT:        memref.load %arg1
// CHECK-NEXT:        np.check_index
// CHECK-NEXT:        scf.reduce
// CHECK:         np.kernel (%[[I:.*]]) = (%{{.*}}) {
// CHECK:           %[[BEHIND:.*]] = arith.addi %[[I]], %c1
// CHECK:           %[[PLACE:.*]] = arith.muli %[[BEHIND]], %{{.*}}
// CHECK:           np.is_reached %[[PLACE]]
// CHECK:           arith.addf
func.func @sums(%x: memref<?xf64>, %index: memref<?x?xindex>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %y, %c0 : memref<?xf64>
  %m = memref.dim %index, %c1 : memref<?x?xindex>
  %size = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %p = memref.load %index[%i, %k] : memref<?x?xindex>
      %q = np.check_index %p of %size axis 0
      %v = memref.load %x[%q] : memref<?xf64>
      scf.reduce(%v : f64) {
      ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}
