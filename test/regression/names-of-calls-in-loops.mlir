// RUN: npcc-opt %s --npcc-raise-names | FileCheck %s
// A slot that is made inside of a loop is unbound in each iteration: the loop need not carry what it held before.

// CHECK-LABEL: func.func @f
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (i64)
func.func @f(%n: i64, %c: i1) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  cf.br ^loop(%zero : i64)
^loop(%k: i64):
  %more = arith.cmpi slt, %k, %n : i64
  cf.cond_br %more, ^body, ^end
^body:
  %x = np.var "x" : !np.slot<i64>
  cf.cond_br %c, ^set, ^behind
^set:
  np.set %k, %x : !np.slot<i64>
  cf.br ^behind
^behind:
  %v = np.get %x : !np.slot<i64>
  %s = arith.addi %v, %one : i64
  %next = arith.maxsi %s, %one : i64
  cf.br ^loop(%next : i64)
^end:
  return %k : i64
}
