// RUN: npcc-opt %s --npcc-alternate-arrays | FileCheck %s
// RUN: npcc-opt %s --npcc-alternate-arrays --npcc-plan-alternatives --npcc-promote-arrays --npcc-materialize --npcc-fuse | FileCheck %s --check-prefix=KERNELS

// A relaxation through a copy: a turn makes the second array of the first one, the other turn the first of the second.
// After an odd number of iterations the last turn copies. The check in front of the first store fails in the first
// iteration or never; those behind it are made before the loop.
// CHECK-LABEL: func.func @relax
// CHECK:       np.alternatives "checks that hold in all iterations" {{.*}} {
// CHECK:         %[[SECOND:.*]] = np.empty
// CHECK:         scf.for
// CHECK:           %[[OLD:.*]] = np.load %arg0 : !np.array<?xf64>
// CHECK:           %[[OWN:.*]] = np.new %[[OLD]]
// CHECK:           np.assert %arg3
// CHECK-NOT:       np.check_index
// CHECK:           %[[NEW:.*]] = np.load %[[OWN]]
// CHECK:           np.store %[[NEW]], %[[SECOND]]
// CHECK:           scf.if
// CHECK:             np.load %[[SECOND]]
// CHECK-NOT:         np.assert
// CHECK:             np.store %{{.*}}, %arg0 : tensor<?xf64>, !np.array<?xf64>
// CHECK:           } else {
// CHECK:             %[[LAST:.*]] = np.load %[[SECOND]]
// CHECK:             np.store %[[LAST]], %arg0
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:           np.check_index
// One kernel an iteration: an element at the border is that of a neighbour, by its position.
// KERNELS-LABEL: func.func @relax
// KERNELS:       scf.if
// KERNELS:         scf.for
// KERNELS:           np.kernel
// KERNELS:             arith.select
// KERNELS-COUNT-1:     arith.mulf
// KERNELS:             memref.store
// KERNELS-NEXT:      }
// KERNELS:           scf.if
// KERNELS:             np.kernel
// KERNELS:             arith.mulf
func.func @relax(%p: !np.array<?xf64>, %steps: index, %d: f64, %fine: i1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %k = %c0 to %steps step %c1 {
    %old = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %q = np.new %old : tensor<?xf64> -> !np.array<?xf64>
    np.assert %fine, "ValueError" "no"()
    %n = np.dim %p, 0 : !np.array<?xf64>
    %m = arith.subi %n, %c2 : index
    %inside = arith.maxsi %m, %c0 : index
    %vl = np.view %q offsets[%c0] axes [0] extents[%inside] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %vr = np.view %q offsets[%c2] axes [0] extents[%inside] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %l = np.load %vl : !np.array<?xf64, strided> -> tensor<?xf64>
    %r = np.load %vr : !np.array<?xf64, strided> -> tensor<?xf64>
    %s = np.ufunc "add"(%l, %r) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %h = np.ufunc "multiply"(%s, %d) : (tensor<?xf64>, f64) -> tensor<?xf64>
    %vm = np.view %p offsets[%c1] axes [0] extents[%inside] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    np.store %h, %vm : tensor<?xf64>, !np.array<?xf64, strided>
    %i = np.check_index %c1 of %n axis 0
    %from = np.view %p offsets[%i] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %x = np.load %from : !np.array<f64> -> tensor<f64>
    %to = np.view %p offsets[%c0] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    np.store %x, %to : tensor<f64>, !np.array<f64>
  }
  return
}

// Half of the elements are no more than half of the work.
// CHECK-LABEL: func.func @half
// CHECK-NOT:   np.empty
func.func @half(%p: !np.array<?xf64>, %steps: index, %half: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %vr = np.view %p offsets[%c1] axes [0] extents[%half] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %r = np.load %vr : !np.array<?xf64, strided> -> tensor<?xf64>
    %vm = np.view %p offsets[%c0] axes [0] extents[%half] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    np.store %r, %vm : tensor<?xf64>, !np.array<?xf64, strided>
  }
  return
}

// A check that an iteration decides: the stores of those before it would be lost.
// CHECK-LABEL: func.func @own_check
// CHECK-NOT:   np.empty
func.func @own_check(%p: !np.array<?xf64>, %steps: index, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %i = np.check_index %k of %n axis 0
    %old = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %q = np.new %old : tensor<?xf64> -> !np.array<?xf64>
    %m = np.dim %p, 0 : !np.array<?xf64>
    %less = arith.subi %m, %c1 : index
    %vr = np.view %q offsets[%c1] axes [0] extents[%less] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %r = np.load %vr : !np.array<?xf64, strided> -> tensor<?xf64>
    %vm = np.view %p offsets[%c0] axes [0] extents[%less] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    np.store %r, %vm : tensor<?xf64>, !np.array<?xf64, strided>
  }
  return
}

// Element by element nothing is read elsewhere; and where launches cost nothing, memory is better left in place.
// CHECK-LABEL: func.func @own_elements
// CHECK-NOT:   np.empty
func.func @own_elements(%p: !np.array<?xf64>, %steps: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %old = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%old, %old) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    np.store %s, %p : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// Two arrays that the program makes of each other take turns already: what goes through the second one is read there.
// CHECK-LABEL: func.func @turns_of_the_program
// CHECK-NOT:   np.empty
func.func @turns_of_the_program(%a: !np.array<?xf64>, %b: !np.array<?xf64>, %steps: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %a, 0 : !np.array<?xf64>
  %m = arith.subi %n, %c1 : index
  %ar = np.view %a offsets[%c1] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
  %al = np.view %a offsets[%c0] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
  %br = np.view %b offsets[%c1] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
  %bl = np.view %b offsets[%c0] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
  scf.for %k = %c0 to %steps step %c1 {
    %x = np.load %ar : !np.array<?xf64, strided> -> tensor<?xf64>
    np.store %x, %bl : tensor<?xf64>, !np.array<?xf64, strided>
    %y = np.load %br : !np.array<?xf64, strided> -> tensor<?xf64>
    np.store %y, %al : tensor<?xf64>, !np.array<?xf64, strided>
  }
  return
}

// CHECK-LABEL: func.func @on_the_host
// CHECK-NOT:   np.empty
func.func @on_the_host(%p: !np.array<?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %n = np.dim %p, 0 : !np.array<?xf64>
    %less = arith.subi %n, %c1 : index
    %vr = np.view %p offsets[%c1] axes [0] extents[%less] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %r = np.load %vr : !np.array<?xf64, strided> -> tensor<?xf64>
    %vm = np.view %p offsets[%c0] axes [0] extents[%less] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    np.store %r, %vm : tensor<?xf64>, !np.array<?xf64, strided>
  }
  return
}

// Until a change is small: a `while` carries whose turn it is, and a NumPy scalar is handed on in memory of its own.
// What the change is computed of is there already.
// CHECK-LABEL: func.func @until
// CHECK:       %[[SECOND:.*]] = np.empty(%{{.*}}) : !np.array<?xf64>
// CHECK:       %[[CELL:.*]] = np.empty() : !np.array<f64>
// CHECK:       %[[LOOP:.*]]:2 = scf.while
// CHECK:         scf.condition
// CHECK:       ^bb0(%{{.*}}: i64, %[[TURN:.*]]: i1):
// CHECK:         scf.if %[[TURN]]
// CHECK:           np.store %{{.*}}, %arg0 : tensor<?xf64>, !np.array<?xf64>
// CHECK:           np.load %arg0
// CHECK:           np.reduce "maximum"
// CHECK:           np.store %{{.*}}, %[[CELL]]
// CHECK:         } else {
// CHECK:           np.store %{{.*}}, %[[SECOND]] : tensor<?xf64>, !np.array<?xf64>
// CHECK:           np.load %[[SECOND]]
// CHECK:           np.reduce "maximum"
// CHECK:           np.store %{{.*}}, %[[CELL]]
// CHECK:         np.load %[[CELL]]
// CHECK:         arith.xori %[[TURN]]
// CHECK:       scf.if %[[LOOP]]#1 {
// CHECK:         %[[LAST:.*]] = np.load %[[SECOND]]
// CHECK:         np.store %[[LAST]], %arg0
func.func @until(%p: !np.array<?xf64>, %least: f64) -> i64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %f1 = arith.constant 1.0 : f64
  %start = np.full %f1 extents [] : f64 -> tensor<f64>
  %steps = scf.while (%error = %start, %step = %zero) : (tensor<f64>, i64) -> i64 {
    %number = np.item %error : tensor<f64> -> f64
    %isLarge = arith.cmpf ogt, %number, %least : f64
    scf.condition(%isLarge) %step : i64
  } do {
  ^bb0(%step: i64):
    %old = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %n = np.dim %p, 0 : !np.array<?xf64>
    %m = arith.subi %n, %c1 : index
    %vr = np.view %p offsets[%c1] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %r = np.load %vr : !np.array<?xf64, strided> -> tensor<?xf64>
    %q = np.new %old : tensor<?xf64> -> !np.array<?xf64>
    %vm = np.view %p offsets[%c0] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    np.store %r, %vm : tensor<?xf64>, !np.array<?xf64, strided>
    %new = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %before = np.load %q : !np.array<?xf64> -> tensor<?xf64>
    %d = np.ufunc "subtract"(%new, %before) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %error = np.reduce "maximum" %d axes [0] : tensor<?xf64> -> tensor<f64>
    %next = arith.addi %step, %one : i64
    scf.yield %error, %next : tensor<f64>, i64
  }
  return %steps : i64
}

// A row and a column, one of them with an axis of extent 1 beside it, are copied by npcc-materialize: the array stays.
// CHECK-LABEL: func.func @lines
// CHECK:       scf.for
// CHECK-NOT:   np.empty
// CHECK:         np.store %{{.*}}, %arg0
// CHECK-NOT:     np.store
// CHECK:       return
func.func @lines(%p: !np.array<?x?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %column = np.view %p offsets [%c0, %k] axes [0, -1] extents [%n, %c1] steps [%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x1xf64, strided>
    %row = np.view %p offsets [%k, %c0] axes [1] extents [%n] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %u = np.load %p : !np.array<?x?xf64> -> tensor<?x?xf64>
    %v = np.load %column : !np.array<?x1xf64, strided> -> tensor<?x1xf64>
    %w = np.load %row : !np.array<?xf64> -> tensor<?xf64>
    %a = np.broadcast %v extents [%n, %n] : tensor<?x1xf64> -> tensor<?x?xf64>
    %b = np.broadcast %w extents [%n, %n] : tensor<?xf64> -> tensor<?x?xf64>
    %sum = np.ufunc "add"(%a, %b) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %least = np.ufunc "minimum"(%u, %sum) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    np.store %least, %p : tensor<?x?xf64>, !np.array<?x?xf64>
  }
  return
}

// A number and a NumPy scalar go round from turn to turn; after an odd number of iterations the first turn's are the last.
// CHECK-LABEL: func.func @change
// CHECK:       %[[SECOND:.*]] = np.empty(%{{.*}}) : !np.array<?xf64>
// CHECK:       %[[CELL:.*]] = np.empty() : !np.array<f64>
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[K:.*]] = %{{.*}}) -> (tensor<f64>, i64)
// CHECK:         %[[CHANGE:.*]] = np.reduce "maximum"
// CHECK:         %[[NEXT:.*]] = arith.addi %[[K]]
// CHECK:         %[[NUMBER:.*]] = scf.if %{{.*}} -> (i64) {
// CHECK:           np.reduce "maximum"
// CHECK:           %[[LAST:.*]] = arith.addi %[[NEXT]]
// CHECK:           np.store %{{.*}}, %[[CELL]]
// CHECK:           scf.yield %[[LAST]] : i64
// CHECK:         } else {
// CHECK:           np.store %[[CHANGE]], %[[CELL]]
// CHECK:           scf.yield %[[NEXT]] : i64
// CHECK:         %[[SCALAR:.*]] = np.load %[[CELL]]
// CHECK:         scf.yield %[[SCALAR]], %[[NUMBER]]
func.func @change(%p: !np.array<?xf64>, %steps: index) -> (tensor<f64>, i64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %f1 = arith.constant 1.0 : f64
  %start = np.full %f1 extents [] : f64 -> tensor<f64>
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%last = %start, %k = %zero) -> (tensor<f64>, i64) {
    %old = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %n = np.dim %p, 0 : !np.array<?xf64>
    %m = arith.subi %n, %c1 : index
    %vr = np.view %p offsets[%c1] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %r = np.load %vr : !np.array<?xf64, strided> -> tensor<?xf64>
    %vm = np.view %p offsets[%c0] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %change = np.reduce "maximum" %old axes [0] : tensor<?xf64> -> tensor<f64>
    np.store %r, %vm : tensor<?xf64>, !np.array<?xf64, strided>
    %next = arith.addi %k, %one : i64
    scf.yield %change, %next : tensor<f64>, i64
  }
  return %r#0, %r#1 : tensor<f64>, i64
}

// A loop with a break, rotated: the iteration is what ends with the condition.
// CHECK-LABEL: func.func @left
// CHECK:       %[[SECOND:.*]] = np.empty(%{{.*}}) : !np.array<?xf64>
// CHECK:       %[[LOOP:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[TURN:.*]] = %{{.*}})
// CHECK:         %[[ON:.*]]:2 = scf.if %[[TURN]] -> (i1, i64) {
// CHECK:           np.store %{{.*}}, %arg0 : tensor<?xf64>, !np.array<?xf64>
// CHECK:         } else {
// CHECK:           np.store %{{.*}}, %[[SECOND]] : tensor<?xf64>, !np.array<?xf64>
// CHECK:         %[[OTHER:.*]] = arith.xori %[[TURN]]
// CHECK:         scf.condition(%[[ON]]#0) %[[ON]]#1, %[[OTHER]]
// CHECK:       ^bb0(%[[K:.*]]: i64, %[[NEXT:.*]]: i1):
// CHECK:         scf.yield %[[K]], %[[NEXT]]
// CHECK:       scf.if %[[LOOP]]#1 {
func.func @left(%p: !np.array<?xf64>, %least: f64) -> i64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %steps = scf.while (%k = %zero) : (i64) -> i64 {
    %old = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %n = np.dim %p, 0 : !np.array<?xf64>
    %m = arith.subi %n, %c1 : index
    %vr = np.view %p offsets[%c1] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %r = np.load %vr : !np.array<?xf64, strided> -> tensor<?xf64>
    %vm = np.view %p offsets[%c0] axes [0] extents[%m] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    np.store %r, %vm : tensor<?xf64>, !np.array<?xf64, strided>
    %change = np.reduce "maximum" %old axes [0] : tensor<?xf64> -> tensor<f64>
    %number = np.item %change : tensor<f64> -> f64
    %isLarge = arith.cmpf ogt, %number, %least : f64
    %next = arith.addi %k, %one : i64
    scf.condition(%isLarge) %next : i64
  } do {
  ^bb0(%k: i64):
    scf.yield %k : i64
  }
  return %steps : i64
}
