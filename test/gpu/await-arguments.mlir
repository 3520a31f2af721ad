// What uses a part of an argument waits for that part, and what writes one says so first.
// RUN: npcc-opt %s --npcc-await-arguments | FileCheck %s

// Batches: a row of `x` comes in each iteration, and one of `out` leaves.
// CHECK-LABEL: func.func @rows
// CHECK:         scf.for %[[K:.*]] =
// CHECK:           %[[ROW:.*]] = arith.muli %{{.*}}, %dim : index
// CHECK:           %[[LOW:.*]] = arith.muli %{{.*}}, %[[ROW]] : index
// CHECK-NEXT:      %[[HIGH:.*]] = arith.muli %{{.*}}, %[[ROW]] : index
// CHECK:           %[[FROM:.*]] = arith.index_cast %[[LOW]]
// CHECK-NEXT:      %[[TO:.*]] = arith.index_cast %[[HIGH]]
// CHECK-NEXT:      llvm.call @npcc_rt_await(%{{.*}}, %[[FROM]], %[[TO]])
// CHECK-NOT:       npcc_rt_written
// CHECK:           np.kernel
// CHECK:           llvm.call @npcc_rt_await
// CHECK:           llvm.call @npcc_rt_written
// CHECK-NOT:       npcc_rt
// CHECK:           np.kernel
func.func @rows(%x: memref<?x?xf64>, %out: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %own = np.alloc(%m) : memref<?xf64>
    np.kernel (%i) = (%m) {
      %v = memref.load %x[%k, %i] : memref<?x?xf64>
      memref.store %v, %own[%i] : memref<?xf64>
    }
    np.kernel (%i) = (%m) {
      %v = memref.load %own[%i] : memref<?xf64>
      memref.store %v, %out[%k, %i] : memref<?x?xf64>
    }
    np.release %own : memref<?xf64>
  }
  return
}

// All rows from %k on: as many as the kernel has iterations.
// CHECK-LABEL: func.func @part
// CHECK:         %[[END:.*]] = arith.addi %{{.*}}, %arg2
// CHECK:         arith.muli %[[END]]
// CHECK:         llvm.call @npcc_rt_await
func.func @part(%x: memref<?xf32>, %k: index, %count: index) -> memref<?xf32> {
  %own = np.alloc(%count) : memref<?xf32>
  np.kernel (%i) = (%count) {
    %p = arith.addi %k, %i : index
    %v = memref.load %x[%p] : memref<?xf32>
    memref.store %v, %own[%i] : memref<?xf32>
  }
  return %own : memref<?xf32>
}

// A position that memory gives may be any; two parts that one kernel writes are told as all.
// CHECK-LABEL: func.func @anywhere
// CHECK-DAG:     %[[ALL:.*]] = arith.constant -1 : index
// CHECK:         %[[END:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK:         llvm.call @npcc_rt_await
// CHECK-COUNT-1: llvm.call @npcc_rt_written
// CHECK-NOT:     npcc_rt_written
// CHECK:         return
func.func @anywhere(%x: memref<?xf64>, %places: memref<?xindex>, %k: index, %l: index, %count: index) {
  np.kernel (%i) = (%count) {
    %p = memref.load %places[%i] : memref<?xindex>
    %v = memref.load %x[%p] : memref<?xf64>
    %q = arith.addi %k, %i : index
    %r = arith.addi %l, %i : index
    memref.store %v, %x[%q] : memref<?xf64>
    memref.store %v, %x[%r] : memref<?xf64>
  }
  return
}

// What may be either of two arrays may be every argument.
// CHECK-LABEL: func.func @either
// CHECK-COUNT-2: llvm.call @npcc_rt_await
// CHECK-COUNT-2: llvm.call @npcc_rt_written
// CHECK:         np.kernel
func.func @either(%x: memref<?xf64>, %y: memref<?xf64>, %which: i1, %count: index, %v: f64) {
  %z = arith.select %which, %x, %y : memref<?xf64>
  np.kernel (%i) = (%count) {
    memref.store %v, %z[%i] : memref<?xf64>
  }
  return
}

// What a loop carries from new arrays to new ones is no argument.
// CHECK-LABEL: func.func @steps
// CHECK-NOT:     npcc_rt
// CHECK:         return
func.func @steps(%x: memref<?xf64>, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = np.alloc(%count) : memref<?xf64>
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<?xf64>) {
    %new = np.alloc(%count) : memref<?xf64>
    np.kernel (%i) = (%count) {
      %v = memref.load %old[%i] : memref<?xf64>
      memref.store %v, %new[%i] : memref<?xf64>
    }
    np.release %old : memref<?xf64>
    scf.yield %new : memref<?xf64>
  }
  np.release %last : memref<?xf64>
  return
}

// Kernels beside each other wait before the first one, and tell of all that they write.
// CHECK-LABEL: func.func @beside
// CHECK-COUNT-4: llvm.call @npcc_rt_written
// CHECK:         np.kernel
// CHECK-NOT:     llvm.call
// CHECK:         return
func.func @beside(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %m: index, %v: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%m) beside begins {
    memref.store %v, %x[%c0, %i] : memref<?x?xf64>
    memref.store %v, %y[%c0, %i] : memref<?x?xf64>
  }
  np.kernel (%i) = (%m) beside joins {
    memref.store %v, %x[%c1, %i] : memref<?x?xf64>
    memref.store %v, %y[%c1, %i] : memref<?x?xf64>
  }
  return
}

// A mirror waits for its array once, and what loops do to it concerns nobody else. What is only copied to the host is
// not written.
// CHECK-LABEL: func.func @mirror
// CHECK-COUNT-2: llvm.call @npcc_rt_await
// CHECK:         llvm.call @npcc_rt_written
// CHECK-NEXT:    np.mirror
// CHECK-NOT:     llvm.call
// CHECK:         scf.for
// CHECK-NOT:     llvm.call
// CHECK:         memref.store
// CHECK:         llvm.call @npcc_rt_await
// CHECK:         llvm.call @npcc_rt_written
// CHECK-NEXT:    memref.copy
func.func @mirror(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %a = np.alloc(%n) : memref<?xf64, "host">
  memref.copy %x, %a : memref<?xf64> to memref<?xf64, "host">
  %b = np.mirror %y : memref<?xf64> -> memref<?xf64, "host">
  scf.for %k = %c0 to %n step %c1 {
    %v = memref.load %a[%k] : memref<?xf64, "host">
    %w = memref.load %b[%k] : memref<?xf64, "host">
    %s = arith.addf %v, %w : f64
    memref.store %s, %b[%k] : memref<?xf64, "host">
  }
  memref.copy %b, %y : memref<?xf64, "host"> to memref<?xf64>
  np.release %a : memref<?xf64, "host">
  np.release %b : memref<?xf64, "host">
  return
}
