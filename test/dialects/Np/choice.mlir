// An alternative that is offered for known calls only is nothing in code that is made for all calls.
// RUN: npcc-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @all_calls
// CHECK:         return %false
func.func @all_calls(%a: !np.array<?xf64>, %is: i1) -> i1 {
  %c = np.choice "matrices of a few rows" known_only %is : i1
  return %c : i1
}

// CHECK-LABEL: func.func @known
// CHECK:         np.choice "matrices of a few rows" known_only %{{.*}} : i1
// CHECK:         np.choice "few rows" %{{.*}} : i1
func.func @known(%a: !np.array<?xf64> {np.first = array<i64: 3, 0>}, %is: i1) -> (i1, i1) {
  %c = np.choice "matrices of a few rows" known_only %is : i1
  %d = np.choice "few rows" %is : i1
  return %c, %d : i1, i1
}
