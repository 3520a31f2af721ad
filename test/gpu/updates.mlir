// Updates that threads make at once, and loops of updates whose order shows.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --canonicalize --cse | FileCheck %s
// RUN: npcc-opt %s --npcc-group-updates --canonicalize --cse | FileCheck %s --check-prefix=GROUP

// Few bins with many elements: in shared memory, two words for 64 bits. Otherwise one update in global memory for each element.
// CHECK-LABEL: func.func @count
// CHECK:       %[[SMALL:.*]] = arith.cmpi sle, %{{.*}}, %c4096
// CHECK:       scf.if
// CHECK:         gpu.launch {{.*}} workgroup(%[[OWN:.*]] : memref<8192xi32, #gpu.address_space<workgroup>>)
// CHECK-COUNT-2:   memref.store %c0_i32, %[[OWN]]
// CHECK:           gpu.barrier
// CHECK:           llvm.atomicrmw add %{{.*}} syncscope("block") monotonic {{.*}}!llvm.ptr<3>, i32
// CHECK:           gpu.barrier
// CHECK:           llvm.atomicrmw add %{{.*}} syncscope("device") monotonic {{.*}}!llvm.ptr<1>, i64
// CHECK:         npcc.class = "updates"
// CHECK:       } else {
// CHECK:         gpu.launch
// CHECK-NOT:       workgroup
// CHECK:           llvm.atomicrmw add %{{.*}} syncscope("device") monotonic {{.*}}!llvm.ptr<1>, i64
// CHECK:         npcc.class = "map"
func.func @count(%x: memref<?xindex>, %out: memref<?xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xindex>
  np.kernel (%i) = (%n) {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.atomic_rmw addi %v, %out[%p] : (i64, memref<?xi64>) -> i64
  }
  return
}

// Other operations: in global memory.
// CHECK-LABEL: func.func @greatest
// CHECK-NOT:   workgroup
// CHECK:       llvm.atomicrmw umax %{{.*}} syncscope("device") monotonic
func.func @greatest(%x: memref<?xindex>, %out: memref<?xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xindex>
  np.kernel (%i) = (%n) {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.atomic_rmw maxu %v, %out[%p] : (i32, memref<?xi32>) -> i32
  }
  return
}

// Few bins are summed in parts; otherwise iterations are sorted by position.
// GROUP-LABEL: func.func @weigh
// GROUP:       scf.if
// GROUP:         np.choice "updates summed in parts"
// GROUP:         scf.if
// GROUP:           %[[OWN:.*]] = np.alloc(%[[PARTS:.*]], %{{.*}}) : memref<?x?xf64>
// GROUP:           np.kernel (%{{.*}}, %{{.*}}) = (%[[PARTS]], %{{.*}}) {
// GROUP:             memref.store %{{.*}}, %[[OWN]]
// GROUP:           np.kernel updates (%[[PART:.*]]) = (%[[PARTS]]) {
// GROUP:             scf.parallel
// GROUP:               memref.atomic_rmw addf %{{.*}}, %[[OWN]][%[[PART]], %{{.*}}]
// GROUP:           np.kernel (%[[BIN:.*]]) = (%{{.*}}) {
// GROUP:             %[[SUM:.*]] = scf.parallel (%[[AT:.*]]) = (%c0) to (%[[PARTS]])
// GROUP:               memref.load %[[OWN]][%[[AT]], %[[BIN]]]
// GROUP:             %[[BEFORE:.*]] = memref.load %arg2[%[[BIN]]]
// GROUP:             arith.addf %[[BEFORE]], %[[SUM]]
// GROUP:         } else {
// GROUP:         %[[KEYS:.*]] = np.alloc
// GROUP:         %[[ORDER:.*]] = np.alloc
// GROUP:         %[[SORTED:.*]] = np.alloc
// GROUP:         %[[VALUES:.*]] = np.alloc({{.*}}) : memref<?xf64>
// GROUP:         np.kernel
// GROUP:           memref.store %{{.*}}, %[[KEYS]]
// GROUP:         np.call_sort %[[KEYS]] below %{{.*}} into %[[ORDER]] positions true
// GROUP:         np.kernel
// GROUP:           memref.store %{{.*}}, %[[SORTED]]
// GROUP:           memref.store %{{.*}}, %[[VALUES]]
// GROUP:         np.kernel
// GROUP:           %[[OLD:.*]] = memref.load %arg2
// The end of the equal positions, 16 updates at a time, and what is left.
// GROUP:           scf.while
// GROUP:           %[[END:.*]]:2 = scf.while
// GROUP:           %[[MANY:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[OLD]])
// GROUP-COUNT-16:    memref.load %[[VALUES]]
// GROUP-COUNT-16:    arith.addf
// GROUP:           %[[ALL:.*]] = scf.for {{.*}} to %[[END]]#1 {{.*}} iter_args(%{{.*}} = %[[MANY]])
// GROUP:             arith.addf
// GROUP:           memref.store %[[ALL]], %arg2
// GROUP:       } else {
// GROUP:         scf.for
func.func @weigh(%x: memref<?xindex>, %w: memref<?xf64>, %out: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.load %out[%p] : memref<?xf64>
    %v = memref.load %w[%i] : memref<?xf64>
    %new = arith.addf %old, %v : f64
    memref.store %new, %out[%p] : memref<?xf64>
  }
  return
}

// What is stored decides where the next is stored; what is read may be what was stored: loops as they are.
// GROUP-LABEL: func.func @chase
// GROUP-NOT:   np.call_sort
func.func @chase(%x: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    memref.store %i, %x[%p] : memref<?xindex>
  }
  return
}
// GROUP-LABEL: func.func @general
// GROUP-NOT:   np.call_sort
func.func @general(%x: memref<?xindex>, %w: memref<?xf64>, %out: memref<?xf64>, %n: index) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    %v = memref.load %w[%i] : memref<?xf64>
    memref.store %v, %out[%p] : memref<?xf64>
  }
  return
}

// What was there does not matter: the last iteration of each position stores, which the array %last finds. Sorted where that would be large.
// GROUP-LABEL: func.func @assign
// GROUP:       scf.if
// GROUP:         np.choice "the last iteration to store"
// GROUP:         scf.if
// GROUP:           %[[LAST:.*]] = np.alloc(%{{.*}}) : memref<?xi64>
// GROUP:           np.kernel
// GROUP:             memref.store %c-1_i64, %[[LAST]]
// GROUP:           np.kernel
// GROUP:             memref.atomic_rmw maxs %{{.*}}, %[[LAST]]
// GROUP:           np.kernel
// GROUP:             %[[KNOWN:.*]] = memref.load %[[LAST]]
// GROUP:             arith.cmpi eq, %[[KNOWN]]
// GROUP:             scf.if
// GROUP:               memref.store %{{.*}}, %arg2
// GROUP-NOT:       np.call_sort
// GROUP:         } else {
// GROUP:           np.call_sort
func.func @assign(%x: memref<?xindex>, %w: memref<?xf64>, %out: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    %v = memref.load %w[%i] : memref<?xf64>
    memref.store %v, %out[%p] : memref<?xf64>
  }
  return
}

// Rows: only the iterations are sorted, what is summed is read where it lies.
// GROUP-LABEL: func.func @add_rows
// GROUP:       scf.if
// GROUP:         np.kernel updates
// GROUP:           scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c0)
// GROUP:         } else {
// GROUP:         %[[KEYS:.*]] = np.alloc
// GROUP:         %[[ORDER:.*]] = np.alloc
// GROUP:         %[[SORTED:.*]] = np.alloc
// GROUP-NOT:     np.alloc
// GROUP:         np.call_sort %[[KEYS]] below %{{.*}} into %[[ORDER]] positions true
// GROUP:         np.kernel (%[[AT:.*]], %[[J:.*]]) = (%{{.*}}, %[[LENGTH:.*]]) {
// GROUP:           %[[KEY:.*]] = memref.load %[[SORTED]][%[[AT]]]
// GROUP:           %[[OLD:.*]] = memref.load %arg2[%{{.*}}, %[[J]]]
// GROUP:           %[[MANY:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[OLD]])
// GROUP:             %[[FROM:.*]] = memref.load %[[ORDER]]
// GROUP:             memref.load %arg1[%{{.*}}, %[[J]]]
// GROUP:           memref.store %{{.*}}, %arg2[%{{.*}}, %[[J]]]
// GROUP:       } else {
// GROUP:         scf.for
// GROUP:           np.kernel (%{{.*}}) = (%[[LENGTH]])
func.func @add_rows(%x: memref<?xindex>, %w: memref<?x?xf64>, %out: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xindex>
  %m = memref.dim %w, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    np.kernel (%j) = (%m) {
      %old = memref.load %out[%p, %j] : memref<?x?xf64>
      %v = memref.load %w[%i, %j] : memref<?x?xf64>
      %new = arith.addf %old, %v : f64
      memref.store %new, %out[%p, %j] : memref<?x?xf64>
    }
  }
  return
}

// A row that an iteration reads elsewhere: in order.
// GROUP-LABEL: func.func @add_shifted
// GROUP-NOT:   np.call_sort
func.func @add_shifted(%x: memref<?xindex>, %out: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xindex>
  %m = memref.dim %out, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    np.kernel (%j) = (%m) {
      %old = memref.load %out[%p, %j] : memref<?x?xf64>
      %v = memref.load %out[%i, %j] : memref<?x?xf64>
      %new = arith.addf %old, %v : f64
      memref.store %new, %out[%p, %j] : memref<?x?xf64>
    }
  }
  return
}
