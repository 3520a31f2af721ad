// RUN: npcc-opt %s --split-input-file --npcc-count-references | FileCheck %s

// A temporary is released after its last use.
// CHECK-LABEL: func @temporary
// CHECK: %[[T:.*]] = np.alloc
// CHECK: np.call_matmul %arg0, %[[T]] into %[[R:[0-9]+]] 
// CHECK-NEXT: np.release %[[T]]
// CHECK-NEXT: return %[[R]]
func.func @temporary(%a: memref<?x?xf64>, %n: index) -> memref<?x?xf64> {
  %t = np.alloc(%n, %n) : memref<?x?xf64>
  %r = np.alloc(%n, %n) : memref<?x?xf64>
  np.call_matmul %a, %t into %r {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
  return %r : memref<?x?xf64>
}

// An argument that is returned gets a reference of its own.
// CHECK-LABEL: func @argument
// CHECK: np.retain %arg0
// CHECK-NEXT: return %arg0
func.func @argument(%a: memref<?xf64>) -> memref<?xf64> {
  return %a : memref<?xf64>
}

// A swap costs nothing in the loop.
// CHECK-LABEL: func @swap
// CHECK: np.retain %arg0
// CHECK: scf.for
// CHECK-NOT: np.retain
// CHECK-NOT: np.release
// CHECK: scf.yield
// CHECK: np.release %{{.*}}#1
// CHECK-NEXT: return %{{.*}}#0
func.func @swap(%a: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = np.alloc(%n) : memref<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %v) -> (memref<?xf64>, memref<?xf64>) {
    scf.yield %y, %x : memref<?xf64>, memref<?xf64>
  }
  return %r#0 : memref<?xf64>
}

// What an iteration makes and hands on replaces what was there.
// CHECK-LABEL: func @replace
// CHECK: scf.for {{.*}} iter_args(%[[X:[a-z0-9]+]] = %
// CHECK: np.release %[[X]]
// CHECK: %[[Y:.*]] = np.alloc
// CHECK: scf.yield %[[Y]]
func.func @replace(%n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = np.alloc(%n) : memref<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %v) -> (memref<?xf64>) {
    %y = np.alloc(%n) : memref<?xf64>
    scf.yield %y : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// Also where nothing else of the dialect np is in the module.
// CHECK-LABEL: func @argument_alone
// CHECK: np.retain %arg0
func.func @argument_alone(%a: memref<?xf64>) -> memref<?xf64> {
  return %a : memref<?xf64>
}
