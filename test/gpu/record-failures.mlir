// Where nobody sees what comes behind a routine, its error goes to the record of kernels' errors.
// RUN: npcc-opt %s --npcc-record-failures | FileCheck %s

// CHECK-LABEL: func.func @own_arrays
// CHECK:         np.routine "solve"() to(%{{.*}}, %{{.*}}) {error = "LinAlgError", message = "Singular matrix"}
// CHECK-NOT:     np.assert
// CHECK:         return
func.func @own_arrays(%n: index, %b: memref<?xf64>) -> memref<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %a = np.alloc(%c1, %n, %n) : memref<?x?x?xf64>
  %x = np.alloc(%c1, %c1, %n) : memref<?x?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %failed = np.routine "solve"() to(%a, %x) : (memref<?x?x?xf64>, memref<?x?x?xf64>) -> i64
    %good = arith.cmpi eq, %failed, %none : i64
    np.assert %good, "LinAlgError" "Singular matrix"()
    np.kernel (%k) = (%n) {
      %e = memref.load %b[%k] : memref<?xf64>
      memref.store %e, %x[%c0, %c0, %k] : memref<?x?x?xf64>
    }
  }
  np.release %a : memref<?x?x?xf64>
  return %x : memref<?x?x?xf64>
}

// The caller has the array that is stored into.
// CHECK-LABEL: func.func @stored_behind
// CHECK:         %[[FAILED:.*]] = np.routine "solve"() to(%{{.*}}, %{{.*}}) :
// CHECK:         np.assert
func.func @stored_behind(%n: index, %b: memref<?xf64>) {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1.0 : f64
  %a = np.alloc(%c1, %n, %n) : memref<?x?x?xf64>
  %x = np.alloc(%c1, %c1, %n) : memref<?x?x?xf64>
  %failed = np.routine "solve"() to(%a, %x) : (memref<?x?x?xf64>, memref<?x?x?xf64>) -> i64
  %good = arith.cmpi eq, %failed, %none : i64
  np.assert %good, "LinAlgError" "Singular matrix"()
  np.kernel (%k) = (%n) {
    memref.store %one, %b[%k] : memref<?xf64>
  }
  return
}

// What stands before it in a loop comes behind it in the next iteration.
// CHECK-LABEL: func.func @stored_in_the_next_iteration
// CHECK:         np.assert
func.func @stored_in_the_next_iteration(%n: index, %b: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1.0 : f64
  %a = np.alloc(%c1, %n, %n) : memref<?x?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %b[%i] : memref<?xf64>
    %failed = np.routine "cholesky"() to(%a) : (memref<?x?x?xf64>) -> i64
    %good = arith.cmpi eq, %failed, %none : i64
    np.assert %good, "LinAlgError" "Matrix is not positive definite"()
  }
  return
}

// Text that is printed, and generators that go on, are seen as well.
// CHECK-LABEL: func.func @printed_behind
// CHECK:         np.assert
func.func @printed_behind(%n: index) {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %a = np.alloc(%c1, %n, %n) : memref<?x?x?xf64>
  %failed = np.routine "cholesky"() to(%a) : (memref<?x?x?xf64>) -> i64
  %good = arith.cmpi eq, %failed, %none : i64
  np.assert %good, "LinAlgError" "Matrix is not positive definite"()
  np.print ["done"] ()
  return
}

// Where something else asks how the routine went, it waits.
// CHECK-LABEL: func.func @asked
// CHECK:         np.assert
func.func @asked(%n: index) -> i64 {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %a = np.alloc(%c1, %n, %n) : memref<?x?x?xf64>
  %failed = np.routine "cholesky"() to(%a) : (memref<?x?x?xf64>) -> i64
  %good = arith.cmpi eq, %failed, %none : i64
  np.assert %good, "LinAlgError" "Matrix is not positive definite"()
  return %failed : i64
}
