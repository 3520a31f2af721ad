// RUN: npcc-opt %s --npcc-fuse --cse | FileCheck %s
// The memory of a strided array as one line: from its lowest element on. Strides are those of the view in memory.

// CHECK-LABEL: func @windows
// CHECK: %{{.*}}, %[[OFFSET:.*]], %[[SIZE:.*]], %[[STRIDE:.*]] = memref.extract_strided_metadata %arg0
// CHECK: %[[BEFORE:.*]] = arith.subi %[[SIZE]], %{{.*}}
// CHECK: %[[LAST:.*]] = arith.maxsi %[[BEFORE]], %{{.*}}
// CHECK: %[[WAY:.*]] = arith.muli %[[LAST]], %[[STRIDE]]
// CHECK: %[[LOW:.*]] = arith.minsi %[[WAY]], %{{.*}}
// CHECK: %[[LOWEST:.*]] = arith.addi %[[OFFSET]], %[[LOW]]
// CHECK: memref.reinterpret_cast %arg0 to offset: [%[[LOWEST]]], sizes: [%arg1], strides: [%{{.*}}]
// CHECK: np.kernel
func.func @windows(%a: !np.array<?xf64, strided>, %length: index, %n: index, %out: !np.array<?x?xf64>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stride = np.stride %a, 0 : !np.array<?xf64, strided>
  %line = np.part "line" %a extents [%length] : !np.array<?xf64, strided> -> !np.array<?xf64, strided>
  %view = np.view %line offsets [%c0] axes [0, 0] extents [%n, %n] steps [%stride, %c1] : !np.array<?xf64, strided> -> !np.array<?x?xf64, strided>
  %x = np.load %view : !np.array<?x?xf64, strided> -> tensor<?x?xf64>
  np.store %x, %out : tensor<?x?xf64>, !np.array<?x?xf64>
  return %stride : index
}
