// Kernels of a loop that do not need what its iterations hand on come before it.
// RUN: npcc-opt %s --npcc-compute-ahead | FileCheck %s

// A search for the least cost: the costs of all candidates come first, one array for the numbers of all iterations.
// CHECK-LABEL: func @search
// CHECK:         %[[COSTS:.*]] = np.alloc(%{{.*}}) : memref<?xf64>
// CHECK:         scf.for %{{.*}} = %c0 to %{{.*}} step %c1 {
// CHECK:           np.kernel
// CHECK:             memref.store %{{.*}}, %[[COSTS]][%{{.*}}] : memref<?xf64>
// CHECK:         scf.for {{.*}} iter_args
// CHECK-NOT:       np.kernel
// CHECK:           memref.load %[[COSTS]][%{{.*}}] : memref<?xf64>
// CHECK:           arith.cmpf olt
// CHECK:         return
func.func @search(%a: memref<?xf64>, %n: index, %start: f64) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%best = %start) -> f64 {
    %cost = np.alloc() : memref<f64>
    np.kernel (%u) = (%c1) {
      %sum = scf.parallel (%k) = (%c0) to (%i) step (%c1) init (%zero) -> f64 {
        %x = memref.load %a[%k] : memref<?xf64>
        scf.reduce(%x : f64) {
        ^bb0(%p: f64, %q: f64):
          %s = arith.addf %p, %q : f64
          scf.reduce.return %s : f64
        }
      }
      memref.store %sum, %cost[] : memref<f64>
    }
    %c = memref.load %cost[] : memref<f64>
    %isBetter = arith.cmpf olt, %c, %best : f64
    %next = arith.select %isBetter, %c, %best : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// A branch that the kernels decide about holds both kinds of operations.
// CHECK-LABEL: func @branches
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK:           scf.if
// CHECK:             np.kernel
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           scf.if
// CHECK-NOT:         np.kernel
// CHECK:             arith.addf
// CHECK:         return
func.func @branches(%a: memref<?xf64>, %n: index, %start: f64) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%total = %start) -> f64 {
    %x = memref.load %a[%i] : memref<?xf64>
    %isTaken = arith.cmpf ogt, %x, %zero : f64
    %next = scf.if %isTaken -> f64 {
      %one = np.alloc() : memref<f64>
      np.kernel (%u) = (%c1) {
        %y = arith.mulf %x, %x : f64
        memref.store %y, %one[] : memref<f64>
      }
      %y = memref.load %one[] : memref<f64>
      %sum = arith.addf %total, %y : f64
      scf.yield %sum : f64
    } else {
      scf.yield %total : f64
    }
    scf.yield %next : f64
  }
  return %r : f64
}

// The kernel reads what the iteration before has stored.
// CHECK-LABEL: func @recurrence
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           np.kernel
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @recurrence(%a: memref<?xf64>, %n: index, %start: f64) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%total = %start) -> f64 {
    %one = np.alloc() : memref<f64>
    np.kernel (%u) = (%c1) {
      %x = memref.load %a[%i] : memref<?xf64>
      memref.store %x, %one[] : memref<f64>
    }
    %y = memref.load %one[] : memref<f64>
    %sum = arith.addf %total, %y : f64
    %after = arith.addi %i, %c1 : index
    memref.store %sum, %a[%after] : memref<?xf64>
    scf.yield %sum : f64
  }
  return %r : f64
}

// The caller would see what was stored before the error of a later iteration, or not.
// CHECK-LABEL: func @errors
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           np.kernel
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @errors(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %start: f64) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%total = %start) -> f64 {
    %one = np.alloc() : memref<f64>
    %extent = memref.dim %a, %c0 : memref<?xf64>
    %at = np.check_index %i of %extent axis 0
    np.kernel (%u) = (%c1) {
      %x = memref.load %a[%at] : memref<?xf64>
      memref.store %x, %one[] : memref<f64>
    }
    %y = memref.load %one[] : memref<f64>
    %sum = arith.addf %total, %y : f64
    memref.store %sum, %b[%i] : memref<?xf64>
    scf.yield %sum : f64
  }
  return %r : f64
}

// A number that goes round as an array is carried as a number where no kernel makes it any more.
// CHECK-LABEL: func @carried
// CHECK:         scf.for
// CHECK:           np.kernel
// CHECK:         %[[FIRST:.*]] = memref.load %arg1[] : memref<f64>
// CHECK:         scf.for {{.*}} iter_args(%[[BEST:.*]] = %[[FIRST]]) -> (f64)
// CHECK:           %[[COST:.*]] = memref.load
// CHECK:           arith.maximumf %[[COST]], %[[BEST]] : f64
// CHECK-NEXT:      scf.yield
// CHECK:         %[[RESULT:.*]] = np.alloc() : memref<f64>
// CHECK:         memref.store %{{.*}}, %[[RESULT]][]
// CHECK:         return %[[RESULT]]
func.func @carried(%a: memref<?xf64>, %start: memref<f64>, %n: index) -> memref<f64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%best = %start) -> memref<f64> {
    %cost = np.alloc() : memref<f64>
    np.kernel (%u) = (%c1) {
      %x = memref.load %a[%i] : memref<?xf64>
      memref.store %x, %cost[] : memref<f64>
    }
    %c = memref.load %cost[] : memref<f64>
    %b = memref.load %best[] : memref<f64>
    %m = arith.maximumf %c, %b : f64
    %next = np.alloc() : memref<f64>
    memref.store %m, %next[] : memref<f64>
    scf.yield %next : memref<f64>
  }
  return %r : memref<f64>
}

// An array that is only kept is made again behind the loop, which hands on the number of the iteration: its kernel
// reads what the iteration's sum was.
// CHECK-LABEL: func @kept
// CHECK:         %[[SUMS:.*]] = np.alloc(%{{.*}}) : memref<?xf64>
// CHECK:         scf.for
// CHECK:           scf.parallel
// CHECK:         %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[WHICH:.*]] = %c-1) -> (f64, index)
// CHECK-NOT:       np.kernel
// CHECK:           arith.select %{{.*}}, %{{.*}}, %[[WHICH]] : index
// CHECK:         %[[ISMADE:.*]] = arith.cmpi sge, %[[LOOP]]#1, %c0
// CHECK:         %[[KEPT:.*]] = scf.if %[[ISMADE]] -> (memref<?xf64>) {
// CHECK:           %[[MADE:.*]] = np.alloc(%{{.*}}) : memref<?xf64>
// CHECK:           np.kernel
// CHECK:             memref.load %[[SUMS]][%[[LOOP]]#1] : memref<?xf64>
// CHECK:             memref.store %{{.*}}, %[[MADE]]
// CHECK:           scf.yield %[[MADE]]
// CHECK:         } else {
// CHECK:           scf.yield %arg3
// CHECK:         return %[[LOOP]]#0, %[[KEPT]]
func.func @kept(%a: memref<?xf64>, %n: index, %start: f64, %init: memref<?xf64>) -> (f64, memref<?xf64>)
    attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%best = %start, %kept = %init) -> (f64, memref<?xf64>) {
    %cost = np.alloc() : memref<f64>
    np.kernel (%u) = (%c1) {
      %sum = scf.parallel (%k) = (%c0) to (%i) step (%c1) init (%zero) -> f64 {
        %x = memref.load %a[%k] : memref<?xf64>
        scf.reduce(%x : f64) {
        ^bb0(%p: f64, %q: f64):
          %s = arith.addf %p, %q : f64
          scf.reduce.return %s : f64
        }
      }
      memref.store %sum, %cost[] : memref<f64>
    }
    %made = np.alloc(%n) : memref<?xf64>
    np.kernel (%k) = (%n) {
      %x = memref.load %a[%k] : memref<?xf64>
      %s = memref.load %cost[] : memref<f64>
      %y = arith.mulf %x, %s : f64
      memref.store %y, %made[%k] : memref<?xf64>
    }
    %c = memref.load %cost[] : memref<f64>
    %isBetter = arith.cmpf olt, %c, %best : f64
    %next = arith.select %isBetter, %c, %best : f64
    %chosen = arith.select %isBetter, %made, %kept : memref<?xf64>
    scf.yield %next, %chosen : f64, memref<?xf64>
  }
  return %r#0, %r#1 : f64, memref<?xf64>
}

// What is kept is read in the next iteration: it is no number of an iteration.
// CHECK-LABEL: func @read
// CHECK:         scf.for {{.*}} -> (f64, memref<?xf64>)
// CHECK:           np.kernel
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @read(%a: memref<?xf64>, %n: index, %start: f64, %init: memref<?xf64>) -> (f64, memref<?xf64>)
    attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%best = %start, %kept = %init) -> (f64, memref<?xf64>) {
    %made = np.alloc(%n) : memref<?xf64>
    np.kernel (%k) = (%n) {
      %x = memref.load %kept[%k] : memref<?xf64>
      memref.store %x, %made[%k] : memref<?xf64>
    }
    %c = memref.load %made[%c0] : memref<?xf64>
    %isBetter = arith.cmpf olt, %c, %best : f64
    %next = arith.select %isBetter, %c, %best : f64
    %chosen = arith.select %isBetter, %made, %kept : memref<?xf64>
    scf.yield %next, %chosen : f64, memref<?xf64>
  }
  return %r#0, %r#1 : f64, memref<?xf64>
}

// What is left stores the position of the best candidate and gives no number: it is a thread's, so that the iterations
// of the loop around can be those of a kernel.
// CHECK-LABEL: func @positions
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             np.kernel
// CHECK:               memref.store
// CHECK:           np.kernel (%{{.*}}) = (%{{.*}}) {
// CHECK-NEXT:        scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f64)
// CHECK-NOT:           np.kernel
// CHECK:               memref.store %{{.*}}, %arg1
// CHECK-NOT:     np.kernel
// CHECK:         return
func.func @positions(%a: memref<?x?xf64>, %b: memref<?x1xi64>, %n: index, %start: f64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%best = %start) -> f64 {
      %cost = np.alloc() : memref<f64>
      np.kernel (%u) = (%c1) {
        %x = memref.load %a[%j, %i] : memref<?x?xf64>
        memref.store %x, %cost[] : memref<f64>
      }
      %c = memref.load %cost[] : memref<f64>
      %isBetter = arith.cmpf olt, %c, %best : f64
      %next = arith.select %isBetter, %c, %best : f64
      scf.if %isBetter {
        %number = arith.index_cast %i : index to i64
        np.kernel (%k) = (%c1) {
          memref.store %number, %b[%j, %k] : memref<?x1xi64>
        }
      }
      scf.yield %next : f64
    }
  }
  return
}
