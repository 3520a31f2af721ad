// A loop of few accesses keeps a pointer for each of them, which goes on by a sum. One of many computes addresses from
// its counter: registers are what decides how many threads a multiprocessor holds.
// RUN: npcc-opt %s --npcc-launches-to-images | sed 's/\\0A/\n/g; s/\\09//g' > %t
// RUN: FileCheck %s < %t --check-prefix=FEW
// RUN: FileCheck %s < %t --check-prefix=MANY

// FEW:      .visible .entry few_kernel_0(
// FEW:      ld.global.b32 {{.*}}, [[[POINTER:%rd[0-9]+]]];
// FEW:      add.s64 [[POINTER]], [[POINTER]], %rd
// FEW:      bra
func.func @few(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64, %step: i64) attributes {np.target = "cuda"} {
  %one = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %d) in (%gx = %one, %gy = %one, %gz = %one) threads(%t, %e, %g) in (%bx = %one, %by = %one, %bz = %one) {
    %k0 = arith.constant 0 : i64
    %rows = arith.constant 2 : i64
    %zero = arith.constant 0.0 : f32
    %r = scf.for %k = %k0 to %n step %rows iter_args(%s0 = %zero) -> (f32) : i64 {
      %p0 = arith.muli %k, %step : i64
      %a0 = llvm.getelementptr %x[%p0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v0 = llvm.load %a0 : !llvm.ptr<1> -> f32
      %s1 = arith.addf %s0, %v0 : f32
      %p1 = arith.addi %p0, %step : i64
      %a1 = llvm.getelementptr %x[%p1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v1 = llvm.load %a1 : !llvm.ptr<1> -> f32
      %s2 = arith.addf %s1, %v1 : f32
      scf.yield %s2 : f32
    }
    llvm.store %r, %y : f32, !llvm.ptr<1>
    gpu.terminator
  }
  return
}

// MANY:          .visible .entry many_kernel_0(
// MANY-COUNT-12: ld.global.b32
// MANY-NOT:      add.s64 [[POINTER:%rd[0-9]+]], [[POINTER]], %rd
// MANY:          bra
func.func @many(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64, %step: i64) attributes {np.target = "cuda"} {
  %one = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %d) in (%gx = %one, %gy = %one, %gz = %one) threads(%t, %e, %g) in (%bx = %one, %by = %one, %bz = %one) {
    %k0 = arith.constant 0 : i64
    %rows = arith.constant 12 : i64
    %zero = arith.constant 0.0 : f32
    %r = scf.for %k = %k0 to %n step %rows iter_args(%s0 = %zero) -> (f32) : i64 {
      %p0 = arith.muli %k, %step : i64
      %a0 = llvm.getelementptr %x[%p0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v0 = llvm.load %a0 : !llvm.ptr<1> -> f32
      %s1 = arith.addf %s0, %v0 : f32
      %p1 = arith.addi %p0, %step : i64
      %a1 = llvm.getelementptr %x[%p1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v1 = llvm.load %a1 : !llvm.ptr<1> -> f32
      %s2 = arith.addf %s1, %v1 : f32
      %p2 = arith.addi %p1, %step : i64
      %a2 = llvm.getelementptr %x[%p2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v2 = llvm.load %a2 : !llvm.ptr<1> -> f32
      %s3 = arith.addf %s2, %v2 : f32
      %p3 = arith.addi %p2, %step : i64
      %a3 = llvm.getelementptr %x[%p3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v3 = llvm.load %a3 : !llvm.ptr<1> -> f32
      %s4 = arith.addf %s3, %v3 : f32
      %p4 = arith.addi %p3, %step : i64
      %a4 = llvm.getelementptr %x[%p4] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v4 = llvm.load %a4 : !llvm.ptr<1> -> f32
      %s5 = arith.addf %s4, %v4 : f32
      %p5 = arith.addi %p4, %step : i64
      %a5 = llvm.getelementptr %x[%p5] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v5 = llvm.load %a5 : !llvm.ptr<1> -> f32
      %s6 = arith.addf %s5, %v5 : f32
      %p6 = arith.addi %p5, %step : i64
      %a6 = llvm.getelementptr %x[%p6] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v6 = llvm.load %a6 : !llvm.ptr<1> -> f32
      %s7 = arith.addf %s6, %v6 : f32
      %p7 = arith.addi %p6, %step : i64
      %a7 = llvm.getelementptr %x[%p7] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v7 = llvm.load %a7 : !llvm.ptr<1> -> f32
      %s8 = arith.addf %s7, %v7 : f32
      %p8 = arith.addi %p7, %step : i64
      %a8 = llvm.getelementptr %x[%p8] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v8 = llvm.load %a8 : !llvm.ptr<1> -> f32
      %s9 = arith.addf %s8, %v8 : f32
      %p9 = arith.addi %p8, %step : i64
      %a9 = llvm.getelementptr %x[%p9] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v9 = llvm.load %a9 : !llvm.ptr<1> -> f32
      %s10 = arith.addf %s9, %v9 : f32
      %p10 = arith.addi %p9, %step : i64
      %a10 = llvm.getelementptr %x[%p10] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v10 = llvm.load %a10 : !llvm.ptr<1> -> f32
      %s11 = arith.addf %s10, %v10 : f32
      %p11 = arith.addi %p10, %step : i64
      %a11 = llvm.getelementptr %x[%p11] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v11 = llvm.load %a11 : !llvm.ptr<1> -> f32
      %s12 = arith.addf %s11, %v11 : f32
      scf.yield %s12 : f32
    }
    llvm.store %r, %y : f32, !llvm.ptr<1>
    gpu.terminator
  }
  return
}
