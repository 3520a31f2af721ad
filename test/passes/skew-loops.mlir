// RUN: npcc-opt %s --npcc-skew-loops --canonicalize --cse | FileCheck %s
// RUN: npcc-opt %s --npcc-skew-loops --npcc-plan-alternatives --npcc-merge-iterations --canonicalize --cse | FileCheck %s --check-prefix=MERGED

// An element needs what is left of it and above: t = i + j. Both loops share the diagonals: also the second one, whose iterations do not need each
// other and could be a kernel a row.
// MERGED-LABEL: func.func @factorize
// MERGED:         scf.for
// MERGED-NEXT:      np.kernel steps
// MERGED-NOT:       np.kernel
// MERGED:         } else {
// CHECK-LABEL: func.func @factorize
// CHECK:       arith.cmpi sge, %{{.*}}, %c64
// CHECK:       np.alternatives "loop without checks"
// CHECK:         scf.for %[[T:.*]] = %c0 to
// CHECK:           np.kernel steps (%[[I:.*]]) = (%{{.*}}) {
// CHECK:             %[[J:.*]] = arith.subi %[[T]], %[[I]]
// CHECK-DAG:         arith.cmpi sge, %[[J]], %c0
// CHECK-DAG:         arith.cmpi slt, %[[J]], %[[I]]
// CHECK:             scf.if
// CHECK:               scf.parallel (%{{.*}}) = (%c0) to (%[[J]])
// CHECK:               memref.store %{{.*}}, %arg0[%[[I]], %[[J]]]
// CHECK:             arith.cmpi sge, %[[J]], %[[I]]
// CHECK:             scf.if
// CHECK:               scf.parallel (%{{.*}}) = (%c0) to (%[[I]])
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:           scf.for
func.func @factorize(%a: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      np.kernel (%u) = (%c1) {
        %x = memref.load %a[%i, %j] : memref<?x?xf64>
        %s = scf.parallel (%k) = (%c0) to (%j) step (%c1) init (%z) -> f64 {
          %l = memref.load %a[%i, %k] : memref<?x?xf64>
          %r = memref.load %a[%k, %j] : memref<?x?xf64>
          %p = arith.mulf %l, %r : f64
          scf.reduce(%p : f64) { ^bb0(%v: f64, %w: f64):
            %t = arith.addf %v, %w : f64
            scf.reduce.return %t : f64 }
        }
        %d = memref.load %a[%j, %j] : memref<?x?xf64>
        %q = arith.subf %x, %s : f64
        %y = arith.divf %q, %d : f64
        memref.store %y, %a[%i, %j] : memref<?x?xf64>
      }
    }
    scf.for %j = %i to %n step %c1 {
      np.kernel (%u) = (%c1) {
        %x = memref.load %a[%i, %j] : memref<?x?xf64>
        %s = scf.parallel (%k) = (%c0) to (%i) step (%c1) init (%z) -> f64 {
          %l = memref.load %a[%i, %k] : memref<?x?xf64>
          %r = memref.load %a[%k, %j] : memref<?x?xf64>
          %p = arith.mulf %l, %r : f64
          scf.reduce(%p : f64) { ^bb0(%v: f64, %w: f64):
            %t = arith.addf %v, %w : f64
            scf.reduce.return %t : f64 }
        }
        %y = arith.subf %x, %s : f64
        memref.store %y, %a[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// Statements behind the loop are the iteration j = i. Checks are made before the diagonals.
// CHECK-LABEL: func.func @diagonal
// CHECK:       arith.cmpi sle, %arg1, %{{.*}}
// CHECK:       np.alternatives "loop without checks"
// CHECK:         np.kernel (%[[I:.*]]) = (%{{.*}}) {
// CHECK-NOT:       np.check_index
// CHECK:           %[[J:.*]] = arith.subi
// CHECK:           arith.cmpi slt, %[[J]], %[[I]]
// CHECK:           arith.cmpi eq, %[[J]], %[[I]]
// CHECK:           scf.if
// CHECK:             memref.load %arg0[%[[I]], %[[I]]]
// CHECK:       } or {
// CHECK:         np.check_index
func.func @diagonal(%a: memref<?x?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %d = memref.load %a[%j, %j] : memref<?x?xf64>
      %y = arith.divf %x, %d : f64
      memref.store %y, %a[%i, %j] : memref<?x?xf64>
    }
    %p = np.check_index %i of %m axis 1
    %x = memref.load %a[%i, %p] : memref<?x?xf64>
    %s = math.sqrt %x : f64
    memref.store %s, %a[%i, %p] : memref<?x?xf64>
  }
  return
}

// A neighbour above and to the right: t = 2 i + j.
// CHECK-LABEL: func.func @neighbour
// CHECK:       np.kernel (%[[I:.*]]) = (%{{.*}}) {
// CHECK:         arith.muli %{{.*}}, %c2
// CHECK:         memref.store
func.func @neighbour(%a: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %h = arith.subi %i, %c1 : index
      %r = arith.addi %j, %c1 : index
      %x = memref.load %a[%h, %r] : memref<?x?xf64>
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// Steps over rows in place: row i of step t needs row i - 1 of the same step and row i + 1 of the step before. What a row makes for itself has a place for each step.
// CHECK-LABEL: func.func @relaxation
// CHECK:       %[[T:.*]] = np.alloc(%{{.*}}, %arg3) : memref<?x?xf64>
// CHECK:       scf.for
// CHECK:         np.kernel steps (%[[S:.*]]) = (%{{.*}}) {
// CHECK-NOT:       np.alloc
// CHECK:           memref.store %{{.*}}, %[[T]][%[[S]], %{{.*}}]
func.func @relaxation(%a: memref<?x?xf64>, %steps: index, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  scf.for %t = %c0 to %steps step %c1 {
    scf.for %i = %c1 to %n step %c1 {
      %b = np.alloc(%m) : memref<?xf64>
      %below = arith.addi %i, %c1 : index
      %above = arith.subi %i, %c1 : index
      np.kernel (%k) = (%m) {
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        %y = memref.load %a[%below, %k] : memref<?x?xf64>
        %u = memref.load %a[%above, %k] : memref<?x?xf64>
        %v = arith.addf %u, %y : f64
        %z = arith.addf %x, %v : f64
        memref.store %z, %b[%k] : memref<?xf64>
      }
      np.kernel (%k) = (%m) {
        %x = memref.load %b[%k] : memref<?xf64>
        memref.store %x, %a[%i, %k] : memref<?x?xf64>
      }
    }
  }
  return
}

// The row above from its other end, all of the row itself, what another loop of the row stores later: the order of the program is no order of diagonals.
// CHECK-LABEL: func.func @others
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @others(%a: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %h = arith.subi %i, %c1 : index
      %r = arith.subi %m, %j : index
      %x = memref.load %a[%h, %r] : memref<?x?xf64>
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      scf.for %k = %c0 to %m step %c1 {
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        memref.store %x, %a[%i, %j] : memref<?x?xf64>
      }
    }
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// A row needs the row above, but no element needs another one of its row: a kernel for each row, which npcc-merge-iterations makes.
// CHECK-LABEL: func.func @rows
// CHECK:       scf.for %[[I:.*]] = %c1
// CHECK-NEXT:    %{{.*}} = arith.subi %[[I]], %c1
// CHECK-NEXT:    scf.for
// CHECK-NOT:   scf.if
// CHECK:       return
// MERGED-LABEL: func.func @rows
// MERGED:       scf.for
// MERGED-NOT:     scf.for
// MERGED:         np.kernel
// MERGED:       } or {
func.func @rows(%a: memref<?x?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %h = arith.subi %i, %c1 : index
    scf.for %j = %c0 to %m step %c1 {
      np.kernel (%u) = (%c1) {
        %r = arith.addi %j, %c1 : index
        %x = memref.load %a[%h, %r] : memref<?x?xf64>
        memref.store %x, %a[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// Matrices that do not need each other: the loop over them is npcc-merge-iterations' with the nest in it.
// CHECK-LABEL: func.func @batch
// CHECK:       scf.for
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        np.kernel
// CHECK-NOT:   scf.if
// CHECK:       return
func.func @batch(%a: memref<?x?x?xf64>, %b: index, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %b step %c1 {
    scf.for %i = %c1 to %n step %c1 {
      scf.for %j = %c1 to %m step %c1 {
        np.kernel (%u) = (%c1) {
          %h = arith.subi %i, %c1 : index
          %l = arith.subi %j, %c1 : index
          %x = memref.load %a[%k, %h, %j] : memref<?x?x?xf64>
          %y = memref.load %a[%k, %i, %l] : memref<?x?x?xf64>
          %z = arith.addf %x, %y : f64
          memref.store %z, %a[%k, %i, %j] : memref<?x?x?xf64>
        }
      }
    }
  }
  return
}
