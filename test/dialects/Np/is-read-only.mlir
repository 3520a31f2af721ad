// RUN: npcc-opt %s --canonicalize | FileCheck %s

// A view of an argument is as the argument is; what the function made is writable.
// CHECK-LABEL: func @views(%arg0: !np.array<?xf64>
// CHECK: %[[ANSWER:.*]] = np.is_read_only %arg0 : !np.array<?xf64>
// CHECK: return %[[ANSWER]]
func.func @views(%a: !np.array<?xf64>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %view = np.view %a offsets [%c1] axes [0] extents [%n] steps [%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
  %answer = np.is_read_only %view : !np.array<?xf64, strided>
  return %answer : i1
}

// CHECK-LABEL: func @own
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: return %[[FALSE]]
func.func @own(%v: tensor<?xf64>) -> i1 {
  %a = np.new %v : tensor<?xf64> -> !np.array<?xf64>
  %answer = np.is_read_only %a : !np.array<?xf64>
  return %answer : i1
}
