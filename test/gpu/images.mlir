// Launches to kernels, kernels to PTX and (with ptxas) cubin, images to constants that npcc_rt_launch takes.
// REQUIRES: ptxas
// RUN: npcc-opt %s --npcc-outline-launches | FileCheck %s --check-prefix=OUTLINE
// RUN: npcc-opt %s --npcc-launches-to-images | FileCheck %s --check-prefix=IMAGE
// RUN: npcc-opt %s --npcc-launches-to-images --npcc-embed-kernels | FileCheck %s --check-prefix=EMBED

// RUN: npcc-opt %s --npcc-launches-to-images | FileCheck %s --check-prefix=IMAGE
// RUN: not npcc-opt %s --npcc-compile-kernels=arch=volta 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: 'volta' is no GPU architecture

// What the launch captures are parameters; constants are not.
// OUTLINE:       gpu.launch_func @kernels::@step_map_0 {{.*}} args(%{{.*}} : !llvm.ptr<1>, %{{.*}} : f64)
// OUTLINE:       gpu.func @step_map_0(%{{.*}}: !llvm.ptr<1>, %{{.*}}: f64) kernel attributes {{.*}}known_block_size = array<i32: 256, 1, 1>

// NumPy's bits: products and sums are rounded one by one; libdevice is linked, so nothing is left undefined.
// IMAGE:         npcc.cubin = "
// IMAGE-SAME:    npcc.ptx = "{{.*}}.visible .entry step_map_0
// IMAGE-NOT:     .extern .func
// IMAGE-SAME:    mul.rn.f64
// IMAGE-SAME:    add.rn.f64

// EMBED-DAG:     llvm.mlir.global internal @kernel.step_map_0()
// EMBED-DAG:     llvm.mlir.global internal @image.kernels()
// EMBED-DAG:     llvm.mlir.global internal constant @cubin.kernels
// EMBED:         llvm.call @npcc_rt_launch
// EMBED-NOT:     gpu.
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
    %x = arith.addf %w, %f : f64
    %y = math.erf %x : f64
    llvm.store %y, %q : f64, !llvm.ptr<1>
    gpu.terminator
  } {npcc.class = "map"}
  return
}
