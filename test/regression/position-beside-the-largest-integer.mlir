// RUN: npcc-opt %s --npcc-simplify-positions | FileCheck %s
// n - 1 - (2^63 - 1) does not fit 64 bits: the comparison was taken for true.

// CHECK-LABEL: func @least
// CHECK: %[[IS_LARGER:.*]] = arith.cmpi sgt
// CHECK: %[[LEAST:.*]] = arith.select %[[IS_LARGER]]
// CHECK: return %[[LEAST]]
func.func @least(%a: !np.array<?xf64>) -> i64 {
  %most = arith.constant 9223372036854775807 : i64
  %one = arith.constant 1 : i64
  %extent = np.dim %a, 0 : !np.array<?xf64>
  %n = arith.index_cast %extent : index to i64
  %last = arith.subi %n, %one : i64
  %larger = arith.cmpi sgt, %last, %most : i64
  %least = arith.select %larger, %most, %last : i64
  return %least : i64
}
