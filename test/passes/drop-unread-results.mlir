// RUN: npcc-opt %s --pass-pipeline="builtin.module(func.func(npcc-drop-unread-results,canonicalize,cse))" | FileCheck %s
// A routine whose results nobody reads is dropped, or called for those that are read.

// The reflectors' product: nobody reads it, and it cannot fail.
// CHECK-LABEL: func @factor
// CHECK: np.routine "qr_raw"
// CHECK-NOT: np.routine "qr"
// CHECK: return
func.func @factor(%a: tensor<?x?x?xf64>, %t: tensor<?x?xf64>, %z: tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>, i64) {
  %stack = np.new %a : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
  %tau = np.new %t : tensor<?x?xf64> -> !np.array<?x?xf64>
  %0 = np.routine "qr_raw"() to (%stack, %tau) : (!np.array<?x?x?xf64>, !np.array<?x?xf64>) -> i64
  %q = np.new %z : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
  %1 = np.routine "qr"(%stack, %tau) to (%q) : (!np.array<?x?x?xf64>, !np.array<?x?xf64>, !np.array<?x?x?xf64>) -> i64
  %r = np.load %stack : !np.array<?x?x?xf64> -> tensor<?x?x?xf64>
  return %r, %1 : tensor<?x?x?xf64>, i64
}

// CHECK-LABEL: func @both_factors
// CHECK: np.routine "qr_raw"
// CHECK: np.routine "qr"
func.func @both_factors(%a: tensor<?x?x?xf64>, %t: tensor<?x?xf64>, %z: tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>, i64) {
  %stack = np.new %a : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
  %tau = np.new %t : tensor<?x?xf64> -> !np.array<?x?xf64>
  %0 = np.routine "qr_raw"() to (%stack, %tau) : (!np.array<?x?x?xf64>, !np.array<?x?xf64>) -> i64
  %q = np.new %z : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
  %1 = np.routine "qr"(%stack, %tau) to (%q) : (!np.array<?x?x?xf64>, !np.array<?x?xf64>, !np.array<?x?x?xf64>) -> i64
  %r = np.load %q : !np.array<?x?x?xf64> -> tensor<?x?x?xf64>
  return %r, %1 : tensor<?x?x?xf64>, i64
}

// What is read before the call is what was there.
// CHECK-LABEL: func @values_only
// CHECK: %[[S:.*]] = np.new
// CHECK: np.load %[[S]]
// CHECK: %[[V:.*]] = np.new
// CHECK: np.routine "svdvals"() to(%[[S]], %[[V]])
// CHECK-NOT: np.new
func.func @values_only(%a: tensor<?x?x?xf64>, %u0: tensor<?x?x?xf64>, %s0: tensor<?x?xf64>) -> (tensor<?x?x?xf64>, tensor<?x?xf64>, i64) {
  %stack = np.new %a : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
  %before = np.load %stack : !np.array<?x?x?xf64> -> tensor<?x?x?xf64>
  %u = np.new %u0 : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
  %s = np.new %s0 : tensor<?x?xf64> -> !np.array<?x?xf64>
  %v = np.new %u0 : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
  %failed = np.routine "svd"() to (%stack, %u, %s, %v) : (!np.array<?x?x?xf64>, !np.array<?x?x?xf64>, !np.array<?x?xf64>, !np.array<?x?x?xf64>) -> i64
  %values = np.load %s : !np.array<?x?xf64> -> tensor<?x?xf64>
  return %before, %values, %failed : tensor<?x?x?xf64>, tensor<?x?xf64>, i64
}

// A view is another name.
// CHECK-LABEL: func @vectors_by_a_view
// CHECK: np.routine "eigh"
func.func @vectors_by_a_view(%a: tensor<?x?xf64>, %w0: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stack = np.new %a : tensor<?x?xf64> -> !np.array<?x?xf64>
  %row = np.view %stack offsets [%c0, %c0] axes [1] extents [%n] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
  %w = np.new %w0 : tensor<?xf64> -> !np.array<?xf64>
  %failed = np.routine "eigh"() to (%stack, %w) : (!np.array<?x?xf64>, !np.array<?xf64>) -> i64
  %values = np.load %row : !np.array<?xf64, strided> -> tensor<?xf64>
  return %values : tensor<?xf64>
}

// An error that is asked for is found by the lesser routine; without one, and with nothing read, there is no call.
// CHECK-LABEL: func @error_only
// CHECK: np.routine "eigvals"
// CHECK-NOT: np.routine
// CHECK: return
func.func @error_only(%a: tensor<?x?x?xf64>, %w0: tensor<?x?xcomplex<f64>>, %v0: tensor<?x?x?xcomplex<f64>>) -> i64 {
  %stack = np.new %a : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
  %w = np.new %w0 : tensor<?x?xcomplex<f64>> -> !np.array<?x?xcomplex<f64>>
  %v = np.new %v0 : tensor<?x?x?xcomplex<f64>> -> !np.array<?x?x?xcomplex<f64>>
  %failed = np.routine "eig"() to (%stack, %w, %v) : (!np.array<?x?x?xf64>, !np.array<?x?xcomplex<f64>>, !np.array<?x?x?xcomplex<f64>>) -> i64
  %other = np.new %a : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
  %ignored = np.routine "cholesky"() to (%other) : (!np.array<?x?x?xf64>) -> i64
  return %failed : i64
}

// The next iteration reads what an array from before the loop holds.
// CHECK-LABEL: func @in_a_loop
// CHECK: scf.for
// CHECK: np.routine "fft"
func.func @in_a_loop(%a: tensor<?xcomplex<f64>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.new %a : tensor<?xcomplex<f64>> -> !np.array<?xcomplex<f64>>
  scf.for %i = %c0 to %n step %c1 {
    %value = np.load %x : !np.array<?xcomplex<f64>> -> tensor<?xcomplex<f64>>
    %y = np.new %value : tensor<?xcomplex<f64>> -> !np.array<?xcomplex<f64>>
    %0 = np.routine "fft"(%y) to (%x) : (!np.array<?xcomplex<f64>>, !np.array<?xcomplex<f64>>) -> i64
  }
  return
}
