// Random numbers that a loop draws in each iteration are drawn for many iterations at once.
// RUN: npcc-opt %s --npcc-raise-draws | FileCheck %s
// RUN: npcc-opt %s --npcc-raise-draws=most-axes=2 | FileCheck %s --check-prefix=FLAT
// RUN: npcc-opt %s --npcc-raise-draws=most-axes=1 | FileCheck %s --check-prefix=NONE

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
// The runtime describes only so many axes: without one for the draws of an iteration they are arrays of their own.
// FLAT-LABEL:  func.func @steps
// FLAT:          np.draw_in_turns ["standard_normal", "standard_normal"]
// NONE-LABEL:  func.func @steps
// NONE-NOT:      np.view
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

// Another distribution in between: the runtime draws in turns. Draws that follow each other are still one.
// CHECK-LABEL: func.func @mixed
// CHECK-SAME:    (%[[G:.*]]: !np.generator<"Generator">, {{.*}}, %[[N:.*]]: index, %{{.*}}: index, %[[LOW:.*]]: i64, %[[HIGH:.*]]: i64)
// CHECK:           %[[A:.*]] = np.empty({{.*}}) : !np.array<?x?xf64>
// CHECK:           %[[B:.*]] = np.empty({{.*}}) : !np.array<?x2x?xf64>
// CHECK:           np.draw_in_turns ["standard_normal", "random", "integers"] ["float64", "float64", "int8"] from %[[G]]
// CHECK-SAME:        scalars [0, 0, 2](%[[LOW]], %[[HIGH]] : i64, i64) into %[[A]], %[[B]], %{{.*}} : !np.array<?x?xf64>, !np.array<?x2x?xf64>, !np.array<?x?xi8>
// CHECK:           scf.for
// CHECK-NOT:         np.draw
// CHECK:             np.view %[[A]]
// CHECK:         return
func.func @mixed(%g: !np.generator<"Generator">, %x: !np.array<?xf64>, %n: index, %steps: index, %low: i64, %high: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %a = np.empty(%n) : !np.array<?xf64>
    np.draw "standard_normal" "float64" from %g : !np.generator<"Generator"> into %a : !np.array<?xf64>
    %b = np.empty(%n) : !np.array<?xf64>
    np.draw "random" "float64" from %g : !np.generator<"Generator"> into %b : !np.array<?xf64>
    %c = np.empty(%n) : !np.array<?xf64>
    np.draw "random" "float64" from %g : !np.generator<"Generator"> into %c : !np.array<?xf64>
    %d = np.empty(%n) : !np.array<?xi8>
    np.draw "integers" "int8" from %g : !np.generator<"Generator"> (%low, %high : i64, i64) into %d : !np.array<?xi8>
    %va = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %va, %x : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// Integers of which a draw leaves a part of a word: each turn is a draw of its own.
// CHECK-LABEL: func.func @narrow
// CHECK:         np.draw_in_turns ["integers"] ["int8"]
// CHECK:         np.view
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

// Uniform numbers take one word each: one draw makes those of all draws.
// CHECK-LABEL: func.func @uniform
// CHECK:         %[[ALL:.*]] = np.empty(%{{.*}}, %{{.*}}) : !np.array<?x?xf64>
// CHECK:         np.draw "random" "float64" {{.*}} into %[[ALL]]
// CHECK:         scf.for
// CHECK:           %[[A:.*]] = np.view %[[ALL]] offsets[%{{.*}}, %{{.*}}] axes [1]
// CHECK:           %[[B:.*]] = np.view %[[ALL]]
// CHECK:           %[[NUMBERS:.*]] = np.load %[[B]]
// CHECK:           %[[SCALED:.*]] = np.ufunc "multiply"(%[[NUMBERS]], %{{.*}})
// CHECK:           %[[SHIFTED:.*]] = np.ufunc "add"(%[[SCALED]], %{{.*}})
// CHECK:           np.store %[[SHIFTED]]
// CHECK:         return
func.func @uniform(%g: !np.generator<"Generator">, %x: !np.array<?xf64>, %n: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant -1.0 : f64
  %range = arith.constant 2.0 : f64
  scf.for %k = %c0 to %steps step %c1 {
    %a = np.empty(%n) : !np.array<?xf64>
    np.draw "random" "float64" from %g : !np.generator<"Generator"> into %a : !np.array<?xf64>
    %b = np.empty(%n) : !np.array<?xf64>
    np.draw "uniform" "float64" from %g : !np.generator<"Generator"> (%low, %range : f64, f64) into %b : !np.array<?xf64>
    %va = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %va, %x : tensor<?xf64>, !np.array<?xf64>
    %vb = np.load %b : !np.array<?xf64> -> tensor<?xf64>
    np.store %vb, %x : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// A parameter that may be out of its bounds, behind a store that the error would come before.
// CHECK-LABEL: func.func @stored
// CHECK-NOT:     np.view
func.func @stored(%g: !np.generator<"Generator">, %x: !np.array<?xf64>, %n: index, %steps: index, %scale: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %a = np.empty(%n) : !np.array<?xf64>
    np.draw "random" "float64" from %g : !np.generator<"Generator"> into %a : !np.array<?xf64>
    %va = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %va, %x : tensor<?xf64>, !np.array<?xf64>
    %b = np.empty(%n) : !np.array<?xf64>
    np.draw "exponential" "float64" from %g : !np.generator<"Generator"> (%scale : f64) into %b : !np.array<?xf64>
    %vb = np.load %b : !np.array<?xf64> -> tensor<?xf64>
    np.store %vb, %x : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// An iteration that may raise.
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

// A look at a parameter that all iterations share, and a check, are made first; what each iteration draws is an array.
// CHECK-LABEL: func.func @looked_at
// CHECK-SAME:    %[[ISBAD:[a-zA-Z0-9]*]]: i1, %[[ISFINE:[a-zA-Z0-9]*]]: i1)
// CHECK:         scf.for
// CHECK:           np.assert %[[ISFINE]]
// CHECK-NEXT:      scf.if %[[ISBAD]]
// CHECK:             np.draw "normal"
// CHECK:           np.draw "standard_normal" {{.*}} : !np.array<?x?xf64>
// CHECK:           scf.for
// CHECK-NOT:         np.draw
// CHECK:         return
func.func @looked_at(%g: !np.generator<"Generator">, %x: !np.array<?xf64>, %n: index, %steps: index, %isBad: i1, %isFine: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bad = arith.constant -1.0 : f64
  scf.for %k = %c0 to %steps step %c1 {
    np.assert %isFine, "OverflowError" "range"()
    scf.if %isBad {
      %none = np.empty(%c0) : !np.array<?xf64>
      np.draw "normal" "float64" from %g : !np.generator<"Generator"> (%bad, %bad : f64, f64) into %none : !np.array<?xf64>
    }
    %a = np.empty(%n) : !np.array<?xf64>
    np.draw "standard_normal" "float64" from %g : !np.generator<"Generator"> into %a : !np.array<?xf64>
    %va = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %va, %x : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// The same look behind another draw, whose numbers the error would come behind.
// CHECK-LABEL: func.func @looked_at_late
// CHECK-NOT:     np.view
// CHECK:         return
func.func @looked_at_late(%g: !np.generator<"Generator">, %x: !np.array<?xf64>, %n: index, %steps: index, %isBad: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bad = arith.constant -1.0 : f64
  scf.for %k = %c0 to %steps step %c1 {
    %a = np.empty(%n) : !np.array<?xf64>
    np.draw "standard_normal" "float64" from %g : !np.generator<"Generator"> into %a : !np.array<?xf64>
    scf.if %isBad {
      %none = np.empty(%c0) : !np.array<?xf64>
      np.draw "normal" "float64" from %g : !np.generator<"Generator"> (%bad, %bad : f64, f64) into %none : !np.array<?xf64>
    }
    %va = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %va, %x : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// Single numbers are elements of an array.
// CHECK-LABEL: func.func @numbers
// CHECK:         %[[ALL:.*]] = np.empty(%{{.*}}) : !np.array<?x2xf64>
// CHECK:         np.draw "random" "float64" {{.*}} into %[[ALL]]
// CHECK:         scf.for
// CHECK:           %[[ONE:.*]] = np.view %[[ALL]]
// CHECK:           %[[LOAD:.*]] = np.load %[[ONE]]
// CHECK:           np.item %[[LOAD]]
// CHECK-NOT:       np.draw_scalar
// CHECK:         return
// NONE-LABEL:  func.func @numbers
// NONE:          np.draw_in_turns ["random", "random"]
func.func @numbers(%g: !np.generator<"Generator">, %steps: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%total = %zero) -> f64 {
    %a = np.draw_scalar "random" "float64" from %g : !np.generator<"Generator"> -> f64
    %b = np.draw_scalar "random" "float64" from %g : !np.generator<"Generator"> -> f64
    %product = arith.mulf %a, %b : f64
    %next = arith.addf %total, %product : f64
    scf.yield %next : f64
  }
  return %sum : f64
}

// Not where a parameter changes, and not in a short loop inside of another one.
// CHECK-LABEL: func.func @changing
// CHECK-NOT:     np.view
// CHECK-COUNT-2: np.draw_scalar
// CHECK:         return
func.func @changing(%g: !np.generator<"Generator">, %steps: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %last = scf.for %k = %c0 to %steps step %c1 iter_args(%x = %one) -> f64 {
    %next = np.draw_scalar "normal" "float64" from %g : !np.generator<"Generator"> (%x, %one : f64, f64) -> f64
    scf.yield %next : f64
  }
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%total = %last) -> f64 {
    %row = scf.for %j = %c0 to %k step %c1 iter_args(%x = %total) -> f64 {
      %a = np.draw_scalar "random" "float64" from %g : !np.generator<"Generator"> -> f64
      %next = arith.addf %x, %a : f64
      scf.yield %next : f64
    }
    scf.yield %row : f64
  }
  return %sum : f64
}
