// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --npcc-lower-device-checks | FileCheck %s
// The name of a file is one parameter of a kernel, however many checks it has: they are few bytes that a kernel may take.

// CHECK-LABEL: func.func @two_checks
// CHECK:     llvm.call @npcc_rt_error_record()
// CHECK:     llvm.mlir.addressof @[[FILE:text.[0-9A-F]*]]
// CHECK-NOT: llvm.mlir.addressof @[[FILE]]
// CHECK:     gpu.launch
func.func @two_checks(%x: memref<?xf64>, %index: memref<?xi64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  %size = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %k = memref.load %index[%i] : memref<?xi64>
    %p = arith.index_cast %k : i64 to index
    %q = np.check_index %p of %size axis 0
    %r = np.check_index %q of %n axis 0
    %v = memref.load %x[%q] : memref<?xf64>
    memref.store %v, %y[%r] : memref<?xf64>
  }
  return
}
