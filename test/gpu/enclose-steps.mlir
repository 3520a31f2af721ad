// A loop of the host whose kernels are small is run by one block, a larger one by the grid; buffers of an iteration are made before, as large as they
// get.
// RUN: npcc-opt %s --npcc-enclose-steps | FileCheck %s
// RUN: npcc-opt %s --npcc-enclose-steps --npcc-classify-kernels --npcc-map-kernels --npcc-lower-device-checks | FileCheck %s --check-prefix=LAUNCH

// CHECK-LABEL: func.func @factor
// CHECK:       %[[WORK:.*]] = arith.addi
// CHECK:       arith.cmpi sle, %{{.*}}, %c16000000
// CHECK:       %[[SMALL:.*]] = arith.cmpi sle, %{{.*}}, %c80000
// CHECK:       np.alternatives "steps in one block" %[[SMALL]]
// CHECK:         %[[BUFFER:.*]] = np.alloc
// CHECK:         np.kernel steps (%{{.*}}) = (%c1{{.*}})
// CHECK-NEXT:      scf.for
// CHECK-NOT:         np.alloc
// CHECK:             memref.store %{{.*}}, %[[BUFFER]]
// The kernel of one iteration is the block's own code.
// CHECK-NOT:         to (%c1)
// CHECK:             scf.parallel {{.*}} -> f64
// CHECK-NOT:         np.release
// CHECK:         np.release %[[BUFFER]]
// CHECK:       } or {
// CHECK:         np.alternatives {{.*}}
// CHECK:           np.kernel steps {{.*}} by grid {
// CHECK:             scf.parallel
// CHECK:         } or {
// CHECK:           scf.for
// CHECK:           np.alloc

// LAUNCH-LABEL: func.func @factor
// LAUNCH:       gpu.launch blocks({{.*}}) in (%{{.*}} = %c1
// LAUNCH:         scf.for
// LAUNCH:           llvm.call_intrinsic "llvm.nvvm.exit"
// LAUNCH:           gpu.barrier
func.func @factor(%x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %k = %c0 to %n step %c1 {
    %p = np.check_index %k of %n axis 0
    %t = np.alloc(%k) : memref<?xf64>
    np.kernel (%i) = (%k) {
      %u = memref.load %x[%i] : memref<?xf64>
      memref.store %u, %t[%i] : memref<?xf64>
    }
    np.kernel (%u) = (%c1) {
      %s = scf.parallel (%j) = (%c0) to (%k) step (%c1) init (%z) -> f64 {
        %v = memref.load %t[%j] : memref<?xf64>
        scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
          %r = arith.addf %a, %b : f64
          scf.reduce.return %r : f64 }
      }
      memref.store %s, %x[%p] : memref<?xf64>
    }
    np.release %t : memref<?xf64>
  }
  return
}

// The host has something to do in each iteration: a product of integers by a library.
// CHECK-LABEL: func.func @product
// CHECK-NOT:   np.kernel steps
func.func @product(%a: memref<?x?xi64>, %b: memref<?x?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xi64>
  scf.for %k = %c0 to %n step %c1 {
    np.call_matmul %a, %a into %b {is_unsigned = false} : memref<?x?xi64>, memref<?x?xi64>, memref<?x?xi64>
    np.kernel (%i) = (%m) {
      %u = memref.load %b[%i, %i] : memref<?x?xi64>
      memref.store %u, %a[%i, %i] : memref<?x?xi64>
    }
  }
  return
}

// Extents that meet in every iteration meet before: where they are not equal, the host runs the loop.
// CHECK-LABEL: func.func @meeting
// CHECK:       %[[SAME:.*]] = arith.cmpi eq, %arg2, %arg3
// CHECK:       %[[SHORT:.*]] = arith.andi %[[SAME]], %{{.*}}
// CHECK:       np.alternatives "steps by rows" %[[SHORT]] {
// CHECK:       %[[SMALL:.*]] = arith.andi %[[SAME]], %{{.*}}
// CHECK:       np.alternatives "steps in one block" %[[SMALL]]
// CHECK:         np.alloc(%{{.*}}) : memref<?xf64>
// CHECK:         np.kernel steps
// CHECK-NOT:       np.broadcast_extent
// CHECK:       } or {
// CHECK:         np.broadcast_extent
// LAUNCH-LABEL: func.func @meeting
// By rows, each of one element: as many to a block as it has threads.
// LAUNCH:       gpu.launch blocks({{.*}}) threads({{.*}}) in (%{{.*}} = %c128{{[_0-9]*}},
// No more threads than have elements.
// LAUNCH:       %[[THREADS:.*]] = arith.select %{{.*}}, %c128{{[_0-9]*}}, %
// LAUNCH:       gpu.launch blocks({{.*}}) in (%{{.*}} = %c1{{.*}} threads({{.*}}) in (%{{.*}} = %[[THREADS]],
// LAUNCH:       nvvm.maxntid = array<i32: 512>
func.func @meeting(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %m: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %l = np.broadcast_extent "ufunc" %n, %m shapes[%n, %m] lhs_rank 1
    %t = np.alloc(%l) : memref<?xf64>
    np.kernel (%i) = (%l) {
      %u = memref.load %x[%i] : memref<?xf64>
      memref.store %u, %t[%i] : memref<?xf64>
    }
    np.kernel (%i) = (%m) {
      %u = memref.load %t[%i] : memref<?xf64>
      memref.store %u, %y[%i] : memref<?xf64>
    }
    np.release %t : memref<?xf64>
  }
  return
}

// An array that goes round stays in one place, into which an iteration ends by copying the new one; the first one is copied before. A number goes round as such, and
// the host reads the last one. A small product is a kernel.
// CHECK-LABEL: func.func @round
// CHECK:       arith.cmpi eq
// CHECK:       np.alternatives {{.*}} {{.*}} -> (memref<?x?xf64>, f64) {
// CHECK:         %[[NEW:.*]] = np.alloc
// CHECK:         %[[NOW:.*]] = np.alloc
// CHECK:         np.kernel
// CHECK:           memref.load %arg1
// CHECK:           memref.store %{{.*}}, %[[NOW]]
// CHECK:         np.release %arg1
// CHECK:         %[[LAST:.*]] = np.alloc() : memref<f64>
// CHECK:         np.kernel steps
// CHECK:           %[[T:.*]] = scf.for {{.*}} -> (f64) {
// CHECK:             scf.parallel
// CHECK:               scf.parallel {{.*}} -> f64
// CHECK:                 memref.load %[[NOW]]
// CHECK:               memref.store %{{.*}}, %[[NEW]]
// CHECK:             scf.parallel
// CHECK:               memref.load %[[NEW]]
// CHECK:               memref.store %{{.*}}, %[[NOW]]
// CHECK:           memref.store %[[T]], %[[LAST]]
// CHECK:         %[[NUMBER:.*]] = memref.load %[[LAST]]
// CHECK:         np.release %[[NEW]]
// CHECK:         np.yield %[[NOW]], %[[NUMBER]]
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:           np.call_matmul
func.func @round(%a: memref<?x?xf64>, %x: memref<?x?xf64>, %n: index, %m: index, %steps: index) -> (memref<?x?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %r:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%y = %x, %t = %z) -> (memref<?x?xf64>, f64) {
    %new = np.alloc(%n, %m) : memref<?x?xf64>
    np.call_matmul %a, %y into %new {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
    np.release %y : memref<?x?xf64>
    np.kernel (%i) = (%n) {
      memref.store %t, %new[%i, %c0] : memref<?x?xf64>
    }
    %s = arith.addf %t, %t : f64
    scf.yield %new, %s : memref<?x?xf64>, f64
  }
  return %r#0, %r#1 : memref<?x?xf64>, f64
}

// Until a number that the device computes says so: the host waits for nothing. What the condition gives, and an array that the body gives back, stay in one place.
// CHECK-LABEL: func.func @until
// CHECK:       np.alternatives {{.*}} {{.*}} -> (memref<?xf64>, i64) {
// CHECK:         %[[T:.*]] = np.alloc({{.*}}) : memref<?xf64>
// CHECK:         %[[ERROR:.*]] = np.alloc() : memref<f64>
// CHECK:         %[[NOW:.*]] = np.alloc({{.*}}) : memref<?xf64>
// CHECK:         np.kernel steps
// CHECK:           %[[STEPS:.*]] = scf.while {{.*}} : (i64) -> i64 {
// CHECK-NEXT:        memref.load %[[LAST:[0-9]+]][] : memref<f64>
// CHECK-NOT:         np.release
// CHECK:             scf.condition({{.*}}) %{{.*}} : i64
// CHECK:             scf.parallel {{.*}} -> f64
// CHECK:             memref.store %{{.*}}, %[[ERROR]][]
// CHECK:             memref.load %[[ERROR]][]
// CHECK:             memref.store %{{.*}}, %[[LAST]][]
// CHECK:         np.release
// CHECK:         np.yield %[[NOW]]
// CHECK:           np.kernel steps {{.*}} by grid {
// CHECK:         } or {
// CHECK:           scf.while
func.func @until(%x: memref<?xf64>, %n: index, %least: f64) -> (memref<?xf64>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %none = arith.constant 0 : i64
  %z = arith.constant 0.0 : f64
  %first = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    memref.store %u, %first[%i] : memref<?xf64>
  }
  %start = np.alloc() : memref<f64>
  memref.store %least, %start[] : memref<f64>
  %r:2 = scf.while (%y = %first, %e = %start, %k = %none) : (memref<?xf64>, memref<f64>, i64) -> (memref<?xf64>, i64) {
    %now = memref.load %e[] : memref<f64>
    np.release %e : memref<f64>
    %more = arith.cmpf oge, %now, %least : f64
    scf.condition(%more) %y, %k : memref<?xf64>, i64
  } do {
  ^bb0(%y: memref<?xf64>, %k: i64):
    %t = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %u = memref.load %y[%i] : memref<?xf64>
      %v = arith.mulf %u, %u : f64
      memref.store %v, %t[%i] : memref<?xf64>
    }
    np.release %y : memref<?xf64>
    %e = np.alloc() : memref<f64>
    np.kernel (%u) = (%c1) {
      %s = scf.parallel (%j) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
        %v = memref.load %t[%j] : memref<?xf64>
        scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
          %r = arith.addf %a, %b : f64
          scf.reduce.return %r : f64 }
      }
      memref.store %s, %e[] : memref<f64>
    }
    %next = arith.addi %k, %one : i64
    scf.yield %t, %e, %next : memref<?xf64>, memref<f64>, i64
  }
  return %r#0, %r#1 : memref<?xf64>, i64
}

// A branch chooses the array: in the kernel both sides store into one, the host goes on with whichever it is.
// CHECK-LABEL: func.func @chosen
// CHECK:       np.kernel steps
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             memref.store %{{.*}}, %[[PLACE:.*]][%
// CHECK:           } else {
// CHECK:             memref.store %{{.*}}, %[[PLACE]][%
// CHECK:       } else {
// CHECK:         scf.for
// CHECK:           scf.if {{.*}} -> (memref<?xf64>) {
// CHECK:             np.retain
func.func @chosen(%x: memref<?xf64>, %c: memref<?xi8>, %count: index) -> memref<?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant 0 : i8
  %n = memref.dim %x, %c0 : memref<?xf64>
  %first = np.alloc(%n) : memref<?xf64>
  np.kernel map (%i) = (%n) {
    %v = memref.load %x[%i] : memref<?xf64>
    memref.store %v, %first[%i] : memref<?xf64>
  }
  %last = scf.for %k = %c0 to %count step %c1 iter_args(%a = %first) -> (memref<?xf64>) {
    %asked = memref.load %c[%k] : memref<?xi8>
    %isTrue = arith.cmpi ne, %asked, %no : i8
    %next = scf.if %isTrue -> (memref<?xf64>) {
      %b = np.alloc(%n) : memref<?xf64>
      np.kernel map (%i) = (%n) {
        %v = memref.load %a[%i] : memref<?xf64>
        %w = arith.addf %v, %v : f64
        memref.store %w, %b[%i] : memref<?xf64>
      }
      scf.yield %b : memref<?xf64>
    } else {
      np.retain %a : memref<?xf64>
      scf.yield %a : memref<?xf64>
    }
    np.release %a : memref<?xf64>
    scf.yield %next : memref<?xf64>
  }
  return %last : memref<?xf64>
}
