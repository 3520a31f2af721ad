// RUN: npcc-opt %s --npcc-check-undefined | FileCheck %s

// A choice is defined as what it takes is, and so is a sum's operand looked at before the sum.
// CHECK-LABEL: func.func @choice
// CHECK-SAME:    %[[C:.*]]: i1, %[[ONE:.*]]: f64
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG:   %[[FALSE:.*]] = arith.constant false
// CHECK:       %[[X:.*]] = arith.select %[[C]], %[[ONE]], %[[ZERO]] : f64
// CHECK-NEXT:  %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT:  %[[DEFINED:.*]] = arith.select %[[C]], %[[TRUE]], %[[FALSE]] : i1
// CHECK-NEXT:  np.assert %[[DEFINED]], "RuntimeError" "an element is read that was never written"()
// CHECK-NEXT:  %[[Y:.*]] = arith.addf %[[X]], %[[ONE]]
// CHECK-NEXT:  return %[[Y]]
func.func @choice(%c: i1, %one: f64) -> f64 {
  %u = np.undefined : f64
  %x = arith.select %c, %one, %u : f64
  %y = arith.addf %x, %one : f64
  return %y : f64
}

// A branch gives one result more. A store is no use: what it stores is forgotten where it is undefined. Nothing asks in front of the cast.
// CHECK-LABEL: func.func @branch
// CHECK-SAME:    %[[C:.*]]: i1, %[[A:.*]]: memref<?xi8>, %[[I:.*]]: index
// CHECK:       %[[B:.*]]:2 = scf.if %[[C]] -> (i1, i1) {
// CHECK:         scf.yield %true{{.*}}, %true{{.*}} : i1, i1
// CHECK:       } else {
// CHECK:         scf.yield %false{{.*}}, %false{{.*}} : i1, i1
// CHECK:       }
// CHECK-NEXT:  %[[BYTE:.*]] = arith.extui %[[B]]#0
// CHECK-NEXT:  memref.store %[[BYTE]], %[[A]][%[[I]]]
// CHECK-NEXT:  scf.if %[[B]]#1 {
// CHECK-NEXT:  } else {
// CHECK:         llvm.call @npcc_rt_debug_forget
// CHECK-NEXT:  }
// CHECK-NOT:   np.assert
// CHECK:       return
func.func @branch(%c: i1, %a: memref<?xi8>, %i: index) {
  %u = np.undefined : i1
  %b = scf.if %c -> i1 {
    %set = arith.constant true
    scf.yield %set : i1
  } else {
    scf.yield %u : i1
  }
  %byte = arith.extui %b : i1 to i8
  memref.store %byte, %a[%i] : memref<?xi8>
  return
}

// What is undefined in any case may have been taken out of a loop that runs for no element: it is asked for in the loop.
// CHECK-LABEL: func.func @hoisted
// CHECK:       arith.mulf
// CHECK-NOT:   np.assert
// CHECK:       scf.for
// CHECK:         np.assert
// CHECK-NEXT:    arith.addf
func.func @hoisted(%n: index, %k: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = np.undefined : f64
  %y = arith.mulf %u, %k : f64
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %k) -> f64 {
    %next = arith.addf %t, %y : f64
    scf.yield %next : f64
  }
  return %s : f64
}

// The runtime says whether an element of memory was written. It is asked for once, in front of the first that needs it: the copy does not.
// CHECK-LABEL: func.func @memory
// CHECK:       %[[X:.*]] = memref.load
// CHECK:       %[[WRITTEN:.*]] = llvm.call @npcc_rt_debug_is_written(%{{.*}}, %{{.*}}) : (!llvm.ptr, i64) -> i32
// CHECK:       %[[DEFINED:.*]] = arith.cmpi ne, %[[WRITTEN]]
// CHECK-NEXT:  memref.store %[[X]]
// CHECK-NEXT:  scf.if %[[DEFINED]] {
// CHECK:         llvm.call @npcc_rt_debug_forget
// CHECK:       np.assert %[[DEFINED]]
// CHECK-NEXT:  arith.mulf
// CHECK-NEXT:  arith.addf
func.func @memory(%a: memref<?xf64>, %i: index, %j: index) -> f64 {
  %x = memref.load %a[%i] : memref<?xf64>
  memref.store %x, %a[%j] : memref<?xf64>
  %y = arith.mulf %x, %x : f64
  %z = arith.addf %x, %y : f64
  return %z : f64
}

// Nothing is undefined: nothing is done.
// CHECK-LABEL: func.func @defined
// CHECK-NOT:   np.assert
// CHECK:       return
func.func @defined(%x: f64) -> f64 {
  %y = arith.addf %x, %x : f64
  return %y : f64
}
