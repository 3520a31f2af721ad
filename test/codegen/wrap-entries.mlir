// RUN: npcc-opt %s --npcc-wrap-entries | FileCheck %s
// RUN: npcc-opt %s --npcc-host-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func private @norm(
// CHECK-NOT: np.name
// CHECK: func.func @norm.entry(%[[SLOTS:.*]]: !llvm.ptr)
// CHECK: llvm.getelementptr %[[SLOTS]][0]
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK: llvm.getelementptr %[[SLOTS]][1]
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: llvm.trunc %[[BYTE]] : i8 to i1
// CHECK: %[[R:.*]]:2 = call @norm
// A NumPy scalar, computed in memory of the device.
// CHECK: llvm.getelementptr %[[SLOTS]][2]
// CHECK: llvm.call @npcc_rt_read
// CHECK: llvm.call @npcc_rt_release
// CHECK: llvm.getelementptr %[[SLOTS]][3]
// CHECK: llvm.store %{{.*}} : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, !llvm.ptr

// LLVM: llvm.func @npcc_rt_alloc(i64) -> !llvm.ptr
// LLVM-LABEL: llvm.func @norm(
// LLVM: llvm.call @npcc_rt_alloc
// LLVM: llvm.call @npcc_rt_retain
// LLVM-LABEL: llvm.func @norm.entry(
// LLVM-NOT: unrealized_conversion_cast
func.func @norm(%a: memref<?xf64> {np.name = "a"}, %flag: i1) -> (memref<f64> {np.scalar}, memref<?xf64>) {
  %s = np.alloc() : memref<f64>
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<?xf64>
  memref.store %x, %s[] : memref<f64>
  np.retain %a : memref<?xf64>
  return %s, %a : memref<f64>, memref<?xf64>
}

// CHECK: func.func @other.name(
func.func @named() attributes {np.entry = "other.name"} {
  return
}
