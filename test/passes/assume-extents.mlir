// Clamps and broadcasts are what they are in the first call, and a function says for which calls that is so.
// RUN: npcc-opt %s --npcc-assume-extents --canonicalize --cse | FileCheck %s

// a[1:n] * b[0:n - 1] of arrays that are long enough.
// CHECK-LABEL: func.func @slices
// CHECK-SAME:    %[[A:.*]]: !np.array<?xf64> {{{.*}}}, %[[B:.*]]: !np.array<?xf64> {{{.*}}}, %[[N:.*]]: index
// CHECK-NOT:     arith.minsi
// CHECK-NOT:     np.broadcast_extent
// CHECK:         %[[EXTENT:.*]] = arith.subi %[[N]], %c1
// CHECK:         np.view %[[A]] offsets[%c1] axes [0] extents[%[[EXTENT]]]
// CHECK:         np.view %[[B]] offsets[%c0] axes [0] extents[%[[EXTENT]]]
// CHECK:         np.broadcast %{{.*}} extents[%[[EXTENT]]]
// CHECK:         np.broadcast %{{.*}} extents[%[[EXTENT]]]
// CHECK:       func.func @slices.choice(%[[A:.*]]: !np.array<?xf64>, %[[B:.*]]: !np.array<?xf64>, %[[N:.*]]: index) -> i1
// CHECK:         %[[SIZE:.*]] = np.dim %[[A]], 0
// CHECK:         arith.cmpi sge, %[[SIZE]], %c1
// CHECK:         arith.cmpi sle, %[[N]], %[[SIZE]]
// CHECK:         %[[LESS:.*]] = arith.subi %[[N]], %c1
// CHECK:         %[[OTHER:.*]] = np.dim %[[B]], 0
// CHECK:         arith.cmpi sle, %[[LESS]], %[[OTHER]]
// CHECK:         return
func.func @slices(%a: !np.array<?xf64> {np.first = array<i64: 100, 0>}, %b: !np.array<?xf64> {np.first = array<i64: 60, 0>},
                  %n: index {np.first = array<i64: 50>}) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = np.dim %a, 0 : !np.array<?xf64>
  %start = arith.minsi %size, %c1 : index
  %stop = arith.minsi %n, %size : index
  %extent = arith.subi %stop, %start : index
  %other = np.dim %b, 0 : !np.array<?xf64>
  %less = arith.subi %n, %c1 : index
  %end = arith.minsi %less, %other : index
  %v = np.view %a offsets[%start] axes [0] extents[%extent] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
  %w = np.view %b offsets[%c0] axes [0] extents[%end] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
  %x = np.load %v : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %w : !np.array<?xf64> -> tensor<?xf64>
  %e = np.broadcast_extent "ufunc" %extent, %end shapes[%extent, %end] lhs_rank 1
  %xe = np.broadcast %x extents[%e] : tensor<?xf64> -> tensor<?xf64>
  %ye = np.broadcast %y extents[%e] : tensor<?xf64> -> tensor<?xf64>
  %p = np.ufunc "multiply"(%xe, %ye) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %made = np.new %p : tensor<?xf64> -> !np.array<?xf64>
  return %made : !np.array<?xf64>
}

// What is stretched stays so, and a whole argument of the same extent becomes a view of it.
// CHECK-LABEL: func.func @stretched
// CHECK-SAME:    %[[A:.*]]: !np.array<?xf64> {{{.*}}}, %[[B:.*]]: !np.array<?xf64> {{{.*}}}, %[[N:.*]]: index
// CHECK:         np.broadcast_extent "ufunc"
// CHECK:         np.view %{{.*}} offsets[%c0] axes [0] extents[%[[N]]]
// CHECK:       func.func @stretched.choice
// CHECK:         %[[OTHER:.*]] = np.dim %{{.*}}, 0
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[OTHER]], %{{.*}}
// CHECK:         return %[[SAME]]
func.func @stretched(%a: !np.array<?xf64> {np.first = array<i64: 1, 0>}, %b: !np.array<?xf64> {np.first = array<i64: 60, 0>},
                     %n: index {np.first = array<i64: 60>}) -> (!np.array<?xf64>, !np.array<?xf64>) {
  %size = np.dim %a, 0 : !np.array<?xf64>
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %e = np.broadcast_extent "ufunc" %size, %n shapes[%size, %n] lhs_rank 1
  %xe = np.broadcast %x extents[%e] : tensor<?xf64> -> tensor<?xf64>
  %ye = np.broadcast %y extents[%n] : tensor<?xf64> -> tensor<?xf64>
  %first = np.new %xe : tensor<?xf64> -> !np.array<?xf64>
  %second = np.new %ye : tensor<?xf64> -> !np.array<?xf64>
  return %first, %second : !np.array<?xf64>, !np.array<?xf64>
}

// Nothing is known ahead of time.
// CHECK-LABEL: func.func @ahead_of_time
// CHECK:         arith.minsi
// CHECK-NOT:   func.func @ahead_of_time.choice
func.func @ahead_of_time(%a: !np.array<?xf64>, %n: index) -> index {
  %size = np.dim %a, 0 : !np.array<?xf64>
  %stop = arith.minsi %n, %size : index
  return %stop : index
}

// An alternative that is offered already goes the way of the first call; what the other one would have done is gone.
// CHECK-LABEL: func.func @alternatives
// CHECK-NOT:     np.choice
// CHECK:         return %c3
// CHECK:       func.func @alternatives.choice(%[[A:.*]]: !np.array<?xf64>) -> i1
// CHECK:         np.dim %[[A]], 0
func.func @alternatives(%a: !np.array<?xf64> {np.first = array<i64: 300, 0>}) -> index {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %size = np.dim %a, 0 : !np.array<?xf64>
  %few = arith.cmpi eq, %size, %c2 : index
  %chosen = np.choice "few" %few : i1
  %r = scf.if %chosen -> index {
    scf.yield %c2 : index
  } else {
    scf.yield %c3 : index
  }
  return %r : index
}

// An array that goes round keeps its extents, as the extents that meet are equal: so the rows of the window do not
// change, and neither does the check of an index or the clamp of a slice that both ends of the loop's range decide.
// CHECK-LABEL: func.func @window
// CHECK-SAME:    %[[X:.*]]: !np.array<?xf64> {{{.*}}}, %[[W:.*]]: !np.array<?xf64> {{{.*}}}, %[[N:.*]]: index
// CHECK:         scf.for %[[I:.*]] = %c4 to %[[N]]
// CHECK-NOT:       arith.minsi
// CHECK-NOT:       arith.cmpi
// CHECK-NOT:       np.check_index
// CHECK-NOT:       np.broadcast_extent
// CHECK:           np.view %[[X]] offsets[%[[I]]] axes [0] extents[%c3]
// CHECK:           np.new
// CHECK:       func.func @window.choice
// CHECK:         return
func.func @window(%x: !np.array<?xf64> {np.first = array<i64: 20, 0>}, %w: !np.array<?xf64> {np.first = array<i64: 3, 0>},
                  %n: index {np.first = array<i64: 10>}) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %size = np.dim %x, 0 : !np.array<?xf64>
  %last = scf.for %i = %c4 to %n step %c1 iter_args(%now = %w) -> (!np.array<?xf64>) {
    %taps = np.dim %now, 0 : !np.array<?xf64>
    %end = arith.addi %i, %c3 : index
    %stop = arith.minsi %end, %size : index
    %is_from_end = arith.cmpi slt, %i, %c0 : index
    %from_end = arith.addi %i, %size : index
    %first = arith.select %is_from_end, %from_end, %i : index
    %start = np.check_index %first of %size axis 0
    %extent = arith.subi %stop, %start : index
    %v = np.view %x offsets[%start] axes [0] extents[%c3] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %a = np.load %v : !np.array<?xf64> -> tensor<?xf64>
    %b = np.load %now : !np.array<?xf64> -> tensor<?xf64>
    %e = np.broadcast_extent "ufunc" %taps, %c3 shapes[%taps, %c3] lhs_rank 1
    %ae = np.broadcast %a extents[%e] : tensor<?xf64> -> tensor<?xf64>
    %be = np.broadcast %b extents[%e] : tensor<?xf64> -> tensor<?xf64>
    %sum = np.ufunc "add"(%ae, %be) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %next = np.new %sum : tensor<?xf64> -> !np.array<?xf64>
    scf.yield %next : !np.array<?xf64>
  }
  return %last : !np.array<?xf64>
}

// One that is longer in each iteration does not.
// CHECK-LABEL: func.func @longer
// CHECK:         scf.for {{.*}} iter_args(%[[NOW:.*]] = %{{.*}})
// CHECK:           np.dim %[[NOW]], 0
func.func @longer(%x: !np.array<?xf64> {np.first = array<i64: 3, 0>}, %n: index {np.first = array<i64: 10>}) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%now = %x) -> (!np.array<?xf64>) {
    %size = np.dim %now, 0 : !np.array<?xf64>
    %more = arith.addi %size, %c1 : index
    %next = np.empty(%more) : !np.array<?xf64>
    scf.yield %next : !np.array<?xf64>
  }
  return %last : !np.array<?xf64>
}

// An integer that names an argument's extent: the extent stands for both, so that later passes do not compare them again.
// CHECK-LABEL: func.func @named
// CHECK-SAME:    %[[A:.*]]: !np.array<?xf64> {{{.*}}}, %{{.*}}: index
// CHECK:         %[[SIZE:.*]] = np.dim %[[A]], 0
// CHECK-NOT:     np.broadcast_extent
// CHECK:         np.full %{{.*}} extents[%[[SIZE]]]
func.func @named(%a: !np.array<?xf64> {np.first = array<i64: 100, 0>}, %n: index {np.first = array<i64: 50>}) {
  %c0 = arith.constant 0.0 : f64
  %c2 = arith.constant 2 : index
  %twice = arith.muli %n, %c2 : index
  %row = np.full %c0 extents [%twice] : f64 -> tensor<?xf64>
  %size = np.dim %a, 0 : !np.array<?xf64>
  %e = np.broadcast_extent "store" %twice, %size shapes[%twice, %size] lhs_rank 1
  %wide = np.broadcast %row extents[%size] : tensor<?xf64> -> tensor<?xf64>
  np.store %wide, %a : tensor<?xf64>, !np.array<?xf64>
  return
}

// x[k * b:(k + 1) * b]: no part of the array ends beyond it in the first call, and all have b elements. Other calls are asked whether the last one does.
// CHECK-LABEL: func.func @batches
// CHECK-SAME:    %[[X:.*]]: !np.array<?xf64> {{{.*}}}, %[[N:.*]]: index {{{.*}}}, %[[B:.*]]: index {{{.*}}})
// CHECK:         scf.for %[[K:.*]] = %c0 to %[[N]]
// CHECK-NOT:       arith.minsi
// CHECK-NOT:       arith.maxsi
// CHECK:           %[[FROM:.*]] = arith.muli %[[K]], %[[B]]
// CHECK:           %[[TO:.*]] = arith.muli %{{.*}}, %[[B]]
// CHECK:           %[[EXTENT:.*]] = arith.subi %[[TO]], %[[FROM]]
// CHECK:           np.view %[[X]] offsets[%[[FROM]]] axes [0] extents[%[[EXTENT]]]
// CHECK:       func.func @batches.choice
// CHECK:         %[[END:.*]] = arith.muli %{{.*}}, %{{.*}}
// CHECK:         %[[MOST:.*]] = arith.maxsi %{{.*}}, %[[END]]
// CHECK:         arith.cmpi sge, %{{.*}}, %[[MOST]]
// CHECK:         return
func.func @batches(%x: !np.array<?xf64> {np.first = array<i64: 40, 0>}, %n: index {np.first = array<i64: 5>}, %b: index {np.first = array<i64: 8>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f64
  %size = np.dim %x, 0 : !np.array<?xf64>
  scf.for %k = %c0 to %n step %c1 {
    %from = arith.muli %k, %b : index
    %next = arith.addi %k, %c1 : index
    %to = arith.muli %next, %b : index
    %low = arith.maxsi %from, %c0 : index
    %start = arith.minsi %low, %size : index
    %high = arith.maxsi %to, %c0 : index
    %stop = arith.minsi %high, %size : index
    %distance = arith.subi %stop, %start : index
    %extent = arith.maxsi %distance, %c0 : index
    %v = np.view %x offsets[%start] axes [0] extents[%extent] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %f = np.full %z extents[%extent] : f64 -> tensor<?xf64>
    np.store %f, %v : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// A branch that extents alone choose goes the way of the first call, and nothing is asked for what stands in the other.
// CHECK-LABEL: func.func @branch(
// CHECK-NOT:   scf.if
// CHECK:       return %{{.*}}: index
// CHECK-LABEL: func.func @branch.choice
// CHECK:         %[[MANY:.*]] = arith.cmpi sge, %{{.*}}, %c10
// CHECK-NEXT:    return %[[MANY]]
func.func @branch(%a: !np.array<?xf64> {np.first = array<i64: 100, 0>}) -> index attributes {np.choice = "branch.choice.entry"} {
  %c10 = arith.constant 10 : index
  %c50 = arith.constant 50 : index
  %n = np.dim %a, 0 : !np.array<?xf64>
  %few = arith.cmpi slt, %n, %c10 : index
  %r = scf.if %few -> (index) {
    %m = arith.minsi %n, %c50 : index
    scf.yield %m : index
  } else {
    scf.yield %n : index
  }
  return %r : index
}

// Behind `if y < 0: continue` the end of x[y : y + b] counts from the start where b is not negative, as in the first call.
// CHECK-LABEL: func.func @guarded
// CHECK:         scf.if
// CHECK-NOT:       arith.maxsi
// CHECK:         return
// CHECK:       func.func @guarded.choice(%{{.*}}: !np.array<?xi64>, %[[B:.*]]: index) -> i1
// CHECK:         arith.cmpi sge, %[[B]], %c0
func.func @guarded(%y: !np.array<?xi64> {np.first = array<i64: 100, 0>}, %b: index {np.first = array<i64: 5>}) -> index {
  %c0 = arith.constant 0 : index
  %v = np.view %y offsets[%c0] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
  %t = np.load %v : !np.array<i64> -> tensor<i64>
  %i = np.item %t : tensor<i64> -> i64
  %at = arith.index_cast %i : i64 to index
  %less = arith.cmpi slt, %at, %c0 : index
  %r = scf.if %less -> index {
    scf.yield %c0 : index
  } else {
    %e = arith.addi %at, %b : index
    %e0 = arith.maxsi %e, %c0 : index
    scf.yield %e0 : index
  }
  return %r : index
}

// An index that counts from the end does so in calls like the first one.
// CHECK-LABEL: func.func @from_the_end
// CHECK:         %[[SIZE:.*]] = np.dim %{{.*}}, 0
// CHECK-NOT:     np.check_index
// CHECK:         %[[LAST:.*]] = arith.addi %[[SIZE]], %c-1
// CHECK:         return %[[LAST]]
// CHECK:       func.func @from_the_end.choice(%[[A:.*]]: !np.array<?xf64>) -> i1
// CHECK:         %[[SIZE:.*]] = np.dim %[[A]], 0
// CHECK:         %[[LAST:.*]] = arith.addi %[[SIZE]], %c-1
// CHECK:         %[[INSIDE:.*]] = arith.cmpi sge, %[[LAST]], %c0
// CHECK:         return %[[INSIDE]]
func.func @from_the_end(%a: !np.array<?xf64> {np.first = array<i64: 20, 0>}) -> index {
  %last = arith.constant -1 : index
  %size = np.dim %a, 0 : !np.array<?xf64>
  %position = np.check_index %last of %size axis 0
  return %position : index
}

// Outside of the array it is checked.
// CHECK-LABEL: func.func @before_the_beginning
// CHECK:         np.check_index %c-21
// CHECK-NOT:   func.func @before_the_beginning.choice
func.func @before_the_beginning(%a: !np.array<?xf64> {np.first = array<i64: 20, 0>}) -> index {
  %far = arith.constant -21 : index
  %size = np.dim %a, 0 : !np.array<?xf64>
  %position = np.check_index %far of %size axis 0
  return %position : index
}

// What an offer decides follows from what the offer asks: there is nobody in the choice function to decide it.
// CHECK-LABEL: func.func @behind_an_offer
// CHECK-NOT:     np.check_index
// CHECK:       func.func @behind_an_offer.choice(%[[A:.*]]: !np.array<?xf64>) -> i1
// CHECK-NOT:     np.choice
// CHECK:         return
func.func @behind_an_offer(%a: !np.array<?xf64> {np.first = array<i64: 20, 0>}) -> index {
  %first = arith.constant 3 : index
  %far = arith.constant 30 : index
  %twenty = arith.constant 20 : index
  %size = np.dim %a, 0 : !np.array<?xf64>
  %few = arith.cmpi eq, %size, %twenty : index
  %offered = np.choice "few elements" known_only %few : i1
  %at = arith.select %offered, %first, %far : index
  %position = np.check_index %at of %size axis 0
  return %position : index
}
