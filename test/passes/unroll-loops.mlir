// Short loops that accumulate parts of arrays are straight code.
// RUN: npcc-opt %s --npcc-unroll-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @filter
// CHECK-NOT:     scf.for
// CHECK:         np.view %arg0 offsets[%c0]
// CHECK:         np.view %arg0 offsets[%c1]
// CHECK:         np.view %arg0 offsets[%c2]
// CHECK-NOT:     scf.for
func.func @filter(%x: !np.array<?xf64>, %n: index, %zero: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%y = %zero) -> tensor<?xf64> {
    %part = np.view %x offsets[%k] axes [0] extents[%n] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %part : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%y, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %s : tensor<?xf64>
  }
  return %sum : tensor<?xf64>
}

// A step in time, rows that are stored into one after the other, and a long loop.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: scf.for
func.func @others(%x: !np.array<?xf64>, %rows: !np.array<?x?xf64>, %n: index, %first: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c1000 = arith.constant 1000 : index
  %steps = scf.for %k = %c0 to %c3 step %c1 iter_args(%y = %first) -> tensor<?xf64> {
    %part = np.view %x offsets[%c0] axes [0] extents[%n] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %part : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%y, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %s : tensor<?xf64>
  }
  scf.for %k = %c0 to %c3 step %c1 {
    %row = np.view %rows offsets[%k, %c0] axes [1] extents[%n] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %first, %row : tensor<?xf64>, !np.array<?xf64>
  }
  %long = scf.for %k = %c0 to %c1000 step %c1 iter_args(%y = %first) -> tensor<?xf64> {
    %part = np.view %x offsets[%k] axes [0] extents[%n] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %part : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%y, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %s : tensor<?xf64>
  }
  return %steps, %long : tensor<?xf64>, tensor<?xf64>
}

// As many weights as in the first call: half of their number is known then, too. Not as many steps as an integer says.
// CHECK-LABEL: func.func @weights
// CHECK-NOT:     scf.for
// CHECK:         np.view %arg0 offsets[%c0]
// CHECK:         np.view %arg0 offsets[%c1]
// CHECK:         scf.for
// CHECK:       func.func @weights.choice
// CHECK:         %[[N:.*]] = np.dim %arg1, 0
// CHECK:         %[[HALF:.*]] = np.ufunc "floor_divide"
// CHECK:         %[[COUNT:.*]] = arith.index_cast %[[HALF]]
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[COUNT]], %c2
// CHECK:         return %[[SAME]]
func.func @weights(%x: !np.array<?xf64> {np.first = array<i64: 100, 0>}, %w: !np.array<?xf64> {np.first = array<i64: 5, 0>},
                   %m: index {np.first = array<i64: 3>}, %n: index, %zero: tensor<?xf64>, %rows: !np.array<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2_i64 = arith.constant 2 : i64
  %size = np.dim %w, 0 : !np.array<?xf64>
  %int = arith.index_cast %size : index to i64
  %half = np.ufunc "floor_divide"(%int, %c2_i64) : (i64, i64) -> i64
  %count = arith.index_cast %half : i64 to index
  %sum = scf.for %k = %c0 to %count step %c1 iter_args(%y = %zero) -> tensor<?xf64> {
    %part = np.view %x offsets[%k] axes [0] extents[%n] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %part : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%y, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %s : tensor<?xf64>
  }
  %steps = scf.for %k = %c0 to %m step %c1 iter_args(%y = %zero) -> tensor<?xf64> {
    %part = np.view %rows offsets[%k, %c0] axes [1] extents[%n] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %v = np.load %part : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%y, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %s : tensor<?xf64>
  }
  return %sum, %steps : tensor<?xf64>, tensor<?xf64>
}

// Slices that move as far as an integer says: as far as it says in the first call.
// CHECK-LABEL: func.func @radius
// CHECK-NOT:     scf.for
// CHECK:         np.view %arg0 offsets[%c0]
// CHECK:         np.view %arg0 offsets[%c1]
// CHECK:         np.view %arg0 offsets[%c2]
// CHECK:         return
// CHECK:       func.func @radius.choice
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %arg1, %c3
// CHECK:         return %[[SAME]]
func.func @radius(%x: !np.array<?xf64> {np.first = array<i64: 100, 0>}, %m: index {np.first = array<i64: 3>}, %n: index, %zero: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %k = %c0 to %m step %c1 iter_args(%y = %zero) -> tensor<?xf64> {
    %part = np.view %x offsets[%k] axes [0] extents[%n] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %part : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%y, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %s : tensor<?xf64>
  }
  return %sum : tensor<?xf64>
}
