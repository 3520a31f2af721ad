// RUN: npcc-opt %s --npcc-clean-loops | FileCheck %s
// A kernel of one iteration stays a kernel, and what does not change leaves its loops.

// CHECK-LABEL: func @one_iteration
// CHECK: memref.dim
// CHECK: np.kernel
// CHECK-NOT: memref.dim
// CHECK: scf.parallel
func.func @one_iteration(%a: memref<?xf64>, %r: memref<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  np.kernel (%i) = (%c1) {
    %n = memref.dim %a, %c0 : memref<?xf64>
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%f0) -> f64 {
      %x = memref.load %a[%k] : memref<?xf64>
      scf.reduce(%x : f64) {
      ^bb0(%l: f64, %m: f64):
        %t = arith.addf %l, %m : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %r[] : memref<f64>
  }
  return
}

// Whether an array is read-only is asked by the host, before its loops.
// CHECK-LABEL: func @asked_before
// CHECK:       np.is_read_only
// CHECK:       scf.for
// CHECK:         np.assert
func.func @asked_before(%a: memref<?xf64>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %true = arith.constant true
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      %r = np.is_read_only %a : memref<?xf64>
      %w = arith.xori %r, %true : i1
      np.assert %w, "ValueError" "assignment destination is read-only"()
      memref.store %z, %a[%i] : memref<?xf64>
    }
  }
  return
}

// An array that is only written and given back is none, and neither is a kernel that made nothing else.
// CHECK-LABEL: func.func @unread
// CHECK-NOT:   np.alloc
// CHECK:       np.kernel (%{{.*}}) = (%arg2)
// CHECK:         memref.store %{{.*}}, %arg1
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @unread(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %c[%i] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %b[%i] : memref<?xf64>
    memref.store %x, %c[%i] : memref<?xf64>
  }
  np.release %c : memref<?xf64>
  return
}

// An element that is stored, and stored again before anyone has read it: what is read in between is another one.
// CHECK-LABEL: func @overwritten
// CHECK:       scf.for
// CHECK-NOT:     memref.store
// CHECK:         %[[BEFORE:.*]] = memref.load
// CHECK:         %[[NEW:.*]] = arith.mulf
// CHECK:         memref.store %[[NEW]]
// CHECK-NOT:     memref.store
// CHECK:       return
func.func @overwritten(%y: memref<?xf64>, %x: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %p = arith.subi %i, %c1 : index
    %own = memref.load %x[%i] : memref<?xf64>
    memref.store %own, %y[%i] : memref<?xf64>
    %before = memref.load %y[%p] : memref<?xf64>
    %new = arith.mulf %own, %before : f64
    memref.store %new, %y[%i] : memref<?xf64>
  }
  return
}

// A chain of loops that nobody reads is gone, the innermost one too.
// CHECK-LABEL: func @dead_loops
// CHECK-NOT:   scf.for
// CHECK:       return
func.func @dead_loops(%n: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %inner = scf.for %k = %c0 to %i step %c1 iter_args(%b = %a) -> f64 {
      %product = arith.mulf %b, %x : f64
      scf.yield %product : f64
    }
    scf.yield %inner : f64
  }
  %second = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> f64 {
    %sum = arith.addf %a, %first : f64
    scf.yield %sum : f64
  }
  return
}

// A function of several blocks is simplified, too: what nothing reaches is gone, and nobody needs the block's argument.
// CHECK-LABEL: func @blocks
// CHECK-NOT:   arith.mulf
// CHECK:       cf.cond_br %{{.*}}, ^[[LAST:bb[0-9]+]], ^
// CHECK:       ^[[LAST]]:
func.func @blocks(%c: i1, %x: f64) -> f64 {
  cf.cond_br %c, ^last(%x : f64), ^other
^other:
  %sum = arith.addf %x, %x : f64
  cf.br ^end(%sum : f64)
^never:
  %product = arith.mulf %x, %x : f64
  cf.br ^last(%product : f64)
^last(%unread: f64):
  %twice = arith.subf %x, %x : f64
  cf.br ^end(%twice : f64)
^end(%result: f64):
  return %result : f64
}

// A position that the same code has checked before, of the same axis; in branches, too, but not what only one of them has checked.
// CHECK-LABEL: func @checked_before
// CHECK:       %[[P:.*]] = np.check_index %arg1 of %arg3 axis 0
// CHECK-NEXT:  %[[Q:.*]] = np.check_index %arg1 of %arg4 axis 1
// CHECK-NEXT:  memref.store %{{.*}}, %arg0[%[[P]], %[[Q]]]
// CHECK:       scf.if
// CHECK-NEXT:    %[[R:.*]] = np.check_index %arg2 of %arg3 axis 0
// CHECK-NEXT:    memref.store %{{.*}}, %arg0[%[[R]], %[[P]]]
// CHECK:       %[[S:.*]] = np.check_index %arg2 of %arg3 axis 0
// CHECK-NEXT:  memref.store %{{.*}}, %arg0[%[[S]], %[[S]]]
func.func @checked_before(%a: memref<?x?xf64>, %i: index, %j: index, %n: index, %m: index, %c: i1, %x: f64) {
  %p = np.check_index %i of %n axis 0
  %q = np.check_index %i of %m axis 1
  memref.store %x, %a[%p, %q] : memref<?x?xf64>
  scf.if %c {
    %r = np.check_index %j of %n axis 0
    %again = np.check_index %i of %n axis 0
    memref.store %x, %a[%r, %again] : memref<?x?xf64>
  }
  %s = np.check_index %j of %n axis 0
  %t = np.check_index %j of %n axis 0
  memref.store %x, %a[%s, %t] : memref<?x?xf64>
  return
}
