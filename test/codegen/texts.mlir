// RUN: npcc-opt %s --npcc-convert-host-to-llvm | FileCheck %s

// What the runtime makes of strings: its own functions by their names, Python's by one that takes theirs.
// CHECK-LABEL: llvm.func @functions
// CHECK-SAME: %[[S:.*]]: i64, %[[K:.*]]: i64
// CHECK: %[[C:.*]] = llvm.call @npcc_rt_text_at(%[[S]], %[[K]]) : (i64, i64) -> i64
// CHECK: llvm.store %[[C]], %{{.*}} : i64, !llvm.ptr
// CHECK: %[[U:.*]] = llvm.call @npcc_rt_text_method(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i32, !llvm.ptr) -> i64
// CHECK: llvm.return %[[U]]
func.func @functions(%s: i64, %k: i64) -> i64 {
  %c = np.text_function "at"(%s, %k)
  %u = np.text_function "upper:t>t"(%c)
  return %u : i64
}
