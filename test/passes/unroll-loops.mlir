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

// A bound that many operations lead to on ever more ways, which are not gone along one by one.
// CHECK-LABEL: func.func @shared
// CHECK-NOT:     scf.for
func.func @shared(%x: !np.array<?xf64> {np.first = array<i64: 100, 0>}, %w: !np.array<?xf64> {np.first = array<i64: 5, 0>}, %n: index, %zero: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = np.dim %w, 0 : !np.array<?xf64>
  %n1 = arith.andi %n0, %n0 : index
  %n2 = arith.andi %n1, %n1 : index
  %n3 = arith.andi %n2, %n2 : index
  %n4 = arith.andi %n3, %n3 : index
  %n5 = arith.andi %n4, %n4 : index
  %n6 = arith.andi %n5, %n5 : index
  %n7 = arith.andi %n6, %n6 : index
  %n8 = arith.andi %n7, %n7 : index
  %n9 = arith.andi %n8, %n8 : index
  %n10 = arith.andi %n9, %n9 : index
  %n11 = arith.andi %n10, %n10 : index
  %n12 = arith.andi %n11, %n11 : index
  %n13 = arith.andi %n12, %n12 : index
  %n14 = arith.andi %n13, %n13 : index
  %n15 = arith.andi %n14, %n14 : index
  %n16 = arith.andi %n15, %n15 : index
  %n17 = arith.andi %n16, %n16 : index
  %n18 = arith.andi %n17, %n17 : index
  %n19 = arith.andi %n18, %n18 : index
  %n20 = arith.andi %n19, %n19 : index
  %n21 = arith.andi %n20, %n20 : index
  %n22 = arith.andi %n21, %n21 : index
  %n23 = arith.andi %n22, %n22 : index
  %n24 = arith.andi %n23, %n23 : index
  %n25 = arith.andi %n24, %n24 : index
  %n26 = arith.andi %n25, %n25 : index
  %n27 = arith.andi %n26, %n26 : index
  %n28 = arith.andi %n27, %n27 : index
  %n29 = arith.andi %n28, %n28 : index
  %n30 = arith.andi %n29, %n29 : index
  %n31 = arith.andi %n30, %n30 : index
  %n32 = arith.andi %n31, %n31 : index
  %n33 = arith.andi %n32, %n32 : index
  %n34 = arith.andi %n33, %n33 : index
  %n35 = arith.andi %n34, %n34 : index
  %n36 = arith.andi %n35, %n35 : index
  %n37 = arith.andi %n36, %n36 : index
  %n38 = arith.andi %n37, %n37 : index
  %n39 = arith.andi %n38, %n38 : index
  %n40 = arith.andi %n39, %n39 : index
  %sum = scf.for %k = %c0 to %n40 step %c1 iter_args(%y = %zero) -> tensor<?xf64> {
    %part = np.view %x offsets[%k] axes [0] extents[%n] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %part : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%y, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %s : tensor<?xf64>
  }
  return %sum : tensor<?xf64>
}
