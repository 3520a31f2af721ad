// RUN: npcc-opt %s --npcc-convert-host-to-llvm | FileCheck %s

// A part that Python runs: its text, and the bits of its arguments in an array. Nobody reads what it gives, and it is run all the same.
// CHECK-LABEL: llvm.func @stored
// CHECK-SAME: %[[LIST:.*]]: i64, %[[ITEM:.*]]: i64
// CHECK-DAG: llvm.store %[[LIST]], %{{.*}} : i64, !llvm.ptr
// CHECK-DAG: llvm.store %[[ITEM]], %{{.*}} : i64, !llvm.ptr
// CHECK: llvm.call @npcc_rt_text_method(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i32, !llvm.ptr) -> i64
func.func @stored(%list: i64, %item: i64) {
  %none = np.python "python {}:oi>o"(%list, %item)
  return
}
