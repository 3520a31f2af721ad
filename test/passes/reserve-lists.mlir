// Lists that loops make longer.
// RUN: npcc-opt %s --npcc-reserve-lists --canonicalize --cse | FileCheck %s

// A row in each iteration: the array is there before the loop.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[N:.*]]: index, %[[X:.*]]: !np.array<?xf64>
// CHECK:         %[[M:.*]] = np.dim %[[X]], 0
// CHECK:         %[[ALL:.*]] = np.empty(%{{.*}}, %[[M]]) : !np.array<?x?xf64>
// CHECK-NEXT:    scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 {
// CHECK:           np.view %[[ALL]] offsets[%[[I]], %c0] axes [1]
// CHECK-NOT:       scf.if
// CHECK:         return %[[ALL]]
func.func @rows(%n: index, %x: !np.array<?xf64>) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = np.dim %x, 0 : !np.array<?xf64>
  %empty = np.empty(%c0, %c0) : !np.array<?x?xf64>
  %list = scf.for %i = %c0 to %n step %c1 iter_args(%now = %empty) -> (!np.array<?x?xf64>) {
    %value = np.load %x : !np.array<?xf64> -> tensor<?xf64>
    %longer = arith.addi %i, %c1 : index
    %room = np.make_room %now[%i] rows %longer extents[%m] : !np.array<?x?xf64>
    %row = np.view %room offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %value, %row : tensor<?xf64>, !np.array<?xf64>
    scf.yield %room : !np.array<?x?xf64>
  }
  return %list : !np.array<?x?xf64>
}

// Items from before: they are copied once, and must be as long as those that come. There may be a loop around that
// does so many times: the array doubles then, too.
// CHECK-LABEL: func.func @more(
// CHECK-SAME:    %[[FIRST:[a-z0-9]*]]: !np.array<?x?xf64>)
// CHECK:         np.assert %{{.*}}, "ValueError" "setting an array element
// CHECK:         %[[SIZE:.*]] = np.dim %[[FIRST]], 0
// CHECK:         %[[ALL:.*]] = scf.if
// CHECK:           %[[TWICE:.*]] = arith.muli %[[SIZE]], %c2
// CHECK:           arith.maxsi %[[TWICE]], %c16
// CHECK:           np.empty
// CHECK:           np.store
// CHECK:         scf.for %{{.*}} = %c0 to %{{.*}} step %c1 {
// CHECK-NOT:       scf.if
// CHECK:         return %[[ALL]]
func.func @more(%n: index, %k: index, %m: index, %first: !np.array<?x?xf64>) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %list = scf.for %i = %c0 to %n step %c1 iter_args(%now = %first) -> (!np.array<?x?xf64>) {
    %length = arith.addi %i, %k : index
    %longer = arith.addi %length, %c1 : index
    %room = np.make_room %now[%length] rows %longer extents[%m] : !np.array<?x?xf64>
    %row = np.view %room offsets[%length, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %value = np.load %row : !np.array<?xf64> -> tensor<?xf64>
    np.store %value, %row : tensor<?xf64>, !np.array<?xf64>
    scf.yield %room : !np.array<?x?xf64>
  }
  return %list : !np.array<?x?xf64>
}

// The extent of a row is computed in the loop, of what the loop does not change: so it is computed before as well, and in
// the loop the rows have it.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME:    %[[N:.*]]: index, %[[X:.*]]: !np.array<?xf64>, %[[Y:.*]]: !np.array<?xf64>
// CHECK-DAG:     %[[A:.*]] = np.dim %[[X]], 0
// CHECK-DAG:     %[[B:.*]] = np.dim %[[Y]], 0
// CHECK:         %[[IS_ONE:.*]] = arith.cmpi eq, %[[A]], %c1
// CHECK:         %[[M:.*]] = arith.select %[[IS_ONE]], %[[B]], %[[A]]
// CHECK:         %[[ALL:.*]] = np.empty(%{{.*}}, %[[M]]) : !np.array<?x?xf64>
// CHECK-NEXT:    scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 {
// CHECK:           np.broadcast_extent "ufunc" %[[A]], %[[B]]
// CHECK:           np.assert %true
// CHECK:           np.view %[[ALL]] offsets[%[[I]], %c0]
// CHECK:         return %[[ALL]]
func.func @computed(%n: index, %x: !np.array<?xf64>, %y: !np.array<?xf64>) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = np.empty(%c0, %c0) : !np.array<?x?xf64>
  %list = scf.for %i = %c0 to %n step %c1 iter_args(%now = %empty) -> (!np.array<?x?xf64>) {
    %a = np.dim %x, 0 : !np.array<?xf64>
    %b = np.dim %y, 0 : !np.array<?xf64>
    %m = np.broadcast_extent "ufunc" %a, %b shapes[%a, %b] lhs_rank 1
    %value = np.load %x : !np.array<?xf64> -> tensor<?xf64>
    %row_value = np.broadcast %value extents[%m] : tensor<?xf64> -> tensor<?xf64>
    %size = np.dim %now, 1 : !np.array<?x?xf64>
    %first = arith.cmpi eq, %i, %c0 : index
    %equal = arith.cmpi eq, %m, %size : index
    %fits = arith.ori %first, %equal : i1
    np.assert %fits, "ValueError" "another length"()
    %room = np.make_room exactly %now[%i] rows %n extents[%m] : !np.array<?x?xf64>
    %row = np.view %room offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %row_value, %row : tensor<?xf64>, !np.array<?xf64>
    scf.yield %room : !np.array<?x?xf64>
  }
  return %list : !np.array<?x?xf64>
}

// In a branch, or where each iteration has rows of other lengths: the array doubles when it is full.
// CHECK-LABEL: func.func @sometimes(
// CHECK:         scf.for {{.*}} iter_args(%[[NOW:.*]] = %{{.*}}) -> (!np.array<?xf64>)
// CHECK:           scf.if
// CHECK:             %[[SIZE:.*]] = np.dim %[[NOW]], 0
// CHECK:             arith.cmpi slt, %[[SIZE]]
// CHECK:             scf.if
// CHECK:               %[[TWICE:.*]] = arith.muli %[[SIZE]], %c2
// CHECK:               arith.maxsi %[[TWICE]], %c16
func.func @sometimes(%n: index, %is: i1) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = np.empty(%c0) : !np.array<?xf64>
  %list = scf.for %i = %c0 to %n step %c1 iter_args(%now = %empty) -> (!np.array<?xf64>) {
    %longer = arith.addi %i, %c1 : index
    %after = scf.if %is -> (!np.array<?xf64>) {
      %room = np.make_room %now[%i] rows %longer extents[] : !np.array<?xf64>
      scf.yield %room : !np.array<?xf64>
    } else {
      scf.yield %now : !np.array<?xf64>
    }
    scf.yield %after : !np.array<?xf64>
  }
  return %list : !np.array<?xf64>
}

// CHECK-LABEL: func.func @other_rows(
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           scf.if
func.func @other_rows(%n: index) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = np.empty(%c0, %c0) : !np.array<?x?xf64>
  %list = scf.for %i = %c0 to %n step %c1 iter_args(%now = %empty) -> (!np.array<?x?xf64>) {
    %longer = arith.addi %i, %c1 : index
    %room = np.make_room %now[%i] rows %longer extents[%i] : !np.array<?x?xf64>
    scf.yield %room : !np.array<?x?xf64>
  }
  return %list : !np.array<?x?xf64>
}

// Both sides of a branch append: the list has as many items as the loop has iterations, and the branch is left with the
// stores.
// CHECK-LABEL: func.func @both_append
// CHECK:       %[[N:.*]] = arith.maxsi %arg1, %c0
// CHECK:       %[[LIST:.*]] = np.empty(%[[N]])
// CHECK:       scf.for %[[I:.*]] = %c0 to %arg1
// CHECK:         %[[ITEM:.*]] = np.view %[[LIST]] offsets[%[[I]]]
// CHECK:         scf.if
// CHECK:           np.store %{{.*}}, %[[ITEM]]
// CHECK:         } else {
// CHECK:           np.store %{{.*}}, %[[ITEM]]
func.func @both_append(%x: !np.array<?xf64>, %n: index) -> !np.array<?xf64> {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = np.empty(%c0) : !np.array<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%length = %none, %list = %empty) -> (i64, !np.array<?xf64>) {
    %at = np.view %x offsets[%i] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %v = np.load %at : !np.array<f64> -> tensor<f64>
    %is = np.ufunc "greater"(%v, %zero) : (tensor<f64>, f64) -> tensor<i1>
    %c = np.item %is : tensor<i1> -> i1
    %s:2 = scf.if %c -> (i64, !np.array<?xf64>) {
      %k = arith.index_cast %length : i64 to index
      %rows = arith.addi %k, %c1 : index
      %new = np.make_room %list[%k] rows %rows extents[] : !np.array<?xf64>
      %item = np.view %new offsets[%k] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
      np.store %v, %item : tensor<f64>, !np.array<f64>
      %next = arith.addi %length, %one : i64
      scf.yield %next, %new : i64, !np.array<?xf64>
    } else {
      %k = arith.index_cast %length : i64 to index
      %rows = arith.addi %k, %c1 : index
      %new = np.make_room %list[%k] rows %rows extents[] : !np.array<?xf64>
      %item = np.view %new offsets[%k] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
      np.store %zero, %item : f64, !np.array<f64>
      %next = arith.addi %length, %one : i64
      scf.yield %next, %new : i64, !np.array<?xf64>
    }
    scf.yield %s#0, %s#1 : i64, !np.array<?xf64>
  }
  return %r#1 : !np.array<?xf64>
}

// The extents of the rows follow from integers of Python's that the loop does not change (n // 8).
// CHECK-LABEL: func.func @shorter_rows(
// CHECK:       %[[LENGTH:.*]] = np.ufunc "floor_divide"(%arg1, %c8_i64) : (i64, i64) -> i64
// CHECK:       %[[EXTENT:.*]] = arith.index_cast %[[LENGTH]]
// CHECK:       np.empty(%{{.*}}, %[[EXTENT]])
// CHECK:       scf.for
// CHECK-NOT:   np.make_room
func.func @shorter_rows(%n: index, %whole: i64, %x: tensor<?xf64>) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = np.empty(%c0, %c0) : !np.array<?x?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%list = %empty) -> (!np.array<?x?xf64>) {
    %eight = arith.constant 8 : i64
    %length = np.ufunc "floor_divide"(%whole, %eight) : (i64, i64) -> i64
    %extent = arith.index_cast %length : i64 to index
    %rows = arith.addi %i, %c1 : index
    %new = np.make_room %list[%i] rows %rows extents[%extent] : !np.array<?x?xf64>
    %item = np.view %new offsets[%i, %c0] axes [1] extents[%extent] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %x, %item : tensor<?xf64>, !np.array<?xf64>
    scf.yield %new : !np.array<?x?xf64>
  }
  return %r : !np.array<?x?xf64>
}

// What each iteration takes out of the list is read before a row is put in its place: what there is before the loop is
// more than the room tells.
// CHECK-LABEL: func.func @taken_out(
// CHECK:         scf.for {{.*}} iter_args(
// CHECK:           scf.if
func.func @taken_out(%n: index, %m: index, %first: !np.array<?x?xf64>) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %list = scf.for %i = %c0 to %n step %c1 iter_args(%now = %first) -> (!np.array<?x?xf64>) {
    %last = np.view %now offsets[%c0, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %value = np.load %last : !np.array<?xf64> -> tensor<?xf64>
    %room = np.make_room %now[%c0] rows %c1 extents[%m] : !np.array<?x?xf64>
    %row = np.view %room offsets[%c0, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %value, %row : tensor<?xf64>, !np.array<?xf64>
    scf.yield %room : !np.array<?x?xf64>
  }
  return %list : !np.array<?x?xf64>
}

// One whose rows are read, and that only grows, gets its room before.
// CHECK-LABEL: func.func @looked_at(
// CHECK:         scf.for %{{.*}} = %c0 to %{{.*}} step %c1 {
// CHECK-NOT:       scf.if
// CHECK:         return
func.func @looked_at(%n: index, %k: index, %m: index, %first: !np.array<?x?xf64>) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %list = scf.for %i = %c0 to %n step %c1 iter_args(%now = %first) -> (!np.array<?x?xf64>) {
    %length = arith.addi %i, %k : index
    %longer = arith.addi %length, %c1 : index
    %last = np.view %now offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %value = np.load %last : !np.array<?xf64> -> tensor<?xf64>
    %room = np.make_room %now[%length] rows %longer extents[%m] : !np.array<?x?xf64>
    %row = np.view %room offsets[%length, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %value, %row : tensor<?xf64>, !np.array<?xf64>
    scf.yield %room : !np.array<?x?xf64>
  }
  return %list : !np.array<?x?xf64>
}
