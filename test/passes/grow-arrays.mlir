// Arrays that the iterations of a loop make longer become lists, which have room for more.
// RUN: npcc-opt %s --npcc-grow-arrays | FileCheck %s

// What is behind the array is stored to the list; the old elements stay where they are.
// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[A:[a-z0-9]*]]: !np.array<?x?xf64>
// CHECK-DAG:     %[[N:.*]] = np.dim %[[A]], 0
// CHECK-DAG:     %[[M:.*]] = np.dim %[[A]], 1
// CHECK:         %[[COPY:.*]] = np.new
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[LIST:.*]] = %[[COPY]]) -> (!np.array<?x?xf64>)
// CHECK:           %[[LENGTH:.*]] = arith.addi %[[N]], %[[I]] : index
// CHECK:           %[[NEXT:.*]] = arith.addi %[[LENGTH]], %c1
// CHECK:           %[[ROOM:.*]] = np.make_room %[[LIST]][%[[LENGTH]]] rows %[[NEXT]] extents[%[[M]]]
// CHECK-NOT:       np.load
// CHECK:           %[[ROW:.*]] = np.view %[[ROOM]] offsets[%[[LENGTH]], %c0]
// CHECK:           np.store %{{.*}}, %[[ROW]]
// CHECK:           scf.yield %[[ROOM]]
// What the loop was given is what it leaves, if nothing was appended.
// CHECK:         scf.if
// CHECK-NEXT:      scf.yield %[[A]]
// CHECK:           %[[ALL:.*]] = np.view %[[R]] offsets[%c0, %c0] axes [0, 1]
// CHECK:           %[[VALUE:.*]] = np.load %[[ALL]]
// CHECK:           %[[OWN:.*]] = np.new %[[VALUE]]
// CHECK:           scf.yield %[[OWN]]
func.func @rows(%a: !np.array<?x?xf64>, %row: tensor<1x?xf64>, %times: index) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = np.dim %a, 1 : !np.array<?x?xf64>
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%h = %a) -> (!np.array<?x?xf64>) {
    %n = np.dim %h, 0 : !np.array<?x?xf64>
    %next = arith.addi %n, %c1 : index
    %new = np.empty(%next, %m) : !np.array<?x?xf64>
    %old = np.load %h : !np.array<?x?xf64> -> tensor<?x?xf64>
    %first = np.view %new offsets[%c0, %c0] axes [0, 1] extents[%n, %m] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64>
    np.store %old, %first : tensor<?x?xf64>, !np.array<?x?xf64>
    %last = np.view %new offsets[%n, %c0] axes [0, 1] extents[%c1, %m] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64>
    np.store %row, %last : tensor<1x?xf64>, !np.array<?x?xf64>
    scf.yield %new : !np.array<?x?xf64>
  }
  return %r : !np.array<?x?xf64>
}

// A list of columns has the columns first; how many are read is its length, in a branch, too.
// CHECK-LABEL: func @columns
// CHECK:         scf.while (%[[LIST:.*]] = %{{.*}}, %[[LENGTH:.*]] = %{{.*}}) : (!np.array<?x?xf64>, index) -> (!np.array<?x?xf64>, index)
// CHECK:           np.view %[[LIST]] offsets[%c0, %c0] axes [1, 0] extents[%{{.*}}, %[[LENGTH]]]
// CHECK:           np.reduce
// CHECK:         do
// CHECK:           %[[NEXT:.*]]:2 = scf.if %{{.*}} -> (!np.array<?x?xf64>, index) {
// CHECK:             %[[ROOM:.*]] = np.make_room
// CHECK:             np.view %[[ROOM]] offsets[%{{.*}}, %c0] axes [1, 0]
// CHECK:             np.store
// CHECK:           scf.yield %[[NEXT]]#0, %[[NEXT]]#1
func.func @columns(%column: tensor<?x1xf64>, %n: index, %some: i1) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = np.empty(%n, %c0) : !np.array<?x?xf64>
  %r = scf.while (%h = %a) : (!np.array<?x?xf64>) -> (!np.array<?x?xf64>) {
    %v = np.load %h : !np.array<?x?xf64> -> tensor<?x?xf64>
    %s = np.reduce "add" %v axes [0, 1] : tensor<?x?xf64> -> tensor<f64>
    %f = np.item %s : tensor<f64> -> f64
    %one = arith.constant 1.0 : f64
    %more = arith.cmpf olt, %f, %one : f64
    scf.condition(%more) %h : !np.array<?x?xf64>
  } do {
  ^bb0(%h: !np.array<?x?xf64>):
    %next = scf.if %some -> !np.array<?x?xf64> {
      %m = np.dim %h, 1 : !np.array<?x?xf64>
      %longer = arith.addi %m, %c1 : index
      %new = np.empty(%n, %longer) : !np.array<?x?xf64>
      %old = np.load %h : !np.array<?x?xf64> -> tensor<?x?xf64>
      %first = np.view %new offsets[%c0, %c0] axes [0, 1] extents[%n, %m] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
      np.store %old, %first : tensor<?x?xf64>, !np.array<?x?xf64, strided>
      %last = np.view %new offsets[%c0, %m] axes [0, 1] extents[%n, %c1] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
      np.store %column, %last : tensor<?x1xf64>, !np.array<?x?xf64, strided>
      scf.yield %new : !np.array<?x?xf64>
    } else {
      scf.yield %h : !np.array<?x?xf64>
    }
    scf.yield %next : !np.array<?x?xf64>
  }
  return %r : !np.array<?x?xf64>
}

// The first element of the new array is stored to, which the old one does not see.
// CHECK-LABEL: func @changed
// CHECK-NOT:     np.make_room
// CHECK:         return
func.func @changed(%a: !np.array<?xf64>, %x: tensor<1xf64>, %times: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%h = %a) -> (!np.array<?xf64>) {
    %n = np.dim %h, 0 : !np.array<?xf64>
    %next = arith.addi %n, %c1 : index
    %new = np.empty(%next) : !np.array<?xf64>
    %old = np.load %h : !np.array<?xf64> -> tensor<?xf64>
    %first = np.view %new offsets[%c0] axes [0] extents[%n] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    np.store %old, %first : tensor<?xf64>, !np.array<?xf64>
    %one = np.view %new offsets[%c0] axes [0] extents[%c1] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    np.store %x, %one : tensor<1xf64>, !np.array<?xf64>
    scf.yield %new : !np.array<?xf64>
  }
  return %r : !np.array<?xf64>
}

// Two arrays begin with the same one, and both are read: their last elements are not at one place.
// CHECK-LABEL: func @two
// CHECK-NOT:     np.make_room
// CHECK:         return
func.func @two(%a: !np.array<?xf64>, %x: tensor<1xf64>, %y: tensor<1xf64>, %times: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%h = %a) -> (!np.array<?xf64>) {
    %n = np.dim %h, 0 : !np.array<?xf64>
    %next = arith.addi %n, %c1 : index
    %new = np.empty(%next) : !np.array<?xf64>
    %old = np.load %h : !np.array<?xf64> -> tensor<?xf64>
    %first = np.view %new offsets[%c0] axes [0] extents[%n] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    np.store %old, %first : tensor<?xf64>, !np.array<?xf64>
    %one = np.view %new offsets[%n] axes [0] extents[%c1] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    np.store %x, %one : tensor<1xf64>, !np.array<?xf64>
    %other = np.empty(%next) : !np.array<?xf64>
    %again = np.load %h : !np.array<?xf64> -> tensor<?xf64>
    %start = np.view %other offsets[%c0] axes [0] extents[%n] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    np.store %again, %start : tensor<?xf64>, !np.array<?xf64>
    %end = np.view %other offsets[%n] axes [0] extents[%c1] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    np.store %y, %end : tensor<1xf64>, !np.array<?xf64>
    %value = np.load %new : !np.array<?xf64> -> tensor<?xf64>
    %sum = np.reduce "add" %value axes [0] : tensor<?xf64> -> tensor<f64>
    scf.yield %other : !np.array<?xf64>
  }
  return %r : !np.array<?xf64>
}
