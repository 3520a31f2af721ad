// Row reductions: a team of threads a row, its size chosen by the host from the extents.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @norms
// CHECK:       gpu.launch {{.*}} threads({{.*}} = %c256{{.*}}) workgroup(%[[SHARED:.*]] : memref<8xf64, #gpu.address_space<workgroup>>)
// Aligned: 4 vectors at a time into 8 accumulators; then the vectors that are left, all at once; then single elements.
// CHECK:         scf.if
// CHECK:           scf.for {{.*}} -> (f64, f64, f64, f64, f64, f64, f64, f64)
// CHECK-COUNT-4:     llvm.load {{.*}} -> vector<2xf64>
// CHECK:           scf.if {{.*}} -> (f64, f64, f64, f64, f64, f64, f64, f64)
// CHECK-COUNT-4:     llvm.load {{.*}} -> vector<2xf64>
// CHECK-COUNT-8:     arith.select {{.*}} : f64
// CHECK:           scf.for
// CHECK:             llvm.load {{.*}} -> f64
// Not aligned: the same elements into the same accumulators.
// CHECK:         } else {
// CHECK:           scf.for {{.*}} -> (f64, f64, f64, f64, f64, f64, f64, f64)
// CHECK-COUNT-8:     llvm.load {{.*}} -> f64
// CHECK:         scf.while
// CHECK:           gpu.shuffle xor
// CHECK:         scf.if
// CHECK:           gpu.barrier
// CHECK:           %[[FIRST:.*]] = memref.load %[[SHARED]]
// CHECK:           scf.for %{{.*}} = %c1 to %c8 step %c1 iter_args(%{{.*}} = %[[FIRST]])
// CHECK:             memref.load %[[SHARED]]
// CHECK:           } {llvm.loop_annotation
// CHECK-NOT:       gpu.barrier
// CHECK:         math.sqrt
// CHECK:         scf.if
// CHECK:           llvm.store
// CHECK:       np.class = "rows"
func.func @norms(%x: memref<?x?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      %v = arith.mulf %u, %u : f64
      scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %r = math.sqrt %s : f64
    memref.store %r, %y[%i] : memref<?xf64>
  }
  return
}

// A second walk over the row stores by all threads of the team; teams without a row walk over nothing.
// CHECK-LABEL: func.func @divide
// CHECK:       gpu.launch
// CHECK:         %[[VALID:.*]] = arith.cmpi slt
// CHECK:         gpu.shuffle
// CHECK:         %[[EXTENT:.*]] = arith.select %[[VALID]], %{{.*}}, %c0
// CHECK:         scf.if
// CHECK:           llvm.store {{.*}} : vector<2xf64>
func.func @divide(%x: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    scf.parallel (%k) = (%c0) to (%m) step (%c1) {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      %v = arith.divf %u, %s : f64
      memref.store %v, %x[%i, %k] : memref<?x?xf64>
      scf.reduce
    }
  }
  return
}

// Rows of a whole array of higher rank follow each other in memory: the type and the extents say so, and the row's number is the position.
// CHECK-LABEL: func.func @contiguous_rows
// CHECK:       gpu.launch
// CHECK-NOT:     arith.remui
// CHECK:         llvm.load
// CHECK-NOT:     arith.remui
// CHECK:       np.class = "rows"
func.func @contiguous_rows(%x: memref<?x?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?x?xf64>
  %l = memref.dim %x, %c2 : memref<?x?x?xf64>
  %y = np.alloc(%n, %m) : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %s = scf.parallel (%k) = (%c0) to (%l) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %j, %k] : memref<?x?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i, %j] : memref<?x?xf64>
  }
  return
}

// Two columns: a thread for each would be few, and walk alone. The line that is contiguous too is shared.
// CHECK-LABEL: func.func @few_columns
// CHECK:         np.class = "rows"
func.func @few_columns(%near: memref<?x?xf64>, %points: memref<?x?xf64>, %out: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %near, %c0 : memref<?x?xf64>
  np.kernel (%i, %axis) = (%n, %c2) {
    %sum = scf.parallel (%j) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
      %w = memref.load %near[%i, %j] : memref<?x?xf64>
      %p = memref.load %points[%j, %axis] : memref<?x?xf64>
      %v = arith.mulf %w, %p : f64
      scf.reduce(%v : f64) {
      ^bb0(%a: f64, %b: f64):
        %s = arith.addf %a, %b : f64
        scf.reduce.return %s : f64
      }
    }
    memref.store %sum, %out[%i, %axis] : memref<?x?xf64>
  }
  return
}

// Rows of 16 in one sum, in the call that the code is compiled for: along the last axis most of a block's threads would have no element, so that
// both axes are numbered as one.
// CHECK-LABEL: func.func @narrow
// CHECK:       gpu.launch
// CHECK:         scf.for
// CHECK:           arith.remui %{{.*}}, %c16
// CHECK:           arith.divui %{{.*}}, %c16
// CHECK-NOT:     vector<
// CHECK:         gpu.shuffle
func.func @narrow(%x: memref<?x16xf64> {np.first = array<i64: 200, 16, 0>}, %m: memref<?xf64> {np.first = array<i64: 200, 0>}) -> memref<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x16xf64>
  %y = np.alloc() : memref<f64>
  np.kernel rows (%one) = (%c1) {
    %s = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c16) step (%c1, %c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %j] : memref<?x16xf64>
      %v = memref.load %m[%i] : memref<?xf64>
      %w = arith.mulf %u, %v : f64
      scf.reduce(%w : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[] : memref<f64>
  }
  return %y : memref<f64>
}

// Rows that are long whatever the extents are have a block each: that is no question, and there is no code for short ones.
// CHECK-LABEL: func.func @known_to_be_long(
// CHECK-SAME:    %[[X:.*]]: memref<?x?xf64>,
// CHECK:       %[[ROWS:.*]] = memref.dim %[[X]], %c0
// CHECK:       gpu.launch blocks({{.*}}) in (%{{.*}} = %[[ROWS]], {{.*}} threads({{.*}} = %c256
// CHECK:       np.class = "rows"
func.func @known_to_be_long(%x: memref<?x?xf64>, %y: memref<?xf64>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %some = arith.maxsi %k, %c1 : index
  %m = arith.muli %some, %c4096 overflow<nsw> : index
  np.kernel rows (%i) = (%n) {
    %s = scf.parallel (%j) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %j] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}
