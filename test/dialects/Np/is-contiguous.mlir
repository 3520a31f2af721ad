// RUN: npcc-opt %s --canonicalize | FileCheck %s

// What the type says is not asked at run time.
// CHECK-LABEL: func @known
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[F:.*]] = np.is_contiguous "F" %arg0
// CHECK-DAG: %[[C:.*]] = np.is_contiguous "C" %arg1
// CHECK: return %[[TRUE]], %[[F]], %[[C]], %[[TRUE]]
func.func @known(%a: !np.array<?x?xf64>, %b: !np.array<?x?xf64, strided>, %line: !np.array<?xf64>) -> (i1, i1, i1, i1) {
  %0 = np.is_contiguous "C" %a : !np.array<?x?xf64>
  %1 = np.is_contiguous "F" %a : !np.array<?x?xf64>
  %2 = np.is_contiguous "C" %b : !np.array<?x?xf64, strided>
  %3 = np.is_contiguous "F" %line : !np.array<?xf64>
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
