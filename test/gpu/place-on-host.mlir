// Arrays that the host goes through element by element lie in its memory.
// RUN: npcc-opt %s --npcc-place-on-host | FileCheck %s
// RUN: npcc-opt %s --npcc-place-on-host=whole-loops=true | FileCheck %s --check-prefix=WHOLE

// A table that a loop fills and looks up. The kernel that makes it is a loop of the host, and the caller gets a copy.
// CHECK-LABEL: func.func @table
// CHECK:       %[[TABLE:.*]] = np.alloc(%{{.*}}) : memref<?xi64, "host">
// CHECK-NOT:   np.kernel
// CHECK:       scf.for
// CHECK:         memref.store %{{.*}}, %[[TABLE]]{{.*}} : memref<?xi64, "host">
// CHECK:       scf.for
// CHECK:         memref.load %[[TABLE]]{{.*}} : memref<?xi64, "host">
// CHECK:       %[[COPY:.*]] = np.alloc(%{{.*}}) : memref<?xi64>
// CHECK-NEXT:  memref.copy %[[TABLE]], %[[COPY]] : memref<?xi64, "host"> to memref<?xi64>
// CHECK-NEXT:  np.release %[[TABLE]] : memref<?xi64, "host">
// CHECK-NEXT:  return %[[COPY]]
// WHOLE-LABEL: func.func @table
// WHOLE:       np.alloc(%{{.*}}) : memref<?xi64, "host">
func.func @table(%n: index) -> memref<?xi64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %t = np.alloc(%n) : memref<?xi64>
  np.kernel (%i) = (%n) {
    memref.store %one, %t[%i] : memref<?xi64>
  }
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %t[%before] : memref<?xi64>
    %y = arith.muli %x, %x : i64
    memref.store %y, %t[%i] : memref<?xi64>
  }
  return %t : memref<?xi64>
}

// An array that grows: all its names, and what it is replaced by, lie in one memory.
// CHECK-LABEL: func.func @list
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (memref<?xi64, "host">)
// CHECK:         scf.if {{.*}} -> (memref<?xi64, "host">)
// CHECK-NOT:       np.kernel
// CHECK:           np.alloc(%{{.*}}) : memref<?xi64, "host">
// CHECK:           scf.for
func.func @list(%n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i64
  %first = np.alloc(%c1) : memref<?xi64>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%list = %first) -> (memref<?xi64>) {
    %room = memref.dim %list, %c0 : memref<?xi64>
    %isFull = arith.cmpi uge, %i, %room : index
    %next = scf.if %isFull -> (memref<?xi64>) {
      %twice = arith.muli %room, %c2 : index
      %larger = np.alloc(%twice) : memref<?xi64>
      np.kernel (%k) = (%twice) {
        %isOld = arith.cmpi ult, %k, %i : index
        %old = scf.if %isOld -> (i64) {
          %x = memref.load %list[%k] : memref<?xi64>
          scf.yield %x : i64
        } else {
          scf.yield %zero : i64
        }
        memref.store %old, %larger[%k] : memref<?xi64>
      }
      scf.yield %larger : memref<?xi64>
    } else {
      np.retain %list : memref<?xi64>
      scf.yield %list : memref<?xi64>
    }
    np.release %list : memref<?xi64>
    %value = arith.index_cast %i : index to i64
    memref.store %value, %next[%i] : memref<?xi64>
    scf.yield %next : memref<?xi64>
  }
  np.release %all : memref<?xi64>
  return
}

// A kernel that needs it beside an array of the device gets a copy, once for the whole loop before it.
// CHECK-LABEL: func.func @lookup
// CHECK:       %[[TABLE:.*]] = np.alloc(%{{.*}}) : memref<?xf64, "host">
// CHECK:       scf.for
// CHECK:       %[[COPY:.*]] = np.alloc(%{{.*}}) : memref<?xf64>
// CHECK-NEXT:  memref.copy %[[TABLE]], %[[COPY]]
// CHECK-NEXT:  np.kernel
// CHECK:         memref.load %[[COPY]]
// CHECK:       np.release %[[COPY]] : memref<?xf64>
// CHECK:       np.release %[[TABLE]]
func.func @lookup(%a: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  %t = np.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %t[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %y = memref.load %t[%i] : memref<?xf64>
    memref.store %y, %a[%i] : memref<?xf64>
  }
  np.release %t : memref<?xf64>
  return
}

// As often as the host: a copy for each kernel would cost more than the element. And a loop that has a kernel may
// become one, as long as its arrays are the device's: the first time that is left open.
// CHECK-LABEL: func.func @step
// CHECK-NOT:   "host"
// CHECK:       return
func.func @step(%a: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  %t = np.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %t[%i] : memref<?xf64>
    np.kernel (%k) = (%n) {
      %y = memref.load %t[%k] : memref<?xf64>
      memref.store %y, %a[%k] : memref<?xf64>
    }
  }
  np.release %t : memref<?xf64>
  return
}

// CHECK-LABEL: func.func @history
// CHECK:       np.alloc(%{{.*}}) : memref<?xf64, "host">
// WHOLE-LABEL: func.func @history
// WHOLE-NOT:   "host"
// WHOLE:       return
func.func @history(%a: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  %t = np.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    np.kernel (%k) = (%n) {
      memref.store %x, %a[%k] : memref<?xf64>
    }
    memref.store %x, %t[%i] : memref<?xf64>
  }
  np.release %t : memref<?xf64>
  return
}

// Sums of floats stay with the device, whose order of adding decides the last bits.
// CHECK-LABEL: func.func @total
// CHECK:       np.alloc(%{{.*}}) : memref<?xf64, "host">
// CHECK:       memref.copy
// CHECK:       np.kernel
// CHECK:         scf.parallel
func.func @total(%s: memref<f64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %t = np.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %z, %t[%i] : memref<?xf64>
  }
  np.kernel (%u) = (%c1) {
    %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %e = memref.load %t[%i] : memref<?xf64>
      scf.reduce(%e : f64) {
      ^bb0(%a: f64, %b: f64):
        %q = arith.addf %a, %b : f64
        scf.reduce.return %q : f64
      }
    }
    memref.store %sum, %s[] : memref<f64>
  }
  np.release %t : memref<?xf64>
  return
}

// What an argument may be is where the caller has it.
// CHECK-LABEL: func.func @given
// CHECK-NOT:   "host"
// CHECK:       return
func.func @given(%a: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  return
}

// The corners of a triangle are the host's, which has a copy of all corners from before the loop. The kernel that goes
// over many elements is given what it reads of them.
// CHECK-LABEL: func.func @corners
// CHECK:       %[[MIRROR:.*]] = np.alloc(%{{.*}}) : memref<?x3xf64, "host">
// CHECK-NEXT:  memref.copy %arg0, %[[MIRROR]] : memref<?x3xf64> to memref<?x3xf64, "host">
// CHECK:       scf.for
// CHECK:         %[[CORNERS:.*]] = np.alloc() : memref<3xf64, "host">
// CHECK:         scf.for
// CHECK:           memref.load %[[MIRROR]]
// CHECK:           memref.store %{{.*}}, %[[CORNERS]]
// CHECK:         memref.load %[[CORNERS]]
// CHECK:         %[[SECOND:.*]] = memref.load %[[CORNERS]]
// CHECK:         np.kernel
// CHECK-NOT:       "host"
// CHECK:         np.release %[[CORNERS]]
// CHECK:       np.release %[[MIRROR]]
// WHOLE-LABEL: func.func @corners
// WHOLE-NOT:   "host"
// WHOLE:       return
func.func @corners(%a: memref<?x3xf64> {np.first = array<i64: 1000, 3, 0>}, %image: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  scf.for %f = %c0 to %n step %c1 {
    %t = np.alloc() : memref<3xf64>
    np.kernel (%i) = (%c3) {
      %x = memref.load %a[%f, %i] : memref<?x3xf64>
      %y = arith.addf %x, %x : f64
      memref.store %y, %t[%i] : memref<3xf64>
    }
    %first = memref.load %t[%c0] : memref<3xf64>
    %isRight = arith.cmpf ogt, %first, %zero : f64
    scf.if %isRight {
      np.kernel (%p) = (%n) {
        %second = memref.load %t[%c1] : memref<3xf64>
        memref.store %second, %image[%p] : memref<?xf64>
      }
    }
    np.release %t : memref<3xf64>
  }
  return
}

// What the loop stores to is no longer what it was before it.
// CHECK-LABEL: func.func @moving_corners
// CHECK-NOT:   "host"
// CHECK:       return
func.func @moving_corners(%a: memref<?x3xf64> {np.first = array<i64: 1000, 3, 0>}, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %f = %c0 to %n step %c1 {
    %t = np.alloc() : memref<3xf64>
    np.kernel (%i) = (%c3) {
      %x = memref.load %a[%f, %i] : memref<?x3xf64>
      %y = arith.addf %x, %x : f64
      memref.store %y, %t[%i] : memref<3xf64>
    }
    %first = memref.load %t[%c0] : memref<3xf64>
    np.kernel (%p) = (%n) {
      memref.store %first, %a[%p, %c0] : memref<?x3xf64>
    }
    np.release %t : memref<3xf64>
  }
  return
}

// A library takes an array of the device, also if the host has filled it.
// CHECK-LABEL: func.func @sorted
// CHECK:       %[[KEYS:.*]] = np.alloc(%{{.*}}) : memref<?xi64, "host">
// CHECK:       %[[COPY:.*]] = np.alloc(%{{.*}}) : memref<?xi64>
// CHECK-NEXT:  memref.copy %[[KEYS]], %[[COPY]] : memref<?xi64, "host"> to memref<?xi64>
// CHECK-NEXT:  np.call_sort %[[COPY]] into %arg1
func.func @sorted(%n: index, %order: memref<?xi64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %keys = np.alloc(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.index_cast %i : index to i64
    memref.store %x, %keys[%i] : memref<?xi64>
  }
  np.call_sort %keys into %order positions true {is_unsigned = false} : memref<?xi64>, memref<?xi64>
  np.release %keys : memref<?xi64>
  return
}
