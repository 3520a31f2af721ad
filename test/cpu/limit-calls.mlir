// What counts, extents and the bounds of loops, may be four times as large as in the first call; other numbers are free.
// RUN: npcc-opt %s --npcc-limit-calls=times=4 | FileCheck %s

// CHECK:       func.func @draws.choice(%[[A:.*]]: memref<?x3xf64>, %[[N:.*]]: i64, %[[SEED:.*]]: i64, %[[BEGIN:.*]]: index) -> i1
// CHECK:         %[[ROWS:.*]] = memref.dim %[[A]], %c0
// CHECK:         arith.cmpi sle, %[[ROWS]], %c400
// CHECK:         arith.cmpi sle, %[[N]], %c200
// Of what is small, sixteen.
// CHECK:         arith.cmpi sle, %[[BEGIN]], %c16
// CHECK-NOT:     arith.cmpi
// CHECK:         return
func.func @draws(%a: memref<?x3xf64> {np.first = array<i64: 100, 3, 0>}, %n: i64 {np.first = array<i64: 50>},
                 %seed: i64 {np.first = array<i64: 7>}, %begin: index {np.first = array<i64: 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i64
  %double = arith.muli %n, %c2 : i64
  %end = arith.index_cast %double : i64 to index
  scf.for %i = %begin to %end step %c1 {
    %x = memref.load %a[%i, %c0] : memref<?x3xf64>
    %s = arith.sitofp %seed : i64 to f64
    %y = arith.addf %x, %s : f64
    memref.store %y, %a[%i, %c1] : memref<?x3xf64>
  }
  return
}
