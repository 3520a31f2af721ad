// Comparisons in a thread's function that the ranges of its numbers decide.
// RUN: npcc-opt %s --npcc-simplify-thread-positions --canonicalize | FileCheck %s

// range(grid(1), n, gridsize(1)): no item counts from the end, and the loop goes up.
// CHECK-LABEL: func.func private @stride
// CHECK:       scf.for
// CHECK-NOT:     arith.select
// CHECK:         memref.load %arg0[%{{.*}}]
// CHECK-LABEL: func.func private @from_the_end
func.func private @stride(%x: memref<?xf32>, %y: memref<?xf32>) attributes {np.thread = "stride"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = gpu.block_dim x upper_bound 1024
  %block = gpu.block_id x upper_bound 2147483647
  %first = arith.muli %block, %size : index
  %thread = gpu.thread_id x upper_bound 1024
  %start = arith.addi %first, %thread : index
  %blocks = gpu.grid_dim x upper_bound 2147483647
  %step = arith.muli %size, %blocks : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %up = arith.cmpi sgt, %step, %c0 : index
  %forward = arith.subi %n, %start : index
  %backward = arith.subi %start, %n : index
  %distance = arith.select %up, %forward, %backward : index
  %minus = arith.subi %c0, %step : index
  %magnitude = arith.select %up, %step, %minus : index
  %most = arith.maxsi %distance, %c0 : index
  %trips = arith.ceildivsi %most, %magnitude : index
  scf.for %k = %c0 to %trips step %c1 {
    %offset = arith.muli %k, %step : index
    %i = arith.addi %start, %offset : index
    %negative = arith.cmpi slt, %i, %c0 : index
    %back = arith.addi %i, %n : index
    %position = arith.select %negative, %back, %i : index
    %v = memref.load %x[%position] : memref<?xf32>
    memref.store %v, %y[%position] : memref<?xf32>
  }
  return
}

// A position that may be below zero keeps its comparison: one in front of a thread's own, or along a step that nothing is known of.
// CHECK:       arith.cmpi slt
// CHECK:       arith.select
// CHECK:       scf.for
// CHECK:         arith.cmpi slt
// CHECK:         arith.select
func.func private @from_the_end(%x: memref<?xf32>, %step: index) attributes {np.thread = "from_the_end"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %thread = gpu.thread_id x upper_bound 1024
  %n = memref.dim %x, %c0 : memref<?xf32>
  %before = arith.subi %thread, %c1 : index
  %negative = arith.cmpi slt, %before, %c0 : index
  %back = arith.addi %before, %n : index
  %position = arith.select %negative, %back, %before : index
  %v = memref.load %x[%position] : memref<?xf32>
  %up = arith.cmpi sgt, %step, %c0 : index
  %forward = arith.subi %n, %thread : index
  %backward = arith.subi %thread, %n : index
  %distance = arith.select %up, %forward, %backward : index
  %minus = arith.subi %c0, %step : index
  %magnitude = arith.select %up, %step, %minus : index
  %most = arith.maxsi %distance, %c0 : index
  %trips = arith.ceildivsi %most, %magnitude : index
  scf.for %k = %c0 to %trips step %c1 {
    %offset = arith.muli %k, %step : index
    %i = arith.addi %thread, %offset : index
    %below = arith.cmpi slt, %i, %c0 : index
    %other = arith.addi %i, %n : index
    %place = arith.select %below, %other, %i : index
    memref.store %v, %x[%place] : memref<?xf32>
  }
  return
}
