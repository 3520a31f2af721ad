// Folds whose totals may be grouped in any way: long lines are cut into parts, a team of threads takes a line.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-split-scans | FileCheck %s --check-prefix=SPLIT
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-lower-folds=keep-scans --npcc-map-kernels --canonicalize --cse | FileCheck %s

// SPLIT-LABEL: func.func @cumsum
// SPLIT:       %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %c32768
// SPLIT:       scf.if
// SPLIT:         %[[TOTALS:.*]] = np.alloc(%c1{{[_0-9]*}}, %[[PARTS:.*]]) : memref<?x?xf64>
// SPLIT:         np.kernel (%{{.*}}, %{{.*}}) = (%c1{{[_0-9]*}}, %[[PARTS]])
// SPLIT:           scf.parallel {{.*}} -> f64
// SPLIT:           memref.store %{{.*}}, %[[TOTALS]]
// SPLIT:         np.kernel
// SPLIT:           np.fold any %[[PARTS]]
// SPLIT:             memref.load %[[TOTALS]]
// SPLIT:           } each {
// SPLIT:             memref.store %{{.*}}, %[[TOTALS]]
// SPLIT:         np.kernel (%{{.*}}, %{{.*}}) = (%c1{{[_0-9]*}}, %[[PARTS]])
// SPLIT:           %[[BEFORE:.*]] = memref.load %[[TOTALS]]
// SPLIT:           %[[START:.*]] = arith.select %{{.*}}, %{{.*}}, %[[BEFORE]]
// SPLIT:           np.fold any %{{.*}} init(%[[START]])
// SPLIT:           } each {
// SPLIT:             memref.store
// SPLIT:         np.release %[[TOTALS]]
// SPLIT:       } else {

// CHECK-LABEL: func.func @cumsum
// CHECK:       gpu.launch {{.*}} workgroup(%[[SHARED:.*]] : memref<8xf64, #gpu.address_space<workgroup>>)
// CHECK:         scf.for
// Four groups of elements at once, five shuffles each, and one for its total.
// CHECK-COUNT-4:   llvm.load
// CHECK-COUNT-5:   gpu.shuffle up
// CHECK:           gpu.shuffle idx
// CHECK-COUNT-5:   gpu.shuffle up
// CHECK:           gpu.barrier
// CHECK-COUNT-8:   memref.load %[[SHARED]]
// CHECK-COUNT-4:   llvm.store
// CHECK:       npcc.class = "scan"
func.func @cumsum(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
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

// Lines across the contiguous axis: a thread each, or each part of them.
// SPLIT-LABEL: func.func @columns
// SPLIT:       scf.if
// CHECK-LABEL: func.func @columns
// CHECK:       npcc.class = "map"
func.func @columns(%x: memref<?x?xf64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%m) {
    np.fold any neutral %n init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %s = arith.addf %t, %u : f64
      np.yield %s : f64
    } each {
    ^bb0(%k: index, %s: f64):
      memref.store %s, %y[%k, %i] : memref<?x?xf64>
      np.yield
    } : f64
  }
  return
}

// Down columns, parts come before the columns: neighbours load neighbours.
// SPLIT-LABEL: func.func @down_columns
// SPLIT:       %[[ROWS:.*]] = memref.dim %{{.*}}, %c0
// SPLIT:       %[[COLUMNS:.*]] = memref.dim %{{.*}}, %c1
// SPLIT:       arith.cmpi sle, %{{.*}}, %c16384
// SPLIT:       arith.cmpi sge, %[[ROWS]], %c512
// SPLIT:       scf.if
// SPLIT:         %[[TOTALS:.*]] = np.alloc(%[[COLUMNS]], %[[PARTS:.*]]) : memref<?x?xf64>
// SPLIT:         np.kernel (%[[PART:.*]], %[[COLUMN:.*]]) = (%[[PARTS]], %[[COLUMNS]])
// SPLIT:           scf.parallel {{.*}} -> f64
// SPLIT:           memref.store %{{.*}}, %[[TOTALS]][%[[COLUMN]], %[[PART]]]
// SPLIT:         np.kernel (%{{.*}}) = (%[[COLUMNS]])
// SPLIT:           np.fold any %[[PARTS]]
// SPLIT:         np.kernel (%{{.*}}, %{{.*}}) = (%[[PARTS]], %[[COLUMNS]])
// SPLIT:           np.fold any
// SPLIT:       } else {
func.func @down_columns(%x: memref<?x?xf64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%m) {
    np.fold any neutral %n init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %s = arith.addf %t, %u : f64
      np.yield %s : f64
    } each {
    ^bb0(%k: index, %s: f64):
      memref.store %s, %y[%k, %i] : memref<?x?xf64>
      np.yield
    } : f64
  }
  return
}
