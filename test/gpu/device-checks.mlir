// A check inside a kernel leaves a record, once, and goes on with position 0.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --npcc-lower-device-checks --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @gather
// CHECK:       llvm.call @npcc_rt_error_record()
// CHECK:       gpu.launch
// CHECK:         %[[OUT:.*]] = arith.cmpi uge
// CHECK:         scf.if %[[OUT]]
// CHECK:           llvm.cmpxchg %[[RECORD:.*]], %c0_i64, %c1_i64 monotonic monotonic : !llvm.ptr<1>, i64
// CHECK:           scf.if
// CHECK:             llvm.getelementptr %[[RECORD]][1]
// CHECK:         arith.select %[[OUT]], %c0
func.func @gather(%x: memref<?xf64>, %index: memref<?xi64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  %size = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %k = memref.load %index[%i] : memref<?xi64>
    %p = arith.index_cast %k : i64 to index
    %q = np.check_index %p of %size axis 0
    %v = memref.load %x[%q] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
  }
  return
}
