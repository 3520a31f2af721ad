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
  %failed = np.routine "solve_rows"(%m) to(%x) {error = "LinAlgError", message = "Singular matrix"} : (memref<?x?x?xf64>, memref<?x?x?xf64>) -> i64
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
  %failed = np.routine "cholesky"() to(%m) {error = "LinAlgError", message = "Matrix is not positive definite"} : (memref<?x?x?xf64>) -> i64
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

// Two routines and what is around them are one kernel: a check between them that holds for the extents at hand is no
// obstacle, and neither of them fails.
// CHECK-LABEL: func.func @orthogonal
// CHECK:         np.assert
// CHECK:         %[[Q:.*]] = np.alloc
// CHECK:         np.kernel rows (%[[I:.*]]) = (%{{.*}}) {
// CHECK:           np.factor "qr_raw"(%{{.*}}, %{{.*}}) : memref<4x6xf64, #gpu.address_space<workgroup>>, memref<4xf64, #gpu.address_space<workgroup>>
// CHECK-NOT:       np.assert
// CHECK:           np.factor "qr"(%{{.*}}, %{{.*}}, %[[X:.*]]) :
// CHECK:           memref.load %[[X]]
// CHECK:           memref.store %{{.*}}, %[[Q]][%[[I]]
// CHECK-NOT:     np.routine
// CHECK-NOT:     np.kernel
// CHECK:         return %[[Q]]
func.func @orthogonal(%count: index) -> memref<?x?x?xf64> {
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %one = arith.constant 1.0 : f64
  %a = np.alloc(%count, %c4, %c6) : memref<?x?x?xf64>
  %tau = np.alloc(%count, %c4) : memref<?x?xf64>
  %q = np.alloc(%count, %c4, %c6) : memref<?x?x?xf64>
  np.kernel (%i, %c, %r) = (%count, %c4, %c6) {
    memref.store %one, %a[%i, %c, %r] : memref<?x?x?xf64>
  }
  %failed = np.routine "qr_raw"() to(%a, %tau) {error = "LinAlgError", message = "No"} : (memref<?x?x?xf64>, memref<?x?xf64>) -> i64
  %fits = arith.cmpi ule, %c4, %c6 : index
  np.assert %fits, "ValueError" "negative dimensions are not allowed"()
  %other = np.routine "qr"(%a, %tau) to(%q) : (memref<?x?x?xf64>, memref<?x?xf64>, memref<?x?x?xf64>) -> i64
  np.release %tau : memref<?x?xf64>
  np.release %a : memref<?x?x?xf64>
  %out = np.alloc(%count, %c4, %c6) : memref<?x?x?xf64>
  np.kernel (%i, %c, %r) = (%count, %c4, %c6) {
    %e = memref.load %q[%i, %c, %r] : memref<?x?x?xf64>
    %d = arith.addf %e, %one : f64
    memref.store %d, %out[%i, %c, %r] : memref<?x?x?xf64>
  }
  np.release %q : memref<?x?x?xf64>
  return %out : memref<?x?x?xf64>
}

// Of two that may fail the first one's error comes first, for whichever matrix: they stay apart.
// CHECK-LABEL: func.func @two_errors
// CHECK:         np.kernel rows
// CHECK:           np.factor "cholesky"
// CHECK:         np.routine "cholesky"
func.func @two_errors(%count: index) -> memref<?x?x?xf64> {
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f64
  %m = np.alloc(%count, %c8, %c8) : memref<?x?x?xf64>
  np.kernel (%i, %r, %c) = (%count, %c8, %c8) {
    memref.store %one, %m[%i, %r, %c] : memref<?x?x?xf64>
  }
  %failed = np.routine "cholesky"() to(%m) {error = "LinAlgError", message = "One"} : (memref<?x?x?xf64>) -> i64
  %n = np.alloc(%count, %c8, %c8) : memref<?x?x?xf64>
  np.kernel (%i, %r, %c) = (%count, %c8, %c8) {
    %e = memref.load %m[%i, %r, %c] : memref<?x?x?xf64>
    memref.store %e, %n[%i, %r, %c] : memref<?x?x?xf64>
  }
  np.release %m : memref<?x?x?xf64>
  %other = np.routine "cholesky"() to(%n) {error = "LinAlgError", message = "Two"} : (memref<?x?x?xf64>) -> i64
  return %n : memref<?x?x?xf64>
}

// Eigenvalues of a few matrices of more than eight rows have a faster kernel of their own.
// CHECK-LABEL: func.func @few_spectra
// CHECK:         np.kernel (
// CHECK:         np.routine "eigvalsh"
// CHECK:         return
// CHECK-LABEL: func.func @many_spectra
// CHECK:         np.kernel rows
// CHECK:           np.factor "eigvalsh"(%{{.*}}, %{{.*}}, %{{.*}}) : memref<16x16xf64, {{.*}}>, memref<16xf64, {{.*}}>, memref<346xf64, {{.*}}>
// CHECK:         return
func.func @few_spectra() -> memref<?x?xf64> {
  %count = arith.constant 100 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f64
  %m = np.alloc(%count, %c16, %c16) : memref<?x?x?xf64>
  %w = np.alloc(%count, %c16) : memref<?x?xf64>
  np.kernel (%i, %r, %c) = (%count, %c16, %c16) {
    memref.store %one, %m[%i, %r, %c] : memref<?x?x?xf64>
  }
  %failed = np.routine "eigvalsh"() to(%m, %w) {error = "LinAlgError", message = "No"} : (memref<?x?x?xf64>, memref<?x?xf64>) -> i64
  np.release %m : memref<?x?x?xf64>
  return %w : memref<?x?xf64>
}
func.func @many_spectra() -> memref<?x?xf64> {
  %count = arith.constant 1000 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f64
  %m = np.alloc(%count, %c16, %c16) : memref<?x?x?xf64>
  %w = np.alloc(%count, %c16) : memref<?x?xf64>
  np.kernel (%i, %r, %c) = (%count, %c16, %c16) {
    memref.store %one, %m[%i, %r, %c] : memref<?x?x?xf64>
  }
  %failed = np.routine "eigvalsh"() to(%m, %w) {error = "LinAlgError", message = "No"} : (memref<?x?x?xf64>, memref<?x?xf64>) -> i64
  np.release %m : memref<?x?x?xf64>
  return %w : memref<?x?xf64>
}
