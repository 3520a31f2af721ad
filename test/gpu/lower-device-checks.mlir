// A check inside a kernel leaves a record and goes on with position 0. Of several that fail, the record is of the one that the program makes first: of
// the launch with the least number, and there of the least place. One thread at a time writes.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --npcc-lower-device-checks --canonicalize --cse | FileCheck %s
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels | FileCheck %s --check-prefix=ORDER

// CHECK-LABEL: func.func @gather
// CHECK:       llvm.call @npcc_rt_error_record()
// CHECK:       %[[LAUNCH:.*]] = llvm.call @npcc_rt_launch_number()
// CHECK:       %[[HIGH:.*]] = arith.shli %{{.*}}, %c46_i64
// CHECK:       gpu.launch
// CHECK:         %[[OUT:.*]] = arith.cmpi uge
// CHECK:         scf.if %[[OUT]]
// CHECK:           %[[PLACE:.*]] = arith.ori %{{.*}}, %[[HIGH]]
// CHECK:           scf.while
// CHECK:             %[[KNOWN:.*]] = llvm.load %[[SLOT:.*]] atomic syncscope("device") monotonic {{.*}}-> i64
// CHECK:             arith.cmpi ugt, %[[KNOWN]], %[[PLACE]]
// CHECK:             llvm.cmpxchg %[[SLOT]], %[[KNOWN]], %c-1_i64 syncscope("device")
// CHECK:             scf.if
// CHECK:               llvm.fence syncscope("device")
// CHECK:               llvm.store %c1_i64
// CHECK:               llvm.fence syncscope("device")
// CHECK:               llvm.store %[[PLACE]], %[[SLOT]] atomic syncscope("device") monotonic
// CHECK:         arith.select %[[OUT]], %c0
// CHECK-NOT:   np.iteration
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

// Where a check is: the iteration, which of the two statements that check it is in, and the position of the loop there.
// ORDER-LABEL: func.func @statements
// ORDER:       gpu.launch
// ORDER:         scf.for %[[J:.*]] =
// ORDER:           np.iteration(%{{.*}}, %c0{{.*}}, %{{.*}}) in(%{{.*}}, %c2{{.*}}, %{{.*}})
// ORDER-NEXT:      np.check_index
// ORDER:         np.iteration(%{{.*}}, %c1{{.*}}) in(%{{.*}}, %c2{{.*}})
// ORDER-NEXT:    np.check_index
func.func @statements(%x: memref<?xf64>, %index: memref<?x?xindex>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  %m = memref.dim %index, %c1 : memref<?x?xindex>
  %size = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    scf.for %j = %c0 to %m step %c1 {
      %k = memref.load %index[%i, %j] : memref<?x?xindex>
      %q = np.check_index %k of %size axis 0
      %v = memref.load %x[%q] : memref<?xf64>
      memref.store %v, %y[%i] : memref<?xf64>
    }
    %k = memref.load %index[%i, %i] : memref<?x?xindex>
    %q = np.check_index %k of %size axis 0
    %v = memref.load %x[%q] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
  }
  return
}

// Extents that do not meet are recorded with their numbers, and the thread ends.
// CHECK-LABEL: func.func @meet
// CHECK-SAME:    %arg1: index, %arg2: index
// CHECK:         scf.if
// CHECK:           llvm.store
// CHECK:           llvm.call_intrinsic "llvm.nvvm.exit"
// CHECK:         arith.index_cast %arg2 : index to i64
func.func @meet(%p: !llvm.ptr<1>, %a: index, %b: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %n = np.broadcast_extent "store" %a, %b shapes[%a, %b] lhs_rank 1
    %v = arith.index_cast %n : index to i64
    llvm.store %v, %p : i64, !llvm.ptr<1>
    gpu.terminator
  }
  return
}
