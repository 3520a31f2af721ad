// RUN: npcc-opt %s --npcc-bfloat-bits | FileCheck %s

// CHECK-LABEL: llvm.func @widen(%arg0: !llvm.ptr, %arg1: i16) -> f64
// CHECK:         %[[X:.*]] = llvm.load %arg0 : !llvm.ptr -> i16
// CHECK:         %[[BITS:.*]] = llvm.zext %[[X]] : i16 to i32
// CHECK:         %[[HIGH:.*]] = llvm.shl %[[BITS]]
// CHECK:         %[[WIDE:.*]] = llvm.bitcast %[[HIGH]] : i32 to f32
// CHECK:         llvm.fpext %[[WIDE]] : f32 to f64
llvm.func @widen(%p: !llvm.ptr, %y: bf16) -> f64 {
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, bf16
  %x = llvm.load %p : !llvm.ptr -> bf16
  llvm.store %y, %q : bf16, !llvm.ptr
  %z = llvm.fpext %x : bf16 to f64
  llvm.return %z : f64
}

// Across blocks, beside constants, in comparisons.
// CHECK-LABEL: llvm.func @carried
// CHECK:         llvm.mlir.constant(16256 : i16) : i16
// CHECK:         llvm.br ^bb1(%{{.*}} : i16)
// CHECK:       ^bb1(%[[S:.*]]: i16):
// CHECK:         llvm.fcmp "olt" %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     bf16
llvm.func @carried(%i: i16) -> bf16 {
  %one = llvm.mlir.constant(1.0 : bf16) : bf16
  %b = llvm.bitcast %i : i16 to bf16
  llvm.br ^next(%b : bf16)
^next(%s: bf16):
  %less = llvm.fcmp "olt" %s, %one : bf16
  %t = llvm.select %less, %s, %one : i1, bf16
  llvm.cond_br %less, ^next(%t : bf16), ^end
^end:
  llvm.return %t : bf16
}
