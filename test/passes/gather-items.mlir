// RUN: npcc-opt %s --npcc-gather-items | FileCheck %s
// RUN: npcc-opt %s --npcc-gather-items --npcc-fuse | FileCheck %s --check-prefix=FUSED

// The greatest and the least element are found in one walk, before the host reads one of them.
// CHECK-LABEL: func.func @both
// CHECK:       np.new
// CHECK:       np.new
// CHECK:       np.item
// CHECK:       np.item
// CHECK:       np.assert
// FUSED-LABEL: func.func @both
// FUSED:       np.kernel
// FUSED:         memref.store
// FUSED:         memref.store
// FUSED-NOT:   np.kernel
// FUSED:       return
func.func @both(%x: !np.array<?xi64>) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %loaded = np.load %x : !np.array<?xi64> -> tensor<?xi64>
  %most = np.reduce "maximum" %loaded axes [0] : tensor<?xi64> -> tensor<i64>
  %a = np.new %most : tensor<i64> -> !np.array<i64>
  %a_value = np.load %a : !np.array<i64> -> tensor<i64>
  %largest = np.item %a_value : tensor<i64> -> i64
  %few = np.reduce "minimum" %loaded axes [0] : tensor<?xi64> -> tensor<i64>
  %b = np.new %few : tensor<i64> -> !np.array<i64>
  %b_value = np.load %b : !np.array<i64> -> tensor<i64>
  %least = np.item %b_value : tensor<i64> -> i64
  %holds = arith.cmpi sge, %least, %zero : i64
  np.assert %holds, "ValueError" "negative"()
  return %largest, %least : i64, i64
}

// The second array is made of the first number.
// CHECK-LABEL: func.func @needed
// CHECK:       np.new
// CHECK:       np.item
// CHECK:       np.new
// CHECK:       np.item
func.func @needed(%x: !np.array<?xi64>) -> i64 {
  %loaded = np.load %x : !np.array<?xi64> -> tensor<?xi64>
  %most = np.reduce "maximum" %loaded axes [0] : tensor<?xi64> -> tensor<i64>
  %a = np.new %most : tensor<i64> -> !np.array<i64>
  %a_value = np.load %a : !np.array<i64> -> tensor<i64>
  %largest = np.item %a_value : tensor<i64> -> i64
  %difference = np.ufunc "subtract"(%loaded, %largest) : (tensor<?xi64>, i64) -> tensor<?xi64>
  %sum = np.reduce "add" %difference axes [0] : tensor<?xi64> -> tensor<i64>
  %b = np.new %sum : tensor<i64> -> !np.array<i64>
  %b_value = np.load %b : !np.array<i64> -> tensor<i64>
  %result = np.item %b_value : tensor<i64> -> i64
  return %result : i64
}

// What is stored between shows: the second number is read behind it, and the first one stays before it.
// CHECK-LABEL: func.func @stored
// CHECK:       np.item
// CHECK:       np.store
// CHECK:       np.new
func.func @stored(%x: !np.array<?xi64>, %other: !np.array<?xi64>) -> (i64, i64) {
  %y = np.load %other : !np.array<?xi64> -> tensor<?xi64>
  %loaded = np.load %x : !np.array<?xi64> -> tensor<?xi64>
  %most = np.reduce "maximum" %loaded axes [0] : tensor<?xi64> -> tensor<i64>
  %a = np.new %most : tensor<i64> -> !np.array<i64>
  %a_value = np.load %a : !np.array<i64> -> tensor<i64>
  %largest = np.item %a_value : tensor<i64> -> i64
  np.store %y, %x : tensor<?xi64>, !np.array<?xi64>
  %few = np.reduce "minimum" %y axes [0] : tensor<?xi64> -> tensor<i64>
  %b = np.new %few : tensor<i64> -> !np.array<i64>
  %b_value = np.load %b : !np.array<i64> -> tensor<i64>
  %least = np.item %b_value : tensor<i64> -> i64
  return %largest, %least : i64, i64
}
