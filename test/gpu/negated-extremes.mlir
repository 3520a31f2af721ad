// ptxas forgets the sign of an operand of maxima and minima: it is not shown negations of such numbers.
// RUN: npcc-opt %s --split-input-file --npcc-launches-to-images | FileCheck %s
// RUN: npcc-opt %s --split-input-file --npcc-launches-to-images | FileCheck %s --check-prefix=ONE

// ONE-COUNT-1: neg.s32
// ONE-NOT:     neg.s32

// CHECK:      np.ptx = "{{.*}}.visible .entry extremes_kernel_0
// CHECK-SAME: add.s32 [[LESS:%r[0-9]+]], {{%r[0-9]+}}, -1;
// CHECK-SAME: not.b32 {{[^%]*}}[[NEGATED:%r[0-9]+]], [[LESS]];
// CHECK-SAME: max.s32 {{[^,]*}}, {{%r[0-9]+}}, [[NEGATED]];
func.func @extremes(%p: !llvm.ptr<1>, %a: i32, %b: i32) attributes {np.target = "cuda"} {
  %one = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %one, %gy = %one, %gz = %one) threads(%t, %u, %v) in (%bx = %one, %by = %one, %bz = %one) {
    %zero = arith.constant 0 : i32
    %n = arith.subi %zero, %b : i32
    %m = arith.maxsi %a, %n : i32
    llvm.store %m, %p : i32, !llvm.ptr<1>
    gpu.terminator
  }
  return
}

// -----

// Without one the negation stays: it is one instruction.
// CHECK:      np.ptx = "{{.*}}.visible .entry negation_kernel_0
// CHECK-SAME: neg.s32
func.func @negation(%p: !llvm.ptr<1>, %b: i32) attributes {np.target = "cuda"} {
  %one = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %one, %gy = %one, %gz = %one) threads(%t, %u, %v) in (%bx = %one, %by = %one, %bz = %one) {
    %zero = arith.constant 0 : i32
    %n = arith.subi %zero, %b : i32
    llvm.store %n, %p : i32, !llvm.ptr<1>
    gpu.terminator
  }
  return
}
