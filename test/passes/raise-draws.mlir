// Random numbers that a loop draws in each iteration are drawn for many iterations at once.
// RUN: npcc-opt %s --npcc-raise-draws | FileCheck %s

// Two draws an iteration; looks at the parameters are left to the one draw.
// CHECK-LABEL: func.func @steps
// CHECK-SAME:    (%[[G:.*]]: !np.generator<"Generator">, %[[X:.*]]: !np.array<?xf64>, %[[N:.*]]: index
// CHECK:         scf.for %[[BEGIN:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK:           %[[ROWS:.*]] = arith.subi %{{.*}}, %[[BEGIN]]
// CHECK:           %[[ALL:.*]] = np.empty(%[[ROWS]], %{{.*}}) : !np.array<?x2x?xf64>
// CHECK-NEXT:      np.draw "standard_normal" "float64" from %[[G]] {{.*}} into %[[ALL]]
// CHECK:           scf.for %[[I:.*]] = %[[BEGIN]] to
// CHECK-NOT:         np.draw
// CHECK:             np.view %[[ALL]]
// CHECK-NOT:         np.draw
// CHECK:             np.view %[[ALL]]
// CHECK-NOT:         np.draw
// CHECK:         return
func.func @steps(%g: !np.generator<"Generator">, %x: !np.array<?xf64>, %n: index, %steps: index, %isNegative: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    scf.if %isNegative {
      %none = np.empty(%c0) : !np.array<?xf64>
      np.draw "standard_normal" "float64" from %g : !np.generator<"Generator"> into %none : !np.array<?xf64>
    }
    %a = np.empty(%n) : !np.array<?xf64>
    np.draw "standard_normal" "float64" from %g : !np.generator<"Generator"> into %a : !np.array<?xf64>
    %b = np.empty(%n) : !np.array<?xf64>
    np.draw "standard_normal" "float64" from %g : !np.generator<"Generator"> into %b : !np.array<?xf64>
    %va = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    %vb = np.load %b : !np.array<?xf64> -> tensor<?xf64>
    np.store %va, %x : tensor<?xf64>, !np.array<?xf64>
    np.store %vb, %x : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// Another distribution in between; integers of which a draw leaves a part of a word; an iteration that may raise.
// CHECK-LABEL: func.func @mixed
// CHECK-NOT:     np.view
func.func @mixed(%g: !np.generator<"Generator">, %x: !np.array<?xf64>, %n: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %a = np.empty(%n) : !np.array<?xf64>
    np.draw "standard_normal" "float64" from %g : !np.generator<"Generator"> into %a : !np.array<?xf64>
    %b = np.empty(%n) : !np.array<?xf64>
    np.draw "random" "float64" from %g : !np.generator<"Generator"> into %b : !np.array<?xf64>
    %va = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %va, %x : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @narrow
// CHECK-NOT:     np.view
func.func @narrow(%g: !np.generator<"Generator">, %x: !np.array<?xi8>, %n: index, %steps: index, %low: i64, %high: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %a = np.empty(%n) : !np.array<?xi8>
    np.draw "integers" "int8" from %g : !np.generator<"Generator"> (%low, %high : i64, i64) into %a : !np.array<?xi8>
    %va = np.load %a : !np.array<?xi8> -> tensor<?xi8>
    np.store %va, %x : tensor<?xi8>, !np.array<?xi8>
  }
  return
}

// CHECK-LABEL: func.func @raising
// CHECK-NOT:     np.view
func.func @raising(%g: !np.generator<"Generator">, %x: !np.array<?xf64>, %n: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %k = %c0 to %steps step %c1 {
    %a = np.empty(%n) : !np.array<?xf64>
    np.draw "random" "float64" from %g : !np.generator<"Generator"> into %a : !np.array<?xf64>
    %isFew = arith.cmpi slt, %k, %c5 : index
    np.assert %isFew, "ValueError" "too many"()
    %va = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %va, %x : tensor<?xf64>, !np.array<?xf64>
  }
  return
}
