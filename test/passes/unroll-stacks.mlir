// RUN: npcc-opt %s --npcc-unroll-stacks | FileCheck %s

// What is computed element by element of small matrices that a kernel has made is part of that kernel: its loads are what was stored.
// CHECK-LABEL: func.func @behind
// CHECK:       np.kernel (%[[I:.*]]) = (%arg2) {
// CHECK:         memref.store %[[X:.*]], %{{.*}}[%[[I]], %c0, %c0]
// CHECK:         memref.store %[[Y:.*]], %{{.*}}[%[[I]], %c1, %c1]
// CHECK:         %[[P:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK:         memref.store %[[P]], %arg1[%[[I]], %{{.*}}, %{{.*}}]
// CHECK:         %[[Q:.*]] = arith.mulf %[[Y]], %[[Y]]
// CHECK:         memref.store %[[Q]], %arg1[%[[I]], %{{.*}}, %{{.*}}]
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @behind(%a: memref<?xf64>, %b: memref<?x?x?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = np.alloc(%n, %c2, %c2) : memref<?x?x?xf64>
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.negf %x : f64
    memref.store %x, %m[%i, %c0, %c0] : memref<?x?x?xf64>
    memref.store %x, %m[%i, %c0, %c1] : memref<?x?x?xf64>
    memref.store %x, %m[%i, %c1, %c0] : memref<?x?x?xf64>
    memref.store %y, %m[%i, %c1, %c1] : memref<?x?x?xf64>
  }
  np.kernel (%i, %j, %k) = (%n, %c2, %c2) {
    %x = memref.load %m[%i, %j, %k] : memref<?x?x?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %b[%i, %j, %k] : memref<?x?x?xf64>
  }
  return
}

// What makes the matrices, and a sum over the axes of one, in C order.
// CHECK-LABEL: func.func @before
// CHECK:       np.kernel (%[[I:.*]]) = (%arg2) {
// CHECK-COUNT-2: memref.load %arg0
// CHECK:         arith.subf
// CHECK:         memref.store %{{.*}}, %arg1[%[[I]]]
// CHECK-NOT:   np.kernel
// CHECK:       return
// CHECK-LABEL: func.func @sum
// CHECK:       np.kernel
// CHECK-NOT:   scf.parallel
// CHECK:         %[[S:.*]] = arith.addf %{{.*}}, %[[X:.*]] : f64
// CHECK:         %[[T:.*]] = arith.addf %[[S]], %[[Y:.*]] : f64
// CHECK:         memref.store %[[T]], %arg1
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @before(%a: memref<?x?xf64>, %b: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = np.alloc(%n, %c2) : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %c2) {
    %x = memref.load %a[%i, %j] : memref<?x?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %m[%i, %j] : memref<?x?xf64>
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %m[%i, %c0] : memref<?x?xf64>
    %y = memref.load %m[%i, %c1] : memref<?x?xf64>
    %z = arith.subf %x, %y : f64
    memref.store %z, %b[%i] : memref<?xf64>
  }
  return
}
func.func @sum(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %m = np.alloc(%n, %c2) : memref<?x?xf64>
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.negf %x : f64
    memref.store %x, %m[%i, %c0] : memref<?x?xf64>
    memref.store %y, %m[%i, %c1] : memref<?x?xf64>
  }
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%c2) step (%c1) init (%zero) -> f64 {
      %x = memref.load %m[%i, %k] : memref<?x?xf64>
      scf.reduce(%x : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %b[%i] : memref<?xf64>
  }
  return
}

// A matrix of all rows of the stack, which a product with one matrix takes it for: the rows are the positions' own.
// CHECK-LABEL: func.func @rows_of_all
// CHECK:       np.kernel (%[[I:.*]]) = (%arg2) {
// CHECK-NOT:     memref.load %{{.*}}strided
// CHECK-COUNT-4: memref.store %{{.*}}, %arg1[%[[I]], %{{.*}}, %{{.*}}]
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @rows_of_all(%a: memref<?xf64>, %b: memref<?x?x?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = np.alloc(%n, %c2, %c2) : memref<?x?x?xf64>
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %m[%i, %c0, %c0] : memref<?x?x?xf64>
    memref.store %x, %m[%i, %c0, %c1] : memref<?x?x?xf64>
    memref.store %x, %m[%i, %c1, %c0] : memref<?x?x?xf64>
    memref.store %x, %m[%i, %c1, %c1] : memref<?x?x?xf64>
  }
  %all = arith.muli %n, %c2 : index
  %rows = memref.reinterpret_cast %m to offset: [0], sizes: [%all, 2], strides: [2, 1] : memref<?x?x?xf64> to memref<?x2xf64, strided<[2, 1]>>
  np.kernel (%i, %j, %k) = (%n, %c2, %c2) {
    %first = arith.muli %i, %c2 : index
    %row = arith.addi %first, %j : index
    %x = memref.load %rows[%row, %k] : memref<?x2xf64, strided<[2, 1]>>
    memref.store %x, %b[%i, %j, %k] : memref<?x?x?xf64>
  }
  return
}

// What a view's store may have changed is loaded.
// CHECK-LABEL: func.func @stored_by_a_view
// CHECK:       np.kernel (%[[I:.*]]) = (%arg2) {
// CHECK:         memref.store %{{.*}}, %reinterpret_cast
// CHECK:         %[[X:.*]] = memref.load %{{.*}}[%[[I]], %c0] : memref<?x?xf64>
// CHECK-NEXT:    memref.store %[[X]], %arg1
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @stored_by_a_view(%a: memref<?xf64>, %b: memref<?x?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = np.alloc(%n, %c2) : memref<?x?xf64>
  %all = arith.muli %n, %c2 : index
  %flat = memref.reinterpret_cast %m to offset: [0], sizes: [%all], strides: [1] : memref<?x?xf64> to memref<?xf64, strided<[1]>>
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %m[%i, %c0] : memref<?x?xf64>
    memref.store %x, %m[%i, %c1] : memref<?x?xf64>
    %first = arith.muli %i, %c2 : index
    %y = arith.negf %x : f64
    memref.store %y, %flat[%first] : memref<?xf64, strided<[1]>>
    %z = memref.load %m[%i, %c0] : memref<?x?xf64>
    memref.store %z, %b[%i, %c0] : memref<?x?xf64>
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %b[%i, %c0] : memref<?x?xf64>
    memref.store %x, %b[%i, %c1] : memref<?x?xf64>
  }
  return
}

// They stay as they were: an array of one element for each position; rows of many elements, or of a number that is not known; another position's row.
// CHECK-LABEL: func.func @others
// CHECK:         np.kernel (%{{.*}}) = (%arg4)
// CHECK:         np.kernel (%{{.*}}, %{{.*}}) = (%arg4, %c2)
// CHECK:         np.kernel (%{{.*}}) = (%arg4)
// CHECK:         np.kernel (%{{.*}}, %{{.*}}) = (%arg4, %c17)
// CHECK:         np.kernel (%{{.*}}) = (%arg4)
// CHECK:         np.kernel (%{{.*}}, %{{.*}}) = (%arg4, %arg5)
// CHECK:         np.kernel (%{{.*}}) = (%arg4)
// CHECK:         np.kernel (%{{.*}}, %{{.*}}) = (%arg4, %c2)
// CHECK:           memref.load %arg2
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    }
// CHECK-NEXT:  return
func.func @others(%a: memref<?xf64>, %b: memref<?x?xf64>, %m: memref<?x?xf64>, %s: memref<?xf64>, %n: index, %l: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c17 = arith.constant 17 : index
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %s[%i] : memref<?xf64>
  }
  np.kernel (%i, %j) = (%n, %c2) {
    %x = memref.load %s[%i] : memref<?xf64>
    memref.store %x, %b[%i, %j] : memref<?x?xf64>
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %m[%i, %c0] : memref<?x?xf64>
    memref.store %x, %m[%i, %c1] : memref<?x?xf64>
  }
  np.kernel (%i, %j) = (%n, %c17) {
    %x = memref.load %m[%i, %j] : memref<?x?xf64>
    memref.store %x, %b[%i, %j] : memref<?x?xf64>
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %m[%i, %c0] : memref<?x?xf64>
    memref.store %x, %m[%i, %c1] : memref<?x?xf64>
  }
  np.kernel (%i, %j) = (%n, %l) {
    %x = memref.load %m[%i, %j] : memref<?x?xf64>
    memref.store %x, %b[%i, %j] : memref<?x?xf64>
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %m[%i, %c0] : memref<?x?xf64>
    memref.store %x, %m[%i, %c1] : memref<?x?xf64>
  }
  np.kernel (%i, %j) = (%n, %c2) {
    %next = arith.addi %i, %c1 : index
    %x = memref.load %m[%next, %j] : memref<?x?xf64>
    memref.store %x, %b[%i, %j] : memref<?x?xf64>
  }
  return
}
