// A thread has the whole last axis of a kernel, where that is short and is not one run with the axis before: here the three channels of a picture
// that is multiplied by a number for each channel.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --canonicalize --cse | FileCheck %s

// Rows of three elements follow each other, so four of them are three vectors. What is the same for all rows is loaded once.
// CHECK-LABEL: func.func @channels
// CHECK:       gpu.launch
// CHECK-COUNT-3: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-3: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT:   llvm.load
// CHECK-COUNT-12: arith.mulf
// CHECK-COUNT-3: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>
// The rows that are left when all have their four.
// CHECK:       scf.for
// CHECK-COUNT-3: arith.mulf
// CHECK:       np.class = "map"
func.func @channels(%x: memref<?x3xf32> {np.first = array<i64: 1048575, 3, 0>}, %gain: memref<3xf32> {np.first = array<i64: 3, 0>},
                    %y: memref<?x3xf32> {np.first = array<i64: 1048575, 3, 0>}) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?x3xf32>
  np.kernel (%i, %k) = (%n, %c3) {
    %u = memref.load %x[%i, %k] : memref<?x3xf32>
    %g = memref.load %gain[%k] : memref<3xf32>
    %v = arith.mulf %u, %g : f32
    memref.store %v, %y[%i, %k] : memref<?x3xf32>
  }
  return
}

// Without the number for each channel all of it is one run.
// CHECK-LABEL: func.func @one_run
// CHECK-NOT:   "a short last axis"
// CHECK:       np.class = "map"
func.func @one_run(%x: memref<?x3xf32> {np.first = array<i64: 1048575, 3, 0>}, %y: memref<?x3xf32> {np.first = array<i64: 1048575, 3, 0>})
    attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?x3xf32>
  np.kernel (%i, %k) = (%n, %c3) {
    %u = memref.load %x[%i, %k] : memref<?x3xf32>
    %v = arith.mulf %u, %u : f32
    memref.store %v, %y[%i, %k] : memref<?x3xf32>
  }
  return
}
