// Running totals along lines that are long and few: cut into parts, whose totals are scanned first, or, where they are
// very long, for the whole grid.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-split-scans | FileCheck %s

// CHECK-LABEL: func.func @cumsum
// CHECK:       %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %c32768
// CHECK:       arith.cmpi sge, %{{.*}}, %c2097152
// CHECK:       np.alternatives {{.*}}
// CHECK-NEXT:    np.kernel scan (%{{.*}}) = (%c1{{[_0-9]*}}) by grid
// CHECK:           np.fold any neutral
// CHECK:       } or {
// CHECK:       np.alternatives {{.*}}
// CHECK:         %[[TOTALS:.*]] = np.alloc(%c1{{[_0-9]*}}, %[[PARTS:.*]]) : memref<?x?xf64>
// CHECK:         np.kernel rows (%{{.*}}, %{{.*}}) = (%c1{{[_0-9]*}}, %[[PARTS]])
// CHECK:           scf.parallel {{.*}} -> f64
// CHECK:           memref.store %{{.*}}, %[[TOTALS]]
// CHECK:         np.kernel
// CHECK:           np.fold any %[[PARTS]]
// CHECK:             memref.load %[[TOTALS]]
// CHECK:           } each {
// CHECK:             memref.store %{{.*}}, %[[TOTALS]]
// CHECK:         np.kernel (%{{.*}}, %{{.*}}) = (%c1{{[_0-9]*}}, %[[PARTS]])
// CHECK:           %[[BEFORE:.*]] = memref.load %[[TOTALS]]
// CHECK:           %[[START:.*]] = arith.select %{{.*}}, %{{.*}}, %[[BEFORE]]
// CHECK:           np.fold any %{{.*}} init(%[[START]])
// CHECK:           } each {
// CHECK:             memref.store
// CHECK:         np.release %[[TOTALS]]
// CHECK:       } or {
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
// CHECK-LABEL: func.func @columns
// CHECK:       np.alternatives {{.*}}
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
// CHECK-LABEL: func.func @down_columns
// CHECK:       %[[ROWS:.*]] = memref.dim %{{.*}}, %c0
// CHECK:       %[[COLUMNS:.*]] = memref.dim %{{.*}}, %c1
// CHECK:       arith.cmpi sle, %{{.*}}, %c16384
// CHECK:       arith.cmpi sge, %[[ROWS]], %c512
// CHECK:       np.alternatives {{.*}}
// CHECK:         %[[TOTALS:.*]] = np.alloc(%[[COLUMNS]], %[[PARTS:.*]]) : memref<?x?xf64>
// CHECK:         np.kernel (%[[PART:.*]], %[[COLUMN:.*]]) = (%[[PARTS]], %[[COLUMNS]])
// CHECK:           scf.parallel {{.*}} -> f64
// CHECK:           memref.store %{{.*}}, %[[TOTALS]][%[[COLUMN]], %[[PART]]]
// CHECK:         np.kernel (%{{.*}}) = (%[[COLUMNS]])
// CHECK:           np.fold any %[[PARTS]]
// CHECK:         np.kernel (%{{.*}}, %{{.*}}) = (%[[PARTS]], %[[COLUMNS]])
// CHECK:           np.fold any
// CHECK:       } or {
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
