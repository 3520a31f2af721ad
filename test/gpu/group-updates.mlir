// Loops of updates whose order shows: sorted by position, or by rows, so that a thread has each position.
// RUN: npcc-opt %s --npcc-group-updates --canonicalize --cse | FileCheck %s

// Few bins are summed in parts; otherwise iterations are sorted by position.
// CHECK-LABEL: func.func @weigh
// CHECK:       np.alternatives "updates sorted by position"
// CHECK:         np.alternatives "updates summed in parts"
// CHECK:           %[[OWN:.*]] = np.alloc(%[[PARTS:.*]], %{{.*}}) : memref<?x?xf64>
// CHECK:           np.kernel (%{{.*}}, %{{.*}}) = (%[[PARTS]], %{{.*}}) {
// CHECK:             memref.store %{{.*}}, %[[OWN]]
// CHECK:           np.kernel updates (%[[PART:.*]]) = (%[[PARTS]]) {
// CHECK:             scf.parallel
// CHECK:               memref.atomic_rmw addf %{{.*}}, %[[OWN]][%[[PART]], %{{.*}}]
// CHECK:           np.kernel (%[[BIN:.*]]) = (%{{.*}}) {
// CHECK:             %[[SUM:.*]] = scf.parallel (%[[AT:.*]]) = (%c0) to (%[[PARTS]])
// CHECK:               memref.load %[[OWN]][%[[AT]], %[[BIN]]]
// CHECK:             %[[BEFORE:.*]] = memref.load %arg2[%[[BIN]]]
// CHECK:             arith.addf %[[BEFORE]], %[[SUM]]
// CHECK:         } or {
// CHECK:         %[[KEYS:.*]] = np.alloc
// CHECK:         %[[ORDER:.*]] = np.alloc
// CHECK:         %[[SORTED:.*]] = np.alloc
// CHECK:         %[[VALUES:.*]] = np.alloc({{.*}}) : memref<?xf64>
// CHECK:         np.kernel
// CHECK:           memref.store %{{.*}}, %[[KEYS]]
// CHECK:         np.call_sort %[[KEYS]] below %{{.*}} into %[[ORDER]] positions true
// CHECK:         np.kernel
// CHECK:           memref.store %{{.*}}, %[[SORTED]]
// CHECK:           memref.store %{{.*}}, %[[VALUES]]
// Not many more positions than updates: each has a thread.
// CHECK:         np.alternatives "a thread for each position"
// CHECK:           %[[FIRST:.*]] = np.alloc
// CHECK:           %[[BEHIND:.*]] = np.alloc
// CHECK:           np.kernel
// CHECK:             memref.store %{{.*}}, %[[FIRST]]
// CHECK:             memref.store %{{.*}}, %[[BEHIND]]
// CHECK:           np.kernel (%[[PLACE:.*]]) = (%{{.*}}) {
// CHECK:             memref.load %[[FIRST]][%[[PLACE]]]
// CHECK:             memref.load %[[BEHIND]][%[[PLACE]]]
// CHECK:             memref.load %arg2[%[[PLACE]]]
// CHECK-COUNT-16:      memref.load %[[VALUES]]
// CHECK:             memref.store %{{.*}}, %arg2[%[[PLACE]]]
// CHECK:         } or {
// CHECK:         np.kernel
// The end of the equal positions, 16 updates at a time, and what is left.
// CHECK:           scf.while
// CHECK:           %[[END:.*]]:2 = scf.while
// CHECK:           %[[OLD:.*]] = memref.load %arg2
// CHECK:           %[[MANY:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[OLD]])
// CHECK-COUNT-16:    memref.load %[[VALUES]]
// CHECK-COUNT-16:    arith.addf
// CHECK:           %[[ALL:.*]] = scf.for {{.*}} to %[[END]]#1 {{.*}} iter_args(%{{.*}} = %[[MANY]])
// CHECK:             arith.addf
// CHECK:           memref.store %[[ALL]], %arg2
// CHECK:       } or {
// CHECK:         scf.for
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
// CHECK-LABEL: func.func @chase
// CHECK-NOT:   np.call_sort
func.func @chase(%x: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xindex>
    memref.store %i, %x[%p] : memref<?xindex>
  }
  return
}
// CHECK-LABEL: func.func @general
// CHECK-NOT:   np.call_sort
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
// CHECK-LABEL: func.func @assign
// CHECK:       np.alternatives "updates sorted by position"
// CHECK:         np.alternatives "the last iteration to store"
// CHECK:           %[[LAST:.*]] = np.alloc(%{{.*}}) : memref<?xi64>
// CHECK:           np.kernel
// CHECK:             memref.store %c-1_i64, %[[LAST]]
// CHECK:           np.kernel
// CHECK:             memref.atomic_rmw maxs %{{.*}}, %[[LAST]]
// CHECK:           np.kernel
// CHECK:             %[[KNOWN:.*]] = memref.load %[[LAST]]
// CHECK:             arith.cmpi eq, %[[KNOWN]]
// CHECK:             scf.if
// CHECK:               memref.store %{{.*}}, %arg2
// CHECK-NOT:       np.call_sort
// CHECK:         } or {
// CHECK:           np.call_sort
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
// CHECK-LABEL: func.func @add_rows
// CHECK:       np.alternatives "updates sorted by position"
// CHECK:         np.kernel updates
// CHECK:           scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c0)
// CHECK:         } or {
// CHECK:         %[[KEYS:.*]] = np.alloc
// CHECK:         %[[ORDER:.*]] = np.alloc
// CHECK:         %[[SORTED:.*]] = np.alloc
// CHECK-NOT:     np.alloc
// CHECK:         np.call_sort %[[KEYS]] below %{{.*}} into %[[ORDER]] positions true
// CHECK:         np.kernel (%[[AT:.*]], %[[J:.*]]) = (%{{.*}}, %[[LENGTH:.*]]) {
// CHECK:           %[[KEY:.*]] = memref.load %[[SORTED]][%[[AT]]]
// CHECK:           %[[OLD:.*]] = memref.load %arg2[%{{.*}}, %[[J]]]
// CHECK:           %[[MANY:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[OLD]])
// CHECK:             %[[FROM:.*]] = memref.load %[[ORDER]]
// CHECK:             memref.load %arg1[%{{.*}}, %[[J]]]
// CHECK:           memref.store %{{.*}}, %arg2[%{{.*}}, %[[J]]]
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:           np.kernel (%{{.*}}) = (%[[LENGTH]])
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
// CHECK-LABEL: func.func @add_shifted
// CHECK-NOT:   np.call_sort
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

// Assertions of iterations, where the array is lost with an error: a kernel asks all before anything is updated.
// CHECK-LABEL: func.func @asserted
// CHECK:       %[[BINS:.*]] = np.alloc
// CHECK:       np.alternatives "updates sorted by position"
// CHECK:         np.kernel (%[[I:.*]]) =
// CHECK:           %[[V:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK:           np.assert
// CHECK:           np.check_index
// CHECK-NOT:       memref.store
// CHECK:         }
// CHECK:         np.kernel
func.func @asserted(%x: memref<?xf64>, %bins: index) -> memref<?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %h = np.alloc(%bins) : memref<?xf64>
  np.kernel (%i) = (%bins) {
    memref.store %zero, %h[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %isNumber = arith.cmpf ord, %v, %v : f64
    np.assert %isNumber, "ValueError" "cannot convert float NaN to integer"()
    %k = arith.fptosi %v : f64 to i64
    %at = arith.index_cast %k : i64 to index
    %p = np.check_index %at of %bins axis 0
    %old = memref.load %h[%p] : memref<?xf64>
    %new = arith.addf %old, %v : f64
    memref.store %new, %h[%p] : memref<?xf64>
  }
  return %h : memref<?xf64>
}

// The position that a row's elements have in common is found before the row. A row without elements fails at nothing.
// CHECK-LABEL: func.func @rows_of_positions
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt, %{{.*}}, %c0
// CHECK:         scf.if %[[SOME]]
// CHECK:           np.call_sort
func.func @rows_of_positions(%p: memref<?xi64>, %x: memref<?x?xf64>, %n: index) -> memref<?x?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  %h = np.alloc(%n, %m) : memref<?x?xf64>
  scf.for %i = %c0 to %count step %c1 {
    np.kernel (%j) = (%m) {
      %k = memref.load %p[%i] : memref<?xi64>
      %at = arith.index_cast %k : i64 to index
      %q = np.check_index %at of %n axis 0
      %v = memref.load %x[%i, %j] : memref<?x?xf64>
      %old = memref.load %h[%q, %j] : memref<?x?xf64>
      %new = arith.addf %old, %v : f64
      memref.store %new, %h[%q, %j] : memref<?x?xf64>
    }
  }
  return %h : memref<?x?xf64>
}

// A loop that was left to the host stays one.
// CHECK-LABEL: func.func @of_the_host
// CHECK-NOT:   np.call_sort
// CHECK:       return
func.func @of_the_host(%p: memref<?xi64, "host">, %y: memref<?xf64, "host">) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %p, %c0 : memref<?xi64, "host">
  scf.for %k = %c0 to %n step %c1 {
    %i = memref.load %p[%k] : memref<?xi64, "host">
    %at = arith.index_cast %i : i64 to index
    %old = memref.load %y[%at] : memref<?xf64, "host">
    %new = arith.addf %old, %one : f64
    memref.store %new, %y[%at] : memref<?xf64, "host">
  }
  return
}
