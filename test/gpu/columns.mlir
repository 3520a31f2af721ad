// Column reductions: parts of the loop first, then each block's threads share out the loop of neighbouring columns.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-split-launches --cse | FileCheck %s --check-prefix=SPLIT
// RUN: npcc-opt %s --npcc-loops-to-launches | FileCheck %s

// Part c takes the rows from c * length on; partial results lie with the parts side by side.
// SPLIT-LABEL: func.func @sum0
// SPLIT:       %[[PARTIALS:.*]] = np.alloc(%[[COLUMNS:.*]], %[[PARTS:.*]]) : memref<?x?xf32>
// SPLIT:       np.kernel (%[[C:.*]], %[[J:.*]]) = (%[[PARTS]], %[[COLUMNS]])
// SPLIT:         %[[START:.*]] = arith.muli %[[C]], %[[LENGTH:.*]] overflow
// SPLIT:         %[[REST:.*]] = arith.subi %{{.*}}, %[[START]]
// SPLIT:         %[[MINE:.*]] = arith.minsi %[[LENGTH]], %[[REST]]
// SPLIT:         scf.parallel (%[[K:.*]]) = {{.*}} to (%[[MINE]]) {{.*}} init
// SPLIT:           %[[ROW:.*]] = arith.addi %[[START]], %[[K]]
// SPLIT:           memref.load %{{.*}}[%[[ROW]], %[[J]]]
// SPLIT:         memref.store %{{.*}}, %[[PARTIALS]][%[[J]], %[[C]]]
// SPLIT:       np.kernel (%[[J2:.*]]) = (%[[COLUMNS]])
// SPLIT:         scf.parallel (%[[C2:.*]]) = {{.*}} to (%[[PARTS]]) {{.*}} init
// SPLIT:           memref.load %[[PARTIALS]][%[[J2]], %[[C2]]]
// SPLIT:         memref.store %{{.*}}, %arg1[%[[J2]]]
// SPLIT:       np.release %[[PARTIALS]]

// CHECK-LABEL: func.func @sum0
// CHECK:       gpu.launch
// CHECK-COUNT-4: llvm.load {{.*}} -> vector<4xf32>
// The threads of a column add in halves.
// CHECK:         gpu.barrier
// CHECK:         scf.while
// CHECK:           scf.condition
// CHECK:           scf.if
// CHECK-COUNT-4:     arith.addf
// CHECK:           gpu.barrier
// CHECK:       np.class = "columns"
// CHECK:       gpu.launch
// CHECK:       np.class = "rows"
func.func @sum0(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  np.kernel (%j) = (%m) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f32 {
      %u = memref.load %x[%i, %j] : memref<?x?xf32>
      scf.reduce(%u : f32) { ^bb0(%a: f32, %b: f32):
        %t = arith.addf %a, %b : f32
        scf.reduce.return %t : f32 }
    }
    memref.store %s, %y[%j] : memref<?xf32>
  }
  return
}

// A window that slides over a vector: neighbours load neighbours, and the weights are the same for all of them.
// CHECK-LABEL: func.func @windows
// CHECK:       gpu.launch
// CHECK:       np.class = "columns"
func.func @windows(%x: memref<?xf64>, %weights: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %y, %c0 : memref<?xf64>
  %m = memref.dim %weights, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %p = arith.addi %i, %k : index
      %u = memref.load %x[%p] : memref<?xf64>
      %w = memref.load %weights[%k] : memref<?xf64>
      %v = arith.mulf %u, %w : f64
      scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// The middle axis of a stack: few columns of few terms, so that a block takes several matrices (its third axis).
// CHECK-LABEL: func.func @middle
// CHECK:       gpu.launch {{.*}} threads(%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %[[MATRIX:[a-z0-9_]+]]) in
// CHECK:         scf.for
// CHECK:           %[[ROW:.*]] = arith.addi %{{.*}}, %[[MATRIX]]
// CHECK:           arith.cmpi slt, %[[ROW]], %{{.*}}
// CHECK:       np.class = "columns"
func.func @middle(%x: memref<?x?x?xf64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?x?xf64>
  %k = memref.dim %x, %c1 : memref<?x?x?xf64>
  %m = memref.dim %x, %c2 : memref<?x?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %s = scf.parallel (%l) = (%c0) to (%k) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %l, %j] : memref<?x?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i, %j] : memref<?x?xf64>
  }
  return
}

// A product of few rows and columns, along many terms: a thread has four rows, which share what they load of %y.
// CHECK-LABEL: func.func @product
// CHECK:       gpu.launch
// CHECK:         scf.for %{{.*}} iter_args({{.*}}) -> (f64, f64, f64, f64, f64, f64, f64, f64)
// CHECK-COUNT-8:   llvm.load %{{.*}} -> f64
// CHECK:           llvm.load %{{.*}} -> vector<2xf64>
// CHECK:           llvm.load %{{.*}} -> vector<2xf64>
// CHECK-NOT:       llvm.load
// CHECK-COUNT-16:  arith.addf
// CHECK:           scf.yield
func.func @product(%x: memref<?x8xf64>, %y: memref<?x16xf64>, %z: memref<8x16xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x8xf64>
  np.kernel (%i, %j) = (%c8, %c16) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
      %u = memref.load %x[%k, %i] : memref<?x8xf64>
      %v = memref.load %y[%k, %j] : memref<?x16xf64>
      %w = arith.mulf %u, %v : f64
      scf.reduce(%w : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %z[%i, %j] : memref<8x16xf64>
  }
  return
}

// What the loop stores each thread of a column stores at the rows that it takes, unless its column is a repetition of the last one; without columns there are no blocks.
// CHECK-LABEL: func.func @stored
// CHECK:       %[[COLUMNS:.*]] = memref.dim %arg0, %c1
// CHECK:       %[[GRID:.*]] = arith.minsi %{{.*}}, %[[COLUMNS]]
// CHECK:       gpu.launch blocks(%[[X:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[GRID]],
// CHECK:         %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %[[COLUMNS]]
// CHECK:         %[[OWN:.*]] = arith.andi %{{.*}}, %[[INSIDE]]
// CHECK:         scf.for
// CHECK:           scf.if %[[OWN]] {
// CHECK:             llvm.store {{.*}} : vector<4xf32>
func.func @stored(%x: memref<?x?xf32>, %new: memref<?x?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  np.kernel (%j) = (%m) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f32 {
      %u = memref.load %x[%i, %j] : memref<?x?xf32>
      %v = arith.addf %u, %u : f32
      memref.store %v, %new[%i, %j] : memref<?x?xf32>
      scf.reduce(%v : f32) { ^bb0(%a: f32, %b: f32):
        %t = arith.addf %a, %b : f32
        scf.reduce.return %t : f32 }
    }
    memref.store %s, %y[%j] : memref<?xf32>
  }
  return
}
