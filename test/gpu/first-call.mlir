// What is known of the call that the code is compiled for decides what is emitted at all. What that takes for granted is
// a condition of the calls that run the code.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --npcc-plan-alternatives --canonicalize --cse | FileCheck %s

// Fewer elements than the device has threads: each has one, and there are no vectors, tiles and loops over them.
// CHECK-LABEL: func.func @few
// CHECK:       gpu.launch
// CHECK-NOT:     scf.for
// CHECK-NOT:     vector<2xf64>
// CHECK:       np.class = "map"
// CHECK:       func.func @few.choice
// CHECK:         %[[FEW:.*]] = arith.cmpi sle, %{{.*}}, %c262144
// CHECK:         %[[ALL:.*]] = arith.andi %[[FEW]], %{{.*}} : i1
// CHECK:         return %[[ALL]]
func.func @few(%x: memref<?xf64> {np.first = array<i64: 1000, 0>}, %f: f64) attributes {np.choice = "few.choice.entry"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %v = arith.mulf %u, %f : f64
    memref.store %v, %x[%i] : memref<?xf64>
  }
  return
}

// Whole vectors alone have no code for single elements beside theirs; an element more, and they have.
// CHECK-LABEL: func.func @many(
// CHECK:       gpu.launch
// CHECK:         llvm.load {{.*}} -> vector<2xf64>
// CHECK-NOT:     llvm.load {{.*}} -> f64
// CHECK:       np.class = "map"
// CHECK-LABEL: func.func @many_and_one(
// CHECK:       gpu.launch
// CHECK:         llvm.load {{.*}} -> vector<2xf64>
// CHECK:         llvm.load {{.*}} -> f64
// CHECK:       np.class = "map"
func.func @many(%x: memref<?xf64> {np.first = array<i64: 1000000, 0>}, %f: f64) attributes {np.choice = "many.choice.entry"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %v = arith.mulf %u, %f : f64
    memref.store %v, %x[%i] : memref<?xf64>
  }
  return
}

func.func @many_and_one(%x: memref<?xf64> {np.first = array<i64: 1000001, 0>}, %f: f64) attributes {np.choice = "many_and_one.choice.entry"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %v = arith.mulf %u, %f : f64
    memref.store %v, %x[%i] : memref<?xf64>
  }
  return
}

// Rows of whole vectors that are shorter than a round of all threads: the vectors that a thread has, all at once. That are
// two where a block of 256 has 500.
// CHECK-LABEL: func.func @rows
// CHECK:       gpu.launch
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<2xf64>
// CHECK-NOT:     llvm.load
// CHECK:       np.class = "rows"
func.func @rows(%x: memref<?x?xf64> {np.first = array<i64: 1000, 1000, 0>}, %y: memref<?xf64> {np.first = array<i64: 1000, 0>})
    attributes {np.choice = "rows.choice.entry"} {
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
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// Columns keep their code for single ones: ptxas makes better code of vectors beside it.
// CHECK-LABEL: func.func @columns(
// CHECK:       gpu.launch
// CHECK:         llvm.load {{.*}} -> vector<2xf64>
// CHECK:         llvm.load {{.*}} -> f64
// CHECK:       np.class = "columns"
func.func @columns(%x: memref<?x?xf64> {np.first = array<i64: 1000, 1000, 0>}, %y: memref<?xf64> {np.first = array<i64: 1000, 0>})
    attributes {np.choice = "columns.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
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

// Rows as long as the loop around them has come, at most 99 elements: none is as long as a round, and the code for
// rounds is left out. That holds for calls whose loop is as short.
// CHECK-LABEL: func.func @growing(
// CHECK:       gpu.launch
// CHECK-COUNT-4: llvm.load {{.*}} -> f64
// CHECK-NOT:     llvm.load
// CHECK:       np.class = "rows"
// CHECK:       func.func @growing.choice
// CHECK:         arith.cmpi slt, %{{.*}}, %c2048
func.func @growing(%x: memref<?xf64> {np.first = array<i64: 100, 0>}, %y: memref<?xf64> {np.first = array<i64: 100, 0>})
    attributes {np.choice = "growing.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel steps (%unit) = (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %s = scf.parallel (%k) = (%c0) to (%i) step (%c1) init (%z) -> f64 {
        %u = memref.load %x[%k] : memref<?xf64>
        scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
          %t = arith.addf %a, %b : f64
          scf.reduce.return %t : f64 }
      }
      memref.store %s, %y[%i] : memref<?xf64>
    }
  }
  return
}

// The same with bounds that are computed in the kernel, and with a length that is computed there and is the same in all
// iterations: the host computes them, too.
// CHECK-LABEL: func.func @growing_inside(
// CHECK:       gpu.launch
// CHECK-COUNT-4: llvm.load {{.*}} -> f64
// CHECK-NOT:     llvm.load
// CHECK:       np.class = "rows"
func.func @growing_inside(%x: memref<?xf64> {np.first = array<i64: 100, 0>}, %y: memref<?xf64> {np.first = array<i64: 100, 0>})
    attributes {np.choice = "growing_inside.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel steps (%unit) = (%c1) {
    %two = arith.constant 2 : index
    %most = arith.subi %n, %two : index
    scf.for %i = %c0 to %most step %c1 {
      %s = scf.parallel (%k) = (%c0) to (%i) step (%c1) init (%z) -> f64 {
        %u = memref.load %x[%k] : memref<?xf64>
        scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
          %t = arith.addf %a, %b : f64
          scf.reduce.return %t : f64 }
      }
      memref.store %s, %y[%i] : memref<?xf64>
    }
  }
  return
}

// CHECK-LABEL: func.func @alike(
// CHECK:       gpu.launch
// CHECK-COUNT-1: llvm.load {{.*}} -> f64
// CHECK-NOT:     llvm.load
// CHECK:         gpu.barrier
// CHECK:         memref.load {{.*}}workgroup
// CHECK:         gpu.barrier
// CHECK:       np.class = "rows"
func.func @alike(%x: memref<?xf64> {np.first = array<i64: 100, 0>}, %y: memref<?xf64> {np.first = array<i64: 100, 0>})
    attributes {np.choice = "alike.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel steps (%unit) = (%c1) {
    %two = arith.constant 2 : index
    %most = arith.subi %n, %two : index
    scf.for %i = %c0 to %n step %c1 {
      %s = scf.parallel (%k) = (%c0) to (%most) step (%c1) init (%z) -> f64 {
        %u = memref.load %x[%k] : memref<?xf64>
        scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
          %t = arith.addf %a, %b : f64
          scf.reduce.return %t : f64 }
      }
      memref.store %s, %y[%i] : memref<?xf64>
    }
  }
  return
}

// The host does not know a length that is an element of an array.
// CHECK-LABEL: func.func @loaded(
// CHECK:       gpu.launch
// CHECK-COUNT-8: llvm.load {{.*}} -> f64
// CHECK:       np.class = "rows"
func.func @loaded(%x: memref<?xf64> {np.first = array<i64: 100, 0>}, %y: memref<?xf64> {np.first = array<i64: 100, 0>},
                  %lengths: memref<?xindex> {np.first = array<i64: 100, 0>}) attributes {np.choice = "loaded.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel steps (%unit) = (%c1) {
    scf.for %i = %c0 to %n step %c1 {
      %length = memref.load %lengths[%c0] : memref<?xindex>
      %s = scf.parallel (%k) = (%c0) to (%length) step (%c1) init (%z) -> f64 {
        %u = memref.load %x[%k] : memref<?xf64>
        scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
          %t = arith.addf %a, %b : f64
          scf.reduce.return %t : f64 }
      }
      memref.store %s, %y[%i] : memref<?xf64>
    }
  }
  return
}

// Where nothing is known, there is the code for all calls alone.
// CHECK-LABEL: func.func @anyhow
// CHECK:       gpu.launch
// CHECK:         vector<2xf64>
// CHECK:       np.class = "map"
func.func @anyhow(%x: memref<?xf64>, %f: f64) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %v = arith.mulf %u, %f : f64
    memref.store %v, %x[%i] : memref<?xf64>
  }
  return
}

// One row has a block. Where no thread has more than one vector of it, there is nothing to go round; where it has no more
// elements than the block has threads, each has one.
// CHECK-LABEL: func.func @one_row(
// CHECK:       gpu.launch {{.*}} threads({{.*}} = %c256,
// CHECK:         %[[HAS:.*]] = arith.cmpi slt
// CHECK:         scf.if %[[HAS]]
// CHECK:           llvm.load {{.*}} -> vector<2xf64>
// CHECK-NOT:     llvm.load {{.*}} -> vector<2xf64>
// CHECK:       func.func @one_row.choice
// CHECK:         arith.cmpi sgt, %{{.*}}, %c256
// CHECK:         arith.cmpi slt, %{{.*}}, %c512
// CHECK-NOT:     arith.cmpi s
// CHECK:         return
// CHECK-LABEL: func.func @short_row(
// CHECK:       gpu.launch {{.*}} threads({{.*}} = %c256,
// CHECK:         %[[HAS:.*]] = arith.cmpi slt
// CHECK:         scf.if %[[HAS]]
// CHECK:           llvm.load {{.*}} -> f64
// CHECK-NOT:     llvm.load
// CHECK:       func.func @short_row.choice
// CHECK:         arith.cmpi sle, %{{.*}}, %c256
// CHECK-NOT:     arith.cmpi s
// CHECK:         return
func.func @one_row(%x: memref<?xf64> {np.first = array<i64: 445, 0>}, %y: memref<f64>) attributes {np.choice = "one_row.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%c1) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k] : memref<?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[] : memref<f64>
  }
  return
}

func.func @short_row(%x: memref<?xf64> {np.first = array<i64: 245, 0>}, %y: memref<f64>)
    attributes {np.choice = "short_row.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%c1) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k] : memref<?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[] : memref<f64>
  }
  return
}

// Parts of a row are whole vectors if the row is, for a part is: the last one has what is left.
// CHECK-LABEL: func.func @parts(
// CHECK:       gpu.launch
// CHECK:         llvm.load {{.*}} -> vector<2xf64>
// CHECK-NOT:     llvm.load {{.*}} -> f64
// CHECK:       np.class = "rows"
// CHECK:       func.func @parts.choice(%[[X:.*]]: memref<?xf64>,
// CHECK:         %[[N:.*]] = memref.dim %[[X]]
// CHECK:         arith.andi %[[N]], %c1
// CHECK-LABEL: func.func @parts_and_one(
// CHECK:       gpu.launch
// CHECK:         llvm.load {{.*}} -> vector<2xf64>
// CHECK:         llvm.load {{.*}} -> f64
// CHECK:       np.class = "rows"
func.func @parts(%x: memref<?xf64> {np.first = array<i64: 10000, 0>}, %p: memref<?xf64> {np.first = array<i64: 3, 0>})
    attributes {np.choice = "parts.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %length = arith.constant 4096 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %count = memref.dim %p, %c0 : memref<?xf64>
  np.kernel rows (%i) = (%count) {
    %first = arith.muli %i, %length overflow<nsw> : index
    %left = arith.subi %n, %first overflow<nsw> : index
    %elements = arith.minsi %length, %left : index
    %s = scf.parallel (%o, %k) = (%c0, %c0) to (%c1, %elements) step (%c1, %c1) init (%z) -> f64 {
      %j = arith.addi %first, %k overflow<nsw> : index
      %u = memref.load %x[%j] : memref<?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %p[%i] : memref<?xf64>
  }
  return
}

func.func @parts_and_one(%x: memref<?xf64> {np.first = array<i64: 10001, 0>}, %p: memref<?xf64> {np.first = array<i64: 3, 0>})
    attributes {np.choice = "parts_and_one.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %length = arith.constant 4096 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %count = memref.dim %p, %c0 : memref<?xf64>
  np.kernel rows (%i) = (%count) {
    %first = arith.muli %i, %length overflow<nsw> : index
    %left = arith.subi %n, %first overflow<nsw> : index
    %elements = arith.minsi %length, %left : index
    %s = scf.parallel (%o, %k) = (%c0, %c0) to (%c1, %elements) step (%c1, %c1) init (%z) -> f64 {
      %j = arith.addi %first, %k overflow<nsw> : index
      %u = memref.load %x[%j] : memref<?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %p[%i] : memref<?xf64>
  }
  return
}

// Positions are numbers of 32 bits where arrays are small, and iterations few: their number may be a position, too.
// CHECK-LABEL: func.func @pairs(
// CHECK:       np.class = "rows"
// CHECK-SAME:  np.small_positions
// CHECK-LABEL: func.func @many_pairs(
// CHECK:       np.class = "rows"
// CHECK-NOT:   np.small_positions
// CHECK:       return
func.func @pairs(%x: memref<?xf64> {np.first = array<i64: 10000, 0>}, %y: memref<?xf64> {np.first = array<i64: 10000, 0>}) attributes {np.choice = "pairs.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%j) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
      %v = memref.load %x[%j] : memref<?xf64>
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
func.func @many_pairs(%x: memref<?xf64> {np.first = array<i64: 100000, 0>}, %y: memref<?xf64> {np.first = array<i64: 100000, 0>}) attributes {np.choice = "many_pairs.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%j) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
      %v = memref.load %x[%j] : memref<?xf64>
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
