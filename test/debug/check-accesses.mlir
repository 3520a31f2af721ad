// RUN: npcc-opt %s --npcc-check-accesses | FileCheck %s

// Each position is compared with the extent, and the runtime hears of the element's address, its bytes and the place in the source.
// CHECK-LABEL: func.func @element
// CHECK-SAME:    %[[A:.*]]: memref<?x?xf32>, %[[I:.*]]: index, %[[J:.*]]: index
// CHECK:       %[[ARRAY:.*]] = builtin.unrealized_conversion_cast %[[A]]
// CHECK:       %[[START:.*]] = llvm.extractvalue %[[ARRAY]][1]
// CHECK:       llvm.extractvalue %[[ARRAY]][3, 0]
// CHECK-NEXT:  %[[ROWS:.*]] = arith.index_cast
// CHECK:       llvm.extractvalue %[[ARRAY]][3, 1]
// CHECK-NEXT:  %[[COLUMNS:.*]] = arith.index_cast
// CHECK:       %[[IN:.*]] = arith.cmpi ult, %[[I]], %[[ROWS]] : index
// CHECK-NEXT:  np.assert %[[IN]], "IndexError" "index {0} is out of bounds for axis 0 with size {1}"(%[[I]], %[[ROWS]])
// CHECK:       np.assert %{{.*}}, "IndexError" "index {0} is out of bounds for axis 1 with size {1}"(%[[J]], %[[COLUMNS]])
// CHECK:       %[[ADDRESS:.*]] = llvm.getelementptr %[[START]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK:       %[[BYTES:.*]] = llvm.mlir.constant(4 : i64)
// CHECK:       llvm.call @npcc_rt_debug_read(%[[ADDRESS]], %[[BYTES]], %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, !llvm.ptr, i32) -> ()
// CHECK-NEXT:  memref.load %[[A]][%[[I]], %[[J]]]
// CHECK:       llvm.call @npcc_rt_debug_write
// CHECK-NEXT:  memref.store
func.func @element(%a: memref<?x?xf32>, %i: index, %j: index) {
  %x = memref.load %a[%i, %j] : memref<?x?xf32>
  memref.store %x, %a[%j, %i] : memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @update
// CHECK:       llvm.call @npcc_rt_debug_update
// CHECK-NEXT:  memref.atomic_rmw
func.func @update(%a: memref<?xi64>, %i: index, %x: i64) {
  %old = memref.atomic_rmw addi %x, %a[%i] : (i64, memref<?xi64>) -> i64
  return
}

// A new array is of complex numbers here: 16 bytes each. It is gone with its last reference, which the runtime looks at.
// CHECK-LABEL: func.func @array
// CHECK:       %[[NEW:.*]] = np.alloc
// CHECK:       %[[DESCRIPTOR:.*]] = builtin.unrealized_conversion_cast %[[NEW]]
// CHECK:       %[[BASE:.*]] = llvm.extractvalue %[[DESCRIPTOR]][0]
// CHECK:       arith.constant 16 : index
// CHECK:       llvm.call @npcc_rt_debug_new(%[[BASE]], %{{.*}}) : (!llvm.ptr, i64) -> ()
// CHECK:       llvm.call @npcc_rt_debug_release
// CHECK-NEXT:  np.release %[[NEW]]
func.func @array(%n: index) {
  %a = np.alloc(%n) : memref<?xcomplex<f64>>
  np.release %a : memref<?xcomplex<f64>>
  return
}

// A product reads two arrays before, and has written one after.
// CHECK-LABEL: func.func @product
// CHECK-COUNT-2: llvm.call @npcc_rt_debug_read_all
// CHECK:         np.call_matmul
// CHECK:         llvm.call @npcc_rt_debug_write_all
func.func @product(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>) {
  np.call_matmul %a, %b into %c {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
  return
}

// CHECK-LABEL: func.func @turns
// CHECK:         np.draw_in_turns
// CHECK-COUNT-2: llvm.call @npcc_rt_debug_write_all
func.func @turns(%generator: !np.generator<"Generator">, %a: memref<?xf64>, %b: memref<?x?xf64>) {
  np.draw_in_turns ["random", "random"] ["float64", "float64"] from %generator : !np.generator<"Generator"> scalars [0, 0] into %a, %b : memref<?xf64>, memref<?x?xf64>
  return
}

// Random numbers are written, of parameters that are read.
// CHECK-LABEL: func.func @draw
// CHECK:         llvm.call @npcc_rt_debug_read_all
// CHECK-NOT:     llvm.call @npcc_rt_debug_read_all
// CHECK:         np.draw
// CHECK:         llvm.call @npcc_rt_debug_write_all
func.func @draw(%generator: !np.generator<"Generator">, %scale: memref<?xf64>, %out: memref<?xf64>) {
  np.draw "exponential" "float64" from %generator : !np.generator<"Generator"> of (%scale : memref<?xf64>) into %out : memref<?xf64>
  return
}
