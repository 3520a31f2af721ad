// Behind a check that nobody has waited for, kernels that store into what the caller sees ask for its error, and the host waits before what cannot ask.
// RUN: npcc-opt %s --npcc-guard-kernels | FileCheck %s
// RUN: npcc-opt %s --npcc-guard-kernels --npcc-classify-kernels --npcc-map-kernels --npcc-lower-device-checks | FileCheck %s --check-prefix=LAUNCH

// The second kernel stores into an argument. The third one's array is the function's own: nobody sees it after an error.
// CHECK-LABEL: func.func @behind
// CHECK:         np.kernel (%{{.*}}) = (%{{.*}}) {
// CHECK:         np.kernel (%{{.*}}) = (%{{.*}}) guarded {
// CHECK:         np.kernel (%{{.*}}) = (%{{.*}}) {
// CHECK-NOT:     np.settle

// A launch that makes no checks asks whether there is an error.
// LAUNCH-LABEL: func.func @behind
// LAUNCH:         llvm.call @npcc_rt_error_flag()
// LAUNCH:         %[[FLAG:.*]] = llvm.inttoptr
// LAUNCH:         gpu.launch
// LAUNCH-NEXT:      %[[PLACE:.*]] = llvm.load %[[FLAG]] : !llvm.ptr<1> -> i64
// LAUNCH:           %[[FAILED:.*]] = arith.cmpi ne, %[[PLACE]]
// LAUNCH-NEXT:      scf.if %[[FAILED]] {
// LAUNCH-NEXT:        llvm.call_intrinsic "llvm.nvvm.exit"
func.func @behind(%x: memref<?xf64>, %index: memref<?xi64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  %size = memref.dim %x, %c0 : memref<?xf64>
  %own = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %k = memref.load %index[%i] : memref<?xi64>
    %p = arith.index_cast %k : i64 to index
    %q = np.check_index %p of %size axis 0
    %v = memref.load %x[%q] : memref<?xf64>
    memref.store %v, %own[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %v = memref.load %own[%i] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %v = memref.load %y[%i] : memref<?xf64>
    memref.store %v, %own[%i] : memref<?xf64>
  }
  return
}

// In a loop, a kernel comes behind the checks of the iteration before. Its own errors are of its own number, and those before are of smaller ones.
// CHECK-LABEL: func.func @loop
// CHECK:         scf.for
// CHECK:           np.kernel (%{{.*}}) = (%{{.*}}) guarded {

// LAUNCH-LABEL: func.func @loop
// LAUNCH:         %[[NUMBER:.*]] = llvm.call @npcc_rt_launch_number
// LAUNCH:         gpu.launch
// LAUNCH:           arith.cmpi ult
// LAUNCH:           "llvm.nvvm.exit"
func.func @loop(%x: memref<?xf64>, %index: memref<?xi64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  %size = memref.dim %x, %c0 : memref<?xf64>
  scf.for %t = %c0 to %n step %c1 {
    np.kernel (%i) = (%n) {
      %k = memref.load %index[%i] : memref<?xi64>
      %p = arith.index_cast %k : i64 to index
      %q = np.check_index %p of %size axis 0
      %v = memref.load %x[%q] : memref<?xf64>
      memref.store %v, %y[%i] : memref<?xf64>
    }
  }
  return
}

// An element that the host reads has waited for what was launched before, so no kernel behind it asks.
// CHECK-LABEL: func.func @read
// CHECK:         memref.load %{{.*}}[%c0]
// CHECK-NEXT:    np.kernel (%{{.*}}) = (%{{.*}}) {
func.func @read(%x: memref<?xf64>, %index: memref<?xi64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  %size = memref.dim %x, %c0 : memref<?xf64>
  %own = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %k = memref.load %index[%i] : memref<?xi64>
    %p = arith.index_cast %k : i64 to index
    %q = np.check_index %p of %size axis 0
    %v = memref.load %x[%q] : memref<?xf64>
    memref.store %v, %own[%i] : memref<?xf64>
  }
  %first = memref.load %own[%c0] : memref<?xf64>
  np.kernel (%i) = (%n) {
    memref.store %first, %y[%i] : memref<?xf64>
  }
  return
}

// A number that nobody uses is not read in the end.
// CHECK-LABEL: func.func @unread
// CHECK:         np.kernel (%{{.*}}) = (%{{.*}}) guarded {
func.func @unread(%x: memref<?xf64>, %index: memref<?xi64>, %y: memref<?xf64>, %is: i1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %y, %c0 : memref<?xf64>
  %size = memref.dim %x, %c0 : memref<?xf64>
  %own = np.alloc(%n) : memref<?xf64>
  %last = scf.if %is -> f64 {
    np.kernel (%i) = (%n) {
      %k = memref.load %index[%i] : memref<?xi64>
      %p = arith.index_cast %k : i64 to index
      %q = np.check_index %p of %size axis 0
      %v = memref.load %x[%q] : memref<?xf64>
      memref.store %v, %own[%i] : memref<?xf64>
    }
    %first = memref.load %own[%c0] : memref<?xf64>
    scf.yield %first : f64
  } else {
    scf.yield %zero : f64
  }
  np.kernel (%i) = (%n) {
    memref.store %zero, %y[%i] : memref<?xf64>
  }
  return
}

// A library's product into an argument, and print(), are waited for. Once is enough.
// CHECK-LABEL: func.func @calls
// CHECK:         np.kernel
// CHECK:         np.call_matmul
// CHECK:         np.settle
// CHECK-NEXT:    np.call_matmul
// CHECK-NEXT:    np.print
// CHECK-NOT:     np.settle
func.func @calls(%x: memref<?x?xf64>, %index: memref<?xi64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?x?xf64>
  %own = np.alloc(%n, %n) : memref<?x?xf64>
  np.kernel (%i) = (%n) {
    %k = memref.load %index[%i] : memref<?xi64>
    %p = arith.index_cast %k : i64 to index
    %q = np.check_index %p of %n axis 0
    %v = memref.load %x[%q, %q] : memref<?x?xf64>
    memref.store %v, %own[%i, %c0] : memref<?x?xf64>
  }
  np.call_matmul %x, %x into %own {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
  np.call_matmul %x, %own into %y {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
  np.print ["done"]()
  return
}
