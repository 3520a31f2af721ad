// A launch becomes a kernel of the one gpu.module. What it captures are parameters; constants are not.
// RUN: npcc-opt %s --npcc-outline-launches | FileCheck %s

// CHECK-LABEL: func.func @step
// CHECK-NOT:     gpu.launch blocks
// CHECK:         gpu.launch_func @kernels::@step_map_0 {{.*}} args(%{{.*}} : !llvm.ptr<1>, %{{.*}} : f64)
// CHECK:       gpu.module @kernels
// CHECK:         gpu.func @step_map_0(%{{.*}}: !llvm.ptr<1>, %{{.*}}: f64) kernel attributes {{.*}}known_block_size = array<i32: 256, 1, 1>
// CHECK:           arith.constant 256
func.func @step(%p: !llvm.ptr<1>, %n: index, %f: f64) attributes {np.target = "cuda"} {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%a, %b, %c) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%d, %e, %g) in (%bx = %c256, %by = %c1, %bz = %c1) {
    %i0 = arith.muli %a, %c256 : index
    %i1 = arith.addi %i0, %d : index
    %i = arith.index_cast %i1 : index to i64
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f64
    %v = llvm.load %q : !llvm.ptr<1> -> f64
    %w = arith.mulf %v, %f : f64
    llvm.store %w, %q : f64, !llvm.ptr<1>
    gpu.terminator
  } {np.class = "map"}
  return
}

// A block of three axes, all of them known.
// CHECK: gpu.func @deep_map_0({{.*}}) kernel attributes {{.*}}known_block_size = array<i32: 4, 4, 16>
func.func @deep(%p: !llvm.ptr<1>, %n: index, %f: f64) attributes {np.target = "cuda"} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%a, %b, %c) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%d, %e, %g) in (%bx = %c4, %by = %c4, %bz = %c16) {
    %i = arith.index_cast %g : index to i64
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f64
    llvm.store %f, %q : f64, !llvm.ptr<1>
    gpu.terminator
  } {np.class = "map"}
  return
}
