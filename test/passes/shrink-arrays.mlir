// Arrays that the iterations of a loop make shorter keep the extents that the first one has.
// RUN: npcc-opt %s --npcc-shrink-arrays | FileCheck %s

// How long the array is follows from the iteration, and the array from before the loop is the first one.
// CHECK-LABEL: func @slices(
// CHECK-SAME:      %[[A:[a-z0-9]*]]: !np.array<?xf64>
// CHECK:         %[[N:.*]] = np.dim %[[A]], 0
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[LAST:.*]] = %[[A]]) -> (!np.array<?xf64>)
// CHECK-DAG:       %[[LEFT:.*]] = arith.subi %[[N]], %[[I]]
// CHECK:           np.view %[[LAST]] offsets[%c1] axes [0] extents[%[[NEXT:.*]]] steps[%c1]
// CHECK:           %[[SUM:.*]] = np.ufunc "negative"
// CHECK:           %[[ROOM:.*]] = np.empty(%[[N]])
// CHECK:           %[[PART:.*]] = np.view %[[ROOM]] offsets[%c0] axes [0] extents[%[[NEXT]]]
// CHECK:           np.store %[[SUM]], %[[PART]]
// CHECK:           scf.yield %[[ROOM]]
// CHECK:         np.view %[[R]] offsets[%c0] axes [0]
func.func @slices(%a: !np.array<?xf64>, %times: index) -> !np.array<?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%v = %a) -> (!np.array<?xf64>) {
    %n = np.dim %v, 0 : !np.array<?xf64>
    %less = arith.addi %n, %c-1 : index
    %m = arith.maxsi %less, %c0 : index
    %first = np.view %v offsets[%c1] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %x = np.load %first : !np.array<?xf64> -> tensor<?xf64>
    %sum = np.ufunc "negative"(%x) : (tensor<?xf64>) -> tensor<?xf64>
    %new = np.new %sum : tensor<?xf64> -> !np.array<?xf64>
    scf.yield %new : !np.array<?xf64>
  }
  return %r : !np.array<?xf64>
}

// A name that moves along an array: nothing is made, and where it begins goes round.
// CHECK-LABEL: func @queue(
// CHECK:         scf.for {{.*}} iter_args(%[[LENGTH:.*]] = %{{.*}}, %[[BEGIN:.*]] = %c0) -> (index, index)
// CHECK-NOT:       np.empty
// CHECK:           np.view %arg0 offsets[%[[BEGIN]]] axes [] extents[]
// CHECK:           scf.yield %{{.*}}, %{{.*}} : index, index
// CHECK:         np.view %arg0 offsets[%{{.*}}] axes [0]
func.func @queue(%a: !np.array<?xf64>, %to: !np.array<f64>, %times: index, %some: i1) -> !np.array<?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%v = %a) -> (!np.array<?xf64>) {
    %n = np.dim %v, 0 : !np.array<?xf64>
    %less = arith.addi %n, %c-1 : index
    %m = arith.maxsi %less, %c0 : index
    %item = np.view %v offsets[%c0] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %x = np.load %item : !np.array<f64> -> tensor<f64>
    np.store %x, %to : tensor<f64>, !np.array<f64>
    %next = scf.if %some -> (!np.array<?xf64>) {
      %rest = np.view %v offsets[%c1] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
      scf.yield %rest : !np.array<?xf64>
    } else {
      scf.yield %v : !np.array<?xf64>
    }
    scf.yield %next : !np.array<?xf64>
  }
  return %r : !np.array<?xf64>
}

// One that may get longer is left alone.
// CHECK-LABEL: func @longer(
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %arg0) -> (!np.array<?xf64>)
// CHECK:           np.new
func.func @longer(%a: !np.array<?xf64>, %b: tensor<?xf64>, %times: index) -> !np.array<?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%v = %a) -> (!np.array<?xf64>) {
    %new = np.new %b : tensor<?xf64> -> !np.array<?xf64>
    scf.yield %new : !np.array<?xf64>
  }
  return %r : !np.array<?xf64>
}
