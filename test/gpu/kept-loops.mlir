// The assembler does not copy the body of a loop whose iterations have many loads together already.
// RUN: npcc-opt %s --npcc-launches-to-images | sed 's/\\0A/\n/g; s/\\09//g' > %t
// RUN: FileCheck %s < %t --check-prefix=FEW
// RUN: FileCheck %s < %t --check-prefix=MANY

// FEW:      .visible .entry few_kernel_0(
// FEW-NOT:  nounroll
// FEW:      bra
// FEW:      }
func.func @few(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64) attributes {np.target = "cuda"} {
  %one = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %d) in (%gx = %one, %gy = %one, %gz = %one) threads(%t, %e, %g) in (%bx = %one, %by = %one, %bz = %one) {
    %k0 = arith.constant 0 : i64
    %rows = arith.constant 2 : i64
    %zero = arith.constant 0.0 : f32
    %r = scf.for %k = %k0 to %n step %rows iter_args(%s0 = %zero) -> (f32) : i64 {
      %c0 = arith.constant 0 : i64
      %p0 = arith.addi %k, %c0 : i64
      %a0 = llvm.getelementptr %x[%p0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v0 = llvm.load %a0 : !llvm.ptr<1> -> f32
      %s1 = arith.addf %s0, %v0 : f32
      %c1 = arith.constant 1 : i64
      %p1 = arith.addi %k, %c1 : i64
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

// MANY:     .visible .entry many_kernel_0(
// MANY:     .pragma {{.*}}nounroll
// MANY:     bra
func.func @many(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64) attributes {np.target = "cuda"} {
  %one = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %d) in (%gx = %one, %gy = %one, %gz = %one) threads(%t, %e, %g) in (%bx = %one, %by = %one, %bz = %one) {
    %k0 = arith.constant 0 : i64
    %rows = arith.constant 8 : i64
    %zero = arith.constant 0.0 : f32
    %r = scf.for %k = %k0 to %n step %rows iter_args(%s0 = %zero) -> (f32) : i64 {
      %c0 = arith.constant 0 : i64
      %p0 = arith.addi %k, %c0 : i64
      %a0 = llvm.getelementptr %x[%p0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v0 = llvm.load %a0 : !llvm.ptr<1> -> f32
      %s1 = arith.addf %s0, %v0 : f32
      %c1 = arith.constant 1 : i64
      %p1 = arith.addi %k, %c1 : i64
      %a1 = llvm.getelementptr %x[%p1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v1 = llvm.load %a1 : !llvm.ptr<1> -> f32
      %s2 = arith.addf %s1, %v1 : f32
      %c2 = arith.constant 2 : i64
      %p2 = arith.addi %k, %c2 : i64
      %a2 = llvm.getelementptr %x[%p2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v2 = llvm.load %a2 : !llvm.ptr<1> -> f32
      %s3 = arith.addf %s2, %v2 : f32
      %c3 = arith.constant 3 : i64
      %p3 = arith.addi %k, %c3 : i64
      %a3 = llvm.getelementptr %x[%p3] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v3 = llvm.load %a3 : !llvm.ptr<1> -> f32
      %s4 = arith.addf %s3, %v3 : f32
      %c4 = arith.constant 4 : i64
      %p4 = arith.addi %k, %c4 : i64
      %a4 = llvm.getelementptr %x[%p4] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v4 = llvm.load %a4 : !llvm.ptr<1> -> f32
      %s5 = arith.addf %s4, %v4 : f32
      %c5 = arith.constant 5 : i64
      %p5 = arith.addi %k, %c5 : i64
      %a5 = llvm.getelementptr %x[%p5] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v5 = llvm.load %a5 : !llvm.ptr<1> -> f32
      %s6 = arith.addf %s5, %v5 : f32
      %c6 = arith.constant 6 : i64
      %p6 = arith.addi %k, %c6 : i64
      %a6 = llvm.getelementptr %x[%p6] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v6 = llvm.load %a6 : !llvm.ptr<1> -> f32
      %s7 = arith.addf %s6, %v6 : f32
      %c7 = arith.constant 7 : i64
      %p7 = arith.addi %k, %c7 : i64
      %a7 = llvm.getelementptr %x[%p7] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v7 = llvm.load %a7 : !llvm.ptr<1> -> f32
      %s8 = arith.addf %s7, %v7 : f32
      scf.yield %s8 : f32
    }
    llvm.store %r, %y : f32, !llvm.ptr<1>
    gpu.terminator
  }
  return
}
