// Of the alternatives that passes offer, those of the first call are kept, and a function says whether they are another call's.
// RUN: npcc-opt %s --npcc-plan-alternatives | FileCheck %s
// RUN: npcc-opt %s --npcc-plan-alternatives=budget=1 | FileCheck %s --check-prefix=SMALL

// Without a first call all stay.
// CHECK-LABEL: func.func @ahead_of_time
// CHECK:         %[[MANY:.*]] = arith.cmpi sge
// CHECK:         scf.if %[[MANY]]
// CHECK:         } else {
// CHECK-NOT:   func.func @ahead_of_time.choice
func.func @ahead_of_time(%a: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  %many = arith.cmpi sge, %n, %c100 : index
  %taken = np.choice "many" %many : i1
  scf.if %taken {
    memref.store %one, %a[%c0] : memref<?xf64>
  } else {
    memref.store %two, %a[%c0] : memref<?xf64>
  }
  return
}

// One choice in the other: the inner one of the alternative that is not taken is not asked for.
// CHECK-LABEL: func.func @nested
// CHECK-NOT:     scf.if
// CHECK:         %[[TWO:.*]] = arith.constant 2.0
// CHECK-NOT:     scf.if
// CHECK:         memref.store %[[TWO]]
// CHECK-NOT:     memref.store
// CHECK:         return
// CHECK-LABEL: func.func @nested.choice
// CHECK-SAME:    (%[[A:.*]]: memref<?xf64>, %{{.*}}: i64) -> i1
// CHECK:         %[[N:.*]] = memref.dim %[[A]]
// CHECK:         %[[FEW:.*]] = arith.cmpi slt, %[[N]]
// CHECK:         return %[[FEW]] : i1
func.func @nested(%a: memref<?xf64> {np.first = array<i64: 99, 0>}, %k: i64 {np.first = array<i64: 3>}) {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %c7 = arith.constant 7 : i64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  %many = arith.cmpi sge, %n, %c100 : index
  %taken = np.choice "many" %many : i1
  scf.if %taken {
    %large = arith.cmpi sgt, %k, %c7 : i64
    %inner = np.choice "large" %large : i1
    scf.if %inner {
      memref.store %one, %a[%c0] : memref<?xf64>
    }
  } else {
    memref.store %two, %a[%c0] : memref<?xf64>
  }
  return
}

// Results of alternatives, an integer that the caller gave, a number of which there are few; the guard asks for both. It divides where the
// function may not: by 1 instead of 0.
// CHECK-LABEL: func.func @numbers
// CHECK-NOT:     scf.if
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : index
// CHECK:         return %{{.*}}, %[[FOUR]]
// CHECK-LABEL: func.func @numbers.choice
// CHECK-SAME:    (%[[A:.*]]: memref<?xf64>, %[[K:.*]]: index) -> i1
// CHECK:         arith.cmpi sgt, %[[K]]
// CHECK:         %[[N:.*]] = memref.dim %[[A]]
// CHECK:         %[[DIVISOR:.*]] = arith.select %{{.*}}, %{{.*}}, %[[K]] : index
// CHECK:         arith.divui %[[N]], %[[DIVISOR]]
// CHECK:         arith.andi
// CHECK:         return
func.func @numbers(%a: memref<?xf64> {np.first = array<i64: 20, 16>}, %k: index {np.first = array<i64: 5>}) -> (f64, index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %some = arith.cmpi sgt, %k, %c0 : index
  %taken = np.choice "some" %some : i1
  %result = scf.if %taken -> f64 {
    scf.yield %one : f64
  } else {
    scf.yield %two : f64
  }
  %n = memref.dim %a, %c0 : memref<?xf64>
  %each = arith.divui %n, %k : index
  %team = np.choice "team" %each : index
  return %result, %team : f64, index
}

// An array that the function makes is aligned, whatever the caller gives: no question. What an element says is nobody's to know before.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT:     scf.if
// CHECK:         %[[ELEMENT:.*]] = memref.load
// CHECK:         %[[LARGE:.*]] = arith.cmpi sgt, %[[ELEMENT]]
// CHECK:         scf.if %[[LARGE]]
// CHECK:         return
// CHECK-NOT:   func.func @unknown.choice
func.func @unknown(%a: memref<?xi64> {np.first = array<i64: 20, 0>}) {
  %c0 = arith.constant 0 : index
  %c15 = arith.constant 15 : index
  %c7 = arith.constant 7 : i64
  %n = memref.dim %a, %c0 : memref<?xi64>
  %made = np.alloc(%n) : memref<?xi64>
  %address = memref.extract_aligned_pointer_as_index %made : memref<?xi64> -> index
  %low = arith.andi %address, %c15 : index
  %isZero = arith.cmpi eq, %low, %c0 : index
  %aligned = np.choice "vectors" %isZero : i1
  scf.if %aligned {
    memref.store %c7, %made[%c0] : memref<?xi64>
  }
  %element = memref.load %a[%c0] : memref<?xi64>
  %isLarge = arith.cmpi sgt, %element, %c7 : i64
  %large = np.choice "large" %isLarge : i1
  scf.if %large {
    memref.store %c7, %a[%c0] : memref<?xi64>
  }
  np.release %made : memref<?xi64>
  return
}

// The extent that two broadcast to is known where both are; the guard computes it without an error, which is the code's to raise.
// CHECK-LABEL: func.func @broadcast
// CHECK:         np.broadcast_extent
// CHECK-NOT:     scf.if
// CHECK:         return
// CHECK-LABEL: func.func @broadcast.choice
// CHECK:         %[[LEFT:.*]] = memref.dim
// CHECK:         %[[RIGHT:.*]] = memref.dim
// CHECK:         %[[ONE:.*]] = arith.cmpi eq, %[[LEFT]]
// CHECK:         %[[EXTENT:.*]] = arith.select %[[ONE]], %[[RIGHT]], %[[LEFT]]
// CHECK:         arith.cmpi sge, %[[EXTENT]]
func.func @broadcast(%a: memref<?xf64> {np.first = array<i64: 1, 0>}, %b: memref<?xf64> {np.first = array<i64: 200, 0>}) {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  %m = memref.dim %b, %c0 : memref<?xf64>
  %extent = np.broadcast_extent "ufunc" %n, %m shapes[%n, %m] lhs_rank 1
  %many = arith.cmpi sge, %extent, %c100 : index
  %taken = np.choice "many" %many : i1
  scf.if %taken {
    memref.store %one, %a[%c0] : memref<?xf64>
  }
  return
}

// An alternative that is worth its code in a known call only: in code for all calls it is not there.
// CHECK-LABEL: func.func @only_where_known
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @only_where_known(%a: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  %few = arith.cmpi slt, %n, %c100 : index
  %taken = np.choice "few" known_only %few : i1
  scf.if %taken {
    memref.store %one, %a[%c0] : memref<?xf64>
  }
  return
}

// What an iteration decides, where it is the same in all: the last iteration of the first call is iteration 59. Other calls are asked for
// theirs.
// CHECK-LABEL: func.func @in_all_iterations
// CHECK:         %[[ONE:.*]] = arith.constant 1.0
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK:           memref.store %[[ONE]]
// CHECK-NOT:       memref.store
// CHECK:           return
// CHECK-LABEL: func.func @in_all_iterations.choice
// CHECK-SAME:    (%[[A:.*]]: memref<?xf64>) -> i1
// CHECK:         %[[N:.*]] = memref.dim %[[A]]
// CHECK:         %[[LAST:.*]] = arith.subi %[[N]], %{{c1.*}} : index
// CHECK:         arith.cmpi slt, %[[LAST]], %{{c4097.*}} : index
func.func @in_all_iterations(%a: memref<?xf64> {np.first = array<i64: 60, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c4097 = arith.constant 4097 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %few = arith.cmpi ult, %i, %c4097 : index
    %rest = arith.subi %n, %i : index
    %many = arith.cmpi sgt, %rest, %c63 : index
    %suits = arith.ori %few, %many : i1
    %taken = np.choice "many" %suits : i1
    scf.if %taken {
      memref.store %one, %a[%i] : memref<?xf64>
    } else {
      memref.store %two, %a[%i] : memref<?xf64>
    }
  }
  return
}

// Half of the iterations go one way.
// CHECK-LABEL: func.func @in_some_iterations
// CHECK:         scf.if
// CHECK:         } else {
func.func @in_some_iterations(%a: memref<?xf64> {np.first = array<i64: 60, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %few = arith.cmpi slt, %i, %c30 : index
    %taken = np.choice "few" %few : i1
    scf.if %taken {
      memref.store %one, %a[%i] : memref<?xf64>
    } else {
      memref.store %two, %a[%i] : memref<?xf64>
    }
  }
  return
}

// What is offered beside general code is a branch where no call is known.
// CHECK-LABEL: func.func @offered
// CHECK-SAME:    np.offered = 2
// CHECK:         %[[MANY:.*]] = arith.cmpi sge
// CHECK:         %[[R:.*]] = scf.if %[[MANY]] -> (f64) {
// CHECK:           memref.load
// CHECK:           scf.yield
// CHECK:         } else {
// CHECK:           scf.yield
// CHECK:         return %[[R]]
// At a budget of one operation there is room for none of both: the general code stays. What the alternatives need each other for is there all the same.
// SMALL-LABEL: func.func @offered
// SMALL-NOT:     scf.if
// SMALL-NOT:     memref.load
// SMALL:         return %cst
func.func @offered(%a: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  %many = arith.cmpi sge, %n, %c100 : index
  %r = np.alternatives "many" %many -> (f64) {
    %x = memref.load %a[%c0] : memref<?xf64>
    np.yield %x : f64
  } or {
    np.yield %one : f64
  }
  return %r : f64
}

// CHECK-LABEL: func.func @needed
// CHECK:         scf.if
// CHECK-NOT:     else
// CHECK:         return
// SMALL-LABEL: func.func @needed
// SMALL:         scf.if
// SMALL:           memref.store
func.func @needed(%a: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  %some = arith.cmpi sgt, %n, %c0 : index
  np.alternatives "some" needed %some {
    memref.store %one, %a[%c0] : memref<?xf64>
  } or {
  }
  return
}

// Of a first call, what it takes, and an offer inside is looked at behind it.
// CHECK-LABEL: func.func @offered_at_first_call
// CHECK-NOT:     scf.if
// CHECK-NOT:     np.alternatives
// CHECK:         %[[TWO:.*]] = arith.constant 2.0
// CHECK:         memref.store %[[TWO]]
// CHECK-NOT:     memref.store
// CHECK:         return
// CHECK-LABEL: func.func @offered_at_first_call.choice
// CHECK:         arith.cmpi slt
func.func @offered_at_first_call(%a: memref<?xf64> {np.first = array<i64: 99, 0>}, %element: i1) {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  %many = arith.cmpi sge, %n, %c100 : index
  np.alternatives "many" %many {
    np.alternatives "element" %element {
      memref.store %one, %a[%c0] : memref<?xf64>
    } or {
    }
  } or {
    memref.store %two, %a[%c0] : memref<?xf64>
  }
  return
}

// And of known calls only.
// CHECK-LABEL: func.func @offered_for_known_calls
// CHECK-NOT:     memref.store
// CHECK:         return
func.func @offered_for_known_calls(%a: memref<f64>, %x: f64, %is: i1) {
  np.alternatives "few" known_only %is {
    memref.store %x, %a[] : memref<f64>
  } or {
  }
  return
}
