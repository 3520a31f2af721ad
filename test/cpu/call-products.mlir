// RUN: npcc-opt %s --npcc-call-products --canonicalize --mlir-print-local-scope | FileCheck %s

// What is done to the sums stays a kernel.
// CHECK-LABEL: func.func @shifted
// CHECK:       %[[N:.*]] = memref.dim %arg0
// CHECK:       %[[M:.*]] = memref.dim %arg0
// CHECK:       %[[SIZE:.*]] = arith.muli %[[N]], %[[M]]
// CHECK:       arith.cmpi sge, %[[SIZE]], %c4096
// CHECK:       np.alternatives "a product by the library" {{.*}} {
// CHECK:         %[[A:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%[[N]], %[[M]]]
// CHECK:         %[[X:.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [%[[M]], 1], strides: [1, 1]
// CHECK:         %[[Y:.*]] = np.alloc(%[[N]], %c1) : memref<?x?xf64>
// CHECK:         np.call_matmul {{.*}} into %[[Y]]
// CHECK:         np.kernel map (%[[I:.*]]) = (%[[N]]) {
// CHECK-NEXT:      %[[S:.*]] = memref.load %[[Y]][%[[I]], %c0]
// CHECK-NEXT:      %[[R:.*]] = arith.addf %[[S]], %arg3
// CHECK-NEXT:      memref.store %[[R]], %arg2[%[[I]]]
// CHECK:         np.release %[[Y]]
// CHECK:       } or {
// CHECK:         np.kernel rows
// CHECK:           scf.parallel
func.func @shifted(%a: memref<?x?xf64>, %x: memref<?xf64>, %out: memref<?xf64>, %shift: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  %m = memref.dim %a, %c1 : memref<?x?xf64>
  np.kernel rows (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %u = memref.load %a[%i, %k] : memref<?x?xf64>
      %v = memref.load %x[%k] : memref<?xf64>
      %p = arith.mulf %u, %v : f64
      scf.reduce(%p : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    } {np.product}
    %r = arith.addf %s, %shift : f64
    memref.store %r, %out[%i] : memref<?xf64>
  }
  return
}

// y[::2] = a[1:, 3:].T @ x: the call writes to y.
// CHECK-LABEL: func.func @columns
// CHECK:       np.alternatives {{.*}}
// CHECK:         memref.reinterpret_cast %arg0 to offset: [%{{.*}}], sizes: [%arg4, %arg3], strides: [1, %{{.*}}]
// CHECK:         memref.reinterpret_cast %arg1
// CHECK:         %[[PART:.*]] = memref.reinterpret_cast %arg2 to offset: [0], sizes: [%arg4, 1], strides: [2, 1]
// CHECK:         %[[Y:.*]] = memref.cast %[[PART]]
// CHECK-NEXT:    np.call_matmul {{.*}} into %[[Y]]
// CHECK-NEXT:  } or {
// CHECK:         np.kernel columns
func.func @columns(%a: memref<?x?xf32>, %x: memref<?xf32>, %out: memref<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  np.kernel columns (%i) = (%m) {
    %column = arith.addi %i, %c3 : index
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
      %row = arith.addi %k, %c1 : index
      %u = memref.load %a[%row, %column] : memref<?x?xf32>
      %v = memref.load %x[%k] : memref<?xf32>
      %p = arith.mulf %u, %v : f32
      scf.reduce(%p : f32) {
      ^bb0(%l: f32, %r: f32):
        %t = arith.addf %l, %r : f32
        scf.reduce.return %t : f32
      }
    } {np.product}
    %at = arith.muli %i, %c2 : index
    memref.store %s, %out[%at] : memref<?xf32>
  }
  return
}

// np.sum(a * x, axis=1) keeps the order that it has.
// CHECK-LABEL: func.func @summed
// CHECK-NOT:   np.call_matmul
func.func @summed(%a: memref<?x?xf64>, %x: memref<?xf64>, %out: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel rows (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %u = memref.load %a[%i, %k] : memref<?x?xf64>
      %v = memref.load %x[%k] : memref<?xf64>
      %p = arith.mulf %u, %v : f64
      scf.reduce(%p : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %out[%i] : memref<?xf64>
  }
  return
}

// The kernel writes to the matrix that it reads, row by row.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT:   np.call_matmul
func.func @in_place(%a: memref<?x?xf64>, %x: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel rows (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %u = memref.load %a[%i, %k] : memref<?x?xf64>
      %v = memref.load %x[%k] : memref<?xf64>
      %p = arith.mulf %u, %v : f64
      scf.reduce(%p : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    } {np.product}
    memref.store %s, %a[%i, %c0] : memref<?x?xf64>
  }
  return
}

// a.T @ (y - b): the vector is computed before.
// CHECK-LABEL: func.func @of_difference
// CHECK:       np.alternatives {{.*}}
// CHECK:         %[[V:.*]] = np.alloc(%arg4, %c1) : memref<?x?xf64>
// CHECK:         np.kernel map (%[[K:.*]]) = (%arg4) {
// CHECK:           %[[D:.*]] = arith.subf
// CHECK:           memref.store %[[D]], %[[V]][%[[K]], %c0]
// CHECK:         np.call_matmul
// CHECK:         np.release %[[V]]
// CHECK:       } or {
func.func @of_difference(%a: memref<?x?xf64>, %y: memref<?xf64>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel columns (%i) = (%m) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
      %u = memref.load %a[%k, %i] : memref<?x?xf64>
      %v = memref.load %y[%k] : memref<?xf64>
      %w = memref.load %b[%k] : memref<?xf64>
      %d = arith.subf %v, %w : f64
      %p = arith.mulf %u, %d : f64
      scf.reduce(%p : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    } {np.product}
    memref.store %s, %out[%i] : memref<?xf64>
  }
  return
}
