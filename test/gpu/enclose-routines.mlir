// Factors of a stack's small matrices are a part of the kernels around them.
// RUN: npcc-opt %s --npcc-enclose-routines --cse | FileCheck %s

// CHECK-LABEL: func.func @inverses
// CHECK-SAME:    (%[[A:.*]]: memref<?x?x?xf64>)
// CHECK:         %[[COUNT:.*]] = memref.dim %[[A]]
// CHECK:         %[[OUT:.*]] = np.alloc
// CHECK-NOT:     np.alloc
// CHECK:         np.kernel rows (%[[I:.*]]) = (%[[COUNT]]) {
// CHECK:           %[[M:.*]] = memref.alloca() : memref<8x8xf64, #gpu.address_space<workgroup>>
// CHECK:           %[[X:.*]] = memref.alloca() : memref<8x8xf64, #gpu.address_space<workgroup>>
// CHECK:           scf.parallel (%[[R:.*]], %[[C:.*]]) =
// CHECK:             %[[E:.*]] = memref.load %[[A]][%[[I]], %[[R]], %[[C]]]
// CHECK:             memref.store %{{.*}}, %[[M]][%[[R]], %[[C]]]
// CHECK:             memref.store %{{.*}}, %[[X]][%[[C]], %[[R]]]
// CHECK:           %[[GOOD:.*]] = np.factor "solve_rows"(%[[M]], %[[X]])
// CHECK:           np.assert %[[GOOD]], "LinAlgError" "Singular matrix"()
// CHECK:           scf.parallel (%[[R2:.*]], %[[C2:.*]]) =
// CHECK:             memref.load %[[X]][%[[C2]], %[[R2]]]
// CHECK:             memref.store %{{.*}}, %[[OUT]][%[[I]], %[[R2]], %[[C2]]]
// CHECK-NOT:     np.kernel
// CHECK:         return %[[OUT]]
func.func @inverses(%a: memref<?x?x?xf64>) -> memref<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f64
  %count = memref.dim %a, %c0 : memref<?x?x?xf64>
  %m = np.alloc(%count, %c8, %c8) : memref<?x?x?xf64>
  %x = np.alloc(%count, %c8, %c8) : memref<?x?x?xf64>
  np.kernel (%i, %r, %c) = (%count, %c8, %c8) {
    %e = memref.load %a[%i, %r, %c] : memref<?x?x?xf64>
    %d = arith.addf %e, %one : f64
    memref.store %d, %m[%i, %r, %c] : memref<?x?x?xf64>
    memref.store %one, %x[%i, %c, %r] : memref<?x?x?xf64>
  }
  %failed = np.routine "solve_rows"(%m) to(%x) {np.error = "LinAlgError", np.message = "Singular matrix"} : (memref<?x?x?xf64>, memref<?x?x?xf64>) -> i64
  np.release %m : memref<?x?x?xf64>
  %view = memref.reinterpret_cast %x to offset: [0], sizes: [%count, 8, 8], strides: [64, 1, 8] : memref<?x?x?xf64> to memref<?x8x8xf64, strided<[64, 1, 8]>>
  %out = np.alloc(%count, %c8, %c8) : memref<?x?x?xf64>
  np.kernel (%i, %r, %c) = (%count, %c8, %c8) {
    %e = memref.load %view[%i, %r, %c] : memref<?x8x8xf64, strided<[64, 1, 8]>>
    %d = arith.addf %e, %one : f64
    memref.store %d, %out[%i, %r, %c] : memref<?x?x?xf64>
  }
  np.release %x : memref<?x?x?xf64>
  return %out : memref<?x?x?xf64>
}

// The factors are returned too, so they are also in memory.
// CHECK-LABEL: func.func @read_behind
// CHECK:         %[[M:.*]] = np.alloc
// CHECK:         np.kernel rows
// CHECK:           np.factor "cholesky"(%[[T:.*]]) :
// CHECK-NEXT:      np.assert
// CHECK:           scf.parallel
// CHECK:             %[[E:.*]] = memref.load %[[T]]
// CHECK:             memref.store %[[E]], %[[M]]
// CHECK:           %[[D:.*]] = memref.load %[[T]]
// CHECK:           memref.store %[[D]], %[[OUT:[^\[]*]][
// CHECK:         return %[[M]], %[[OUT]]
func.func @read_behind(%count: index) -> (memref<?x?x?xf64>, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %one = arith.constant 1.0 : f64
  %m = np.alloc(%count, %c6, %c6) : memref<?x?x?xf64>
  np.kernel (%i, %r, %c) = (%count, %c6, %c6) {
    memref.store %one, %m[%i, %r, %c] : memref<?x?x?xf64>
  }
  %failed = np.routine "cholesky"() to(%m) {np.error = "LinAlgError", np.message = "Matrix is not positive definite"} : (memref<?x?x?xf64>) -> i64
  %out = np.alloc(%count) : memref<?xf64>
  np.kernel (%i) = (%count) {
    %e = memref.load %m[%i, %c0, %c0] : memref<?x?x?xf64>
    memref.store %e, %out[%i] : memref<?xf64>
  }
  return %m, %out : memref<?x?x?xf64>, memref<?xf64>
}

// The host asks whether there is a result.
// CHECK-LABEL: func.func @waits
// CHECK:         np.kernel (
// CHECK:         np.routine "cholesky"
// CHECK-LABEL: func.func @large
// CHECK:         np.kernel (
// CHECK:         np.routine "cholesky"
func.func @waits(%count: index) -> (memref<?x?x?xf64>, i64) {
  %c6 = arith.constant 6 : index
  %one = arith.constant 1.0 : f64
  %m = np.alloc(%count, %c6, %c6) : memref<?x?x?xf64>
  np.kernel (%i, %r, %c) = (%count, %c6, %c6) {
    memref.store %one, %m[%i, %r, %c] : memref<?x?x?xf64>
  }
  %failed = np.routine "cholesky"() to(%m) : (memref<?x?x?xf64>) -> i64
  return %m, %failed : memref<?x?x?xf64>, i64
}
func.func @large(%count: index) -> memref<?x?x?xf64> {
  %c33 = arith.constant 33 : index
  %one = arith.constant 1.0 : f64
  %m = np.alloc(%count, %c33, %c33) : memref<?x?x?xf64>
  np.kernel (%i, %r, %c) = (%count, %c33, %c33) {
    memref.store %one, %m[%i, %r, %c] : memref<?x?x?xf64>
  }
  %failed = np.routine "cholesky"() to(%m) : (memref<?x?x?xf64>) -> i64
  return %m : memref<?x?x?xf64>
}

// Rows of another matrix are needed: a kernel of its own.
// CHECK-LABEL: func.func @neighbours
// CHECK:         np.factor "cholesky"
// CHECK:         np.kernel (
func.func @neighbours(%count: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %one = arith.constant 1.0 : f64
  %m = np.alloc(%count, %c6, %c6) : memref<?x?x?xf64>
  np.kernel (%i, %r, %c) = (%count, %c6, %c6) {
    memref.store %one, %m[%i, %r, %c] : memref<?x?x?xf64>
  }
  %failed = np.routine "cholesky"() to(%m) : (memref<?x?x?xf64>) -> i64
  %out = np.alloc(%count) : memref<?xf64>
  np.kernel (%i) = (%count) {
    %e = memref.load %m[%c0, %c0, %c0] : memref<?x?x?xf64>
    memref.store %e, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}
