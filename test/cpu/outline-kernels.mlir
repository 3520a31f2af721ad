// RUN: npcc-opt %s --npcc-outline-kernels --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @scale
// CHECK: %[[TOTAL:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK: %[[GRAIN:.*]] = arith.constant 5440 : index
// CHECK: llvm.store %{{.*}}, %{{.*}} : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>, !llvm.ptr
// CHECK: constant @scale.kernel0
// CHECK: llvm.call @npcc_rt_run_kernel

// CHECK-LABEL: func.func private @scale.kernel0
// CHECK-SAME: (%[[LO:.*]]: index, %[[HI:.*]]: index, %[[CONTEXT:.*]]: !llvm.ptr)
// CHECK: arith.remui %[[LO]]
// CHECK: scf.for
// CHECK: arith.select
// CHECK: arith.select
// CHECK: scf.for
// CHECK: memref.load {{.*}} {llvm.access_groups = [#llvm.access_group<id = distinct[[[GROUP:[0-9]+]]]<>>]}
// CHECK: memref.store {{.*}} {llvm.access_groups = [#llvm.access_group<id = distinct[[[GROUP]]]<>>]}
// CHECK: llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = false>, parallelAccesses = <id = distinct[[[GROUP]]]<>>
func.func @scale(%a: memref<?x?xf64>, %n: index, %m: index, %s: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i, %j) = (%n, %m) {
    %x = memref.load %a[%i, %j] : memref<?x?xf64>
    %y = arith.mulf %x, %s : f64
    %z = arith.addf %y, %s : f64
    memref.store %z, %a[%i, %j] : memref<?x?xf64>
  }
  return
}

// libm and libmvec differ in the last bit: the tail is a masked vector iteration.
// CHECK-LABEL: func.func private @exp.kernel0
// CHECK: predicateEnable = true
func.func @exp(%a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = math.exp %x : f64
    memref.store %y, %a[%i] : memref<?xf64>
  }
  return
}

// A loop inside: the outer one is not vectorised, and scratch memory is made at the entry.
// CHECK-LABEL: func.func private @nested.kernel0
// CHECK-NEXT: memref.alloca
// CHECK-NOT: llvm.loop_annotation
// CHECK: return
func.func @nested(%a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%n) {
    %room = memref.alloca() : memref<4xf64>
    scf.for %k = %c0 to %i step %c1 {
      %x = memref.load %a[%k] : memref<?xf64>
      memref.store %x, %room[%c0] : memref<4xf64>
    }
  }
  return
}

// Kernels that are alike are one function, for other arrays; one that checks says where it stands, so it is its own.
// CHECK-LABEL: func.func @alike
// CHECK: constant @alike.kernel0
// CHECK: constant @alike.kernel0
// CHECK: constant @alike.kernel2
// CHECK: constant @alike.kernel3
// CHECK-NOT: func.func private @alike.kernel1
func.func @alike(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %m: index) {
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%m) {
    %x = memref.load %b[%i] : memref<?xf64>
    memref.store %x, %a[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %p = np.check_index %i of %m axis 0
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %p = np.check_index %i of %m axis 0
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  return
}

// Rows taken by their numbers: a number is checked once for each row.
// CHECK-LABEL: func.func private @rows.kernel0
// CHECK:       scf.for %[[I:.*]] =
// CHECK:         %[[NUMBER:.*]] = memref.load %{{.*}}[%[[I]]] : memref<?xindex>
// CHECK:         %[[ROW:.*]] = np.check_index %[[NUMBER]]
// CHECK:         scf.for
// CHECK-NEXT:      memref.load %{{.*}}[%[[ROW]], %{{.*}}]
// CHECK-NEXT:      memref.store
// CHECK:         vectorize = <disable = false>
func.func @rows(%a: memref<?x?xf64>, %numbers: memref<?xindex>, %b: memref<?x?xf64>, %n: index, %m: index, %k: index) {
  np.kernel map (%i, %j) = (%n, %m) {
    %number = memref.load %numbers[%i] : memref<?xindex>
    %row = np.check_index %number of %k axis 0
    %x = memref.load %a[%row, %j] : memref<?x?xf64>
    memref.store %x, %b[%i, %j] : memref<?x?xf64>
  }
  return
}
