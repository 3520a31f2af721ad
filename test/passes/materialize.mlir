// RUN: npcc-opt %s --npcc-materialize | FileCheck %s

// a[1:] = a[:-1] reads what it writes at other positions: it stores from a copy.
// CHECK-LABEL: func @shift
// CHECK: %[[COPY:.*]] = np.new
// CHECK: %[[L:.*]] = np.load %[[COPY]]
// CHECK: np.store %[[L]]
func.func @shift(%a: !np.array<?xf64>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %from = np.view %a offsets [%c0] axes [0] extents [%m] steps [%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
  %to = np.view %a offsets [%c1] axes [0] extents [%m] steps [%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
  %x = np.load %from : !np.array<?xf64, strided> -> tensor<?xf64>
  np.store %x, %to : tensor<?xf64>, !np.array<?xf64, strided>
  return
}

// In place at the same positions needs none.
// CHECK-LABEL: func @in_place
// CHECK-NOT: np.new
func.func @in_place(%a: !np.array<?xf64>) {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.ufunc "add"(%x, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  np.store %y, %a : tensor<?xf64>, !np.array<?xf64>
  return
}

// A value that was read before its array changed is kept.
// CHECK-LABEL: func @stale
// CHECK: %[[OLD:.*]] = np.new
// CHECK: np.store %{{.*}}, %arg0
// CHECK: np.store %{{.*}}, %arg1
func.func @stale(%a: !np.array<?xf64>, %b: !np.array<?xf64>) {
  %one = arith.constant 1.0 : f64
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  np.store %one, %a : f64, !np.array<?xf64>
  np.store %x, %b : tensor<?xf64>, !np.array<?xf64>
  return
}

// A sum over rows that every element of the row needs is an array of its own; one that only its own position needs is not.
// CHECK-LABEL: func @mean
// CHECK: %[[SUM:.*]] = np.reduce
// CHECK: np.new %[[SUM]]
func.func @mean(%a: !np.array<?x?xf64>, %n: index, %m: index) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %s = np.reduce "add" %x axes [1] : tensor<?x?xf64> -> tensor<?xf64>
  %k = np.view %s offsets [%c0] axes [0, -1] extents [%n, %m] steps [%c1, %c1] : tensor<?xf64> -> tensor<?x?xf64>
  %d = np.ufunc "subtract"(%x, %k) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = np.new %d : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %r : !np.array<?x?xf64>
}
// CHECK-LABEL: func @norm
// CHECK: np.reduce
// CHECK-NEXT: np.ufunc "sqrt"
func.func @norm(%a: !np.array<?x?xf64>) -> !np.array<?xf64> {
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %s = np.reduce "add" %x axes [1] : tensor<?x?xf64> -> tensor<?xf64>
  %d = np.ufunc "sqrt"(%s) : (tensor<?xf64>) -> tensor<?xf64>
  %r = np.new %d : tensor<?xf64> -> !np.array<?xf64>
  return %r : !np.array<?xf64>
}

// The last row and the one before it are two rows, whatever the extent is; one of them and the first one may be one.
// CHECK-LABEL: func.func @from_the_end
// CHECK-NOT:   np.new
// CHECK:       np.store
// CHECK:       np.new
// CHECK:       np.store
func.func @from_the_end(%p: !np.array<?x?xf64>, %n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %minus1 = arith.constant -1 : index
  %minus2 = arith.constant -2 : index
  %last = np.check_index %minus1 of %n axis 0
  %before = np.check_index %minus2 of %n axis 0
  %first = np.check_index %c0 of %n axis 0
  %a = np.view %p offsets[%before, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
  %b = np.view %p offsets[%last, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
  %c = np.view %p offsets[%first, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
  %v = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  np.store %v, %b : tensor<?xf64>, !np.array<?xf64>
  %w = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  np.store %w, %c : tensor<?xf64>, !np.array<?xf64>
  return
}

// Of a row and a column that a store reads beside its own elements there are copies; of all that it stores there is none.
// CHECK-LABEL: func.func @row_and_column
// CHECK:       %[[ROW:.*]] = np.load %{{.*}} -> tensor<?xf64>
// CHECK:       np.new %[[ROW]]
// CHECK:       %[[COLUMN:.*]] = np.load %{{.*}} : !np.array<?xf64, strided> -> tensor<?xf64>
// CHECK:       np.new %[[COLUMN]]
// CHECK-NOT:   np.new
// CHECK:       np.store
func.func @row_and_column(%p: !np.array<?x?xf64>, %n: index, %m: index, %k: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %a = np.view %p offsets[%k, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
  %b = np.view %p offsets[%c0, %k] axes [0] extents[%n] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
  %row = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %column = np.load %b : !np.array<?xf64, strided> -> tensor<?xf64>
  %all = np.load %p : !np.array<?x?xf64> -> tensor<?x?xf64>
  %r = np.view %row offsets[%c0] axes [-1, 0] extents[%n, %m] steps[%c0, %c1] : tensor<?xf64> -> tensor<?x?xf64>
  %c = np.view %column offsets[%c0] axes [0, -1] extents[%n, %m] steps[%c1, %c0] : tensor<?xf64> -> tensor<?x?xf64>
  %s = np.ufunc "multiply"(%r, %c) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %d = np.ufunc "subtract"(%all, %s) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  np.store %d, %p : tensor<?x?xf64>, !np.array<?x?xf64>
  return
}

// exp(v)[None, :] * a: each row would compute the exponentials again. Where rows have one each (exp(w)[:, None]), they are computed once there.
// CHECK-LABEL: func @stretched
// CHECK: %[[E:.*]] = np.ufunc "exp"(%arg1)
// CHECK: %[[M:.*]] = np.new %[[E]]
// CHECK: %[[L:.*]] = np.load %[[M]]
// CHECK: np.broadcast %[[L]]
// CHECK: %[[F:.*]] = np.ufunc "exp"(%arg2)
// CHECK-NEXT: np.broadcast %[[F]]
func.func @stretched(%a: tensor<?x?xf64>, %v: tensor<?xf64>, %w: tensor<?x1xf64>, %n: index, %m: index) -> !np.array<?x?xf64> {
  %e = np.ufunc "exp"(%v) : (tensor<?xf64>) -> tensor<?xf64>
  %rows = np.broadcast %e extents[%n, %m] : tensor<?xf64> -> tensor<?x?xf64>
  %f = np.ufunc "exp"(%w) : (tensor<?x1xf64>) -> tensor<?x1xf64>
  %columns = np.broadcast %f extents[%n, %m] : tensor<?x1xf64> -> tensor<?x?xf64>
  %p = np.ufunc "multiply"(%a, %rows) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %q = np.ufunc "multiply"(%p, %columns) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = np.new %q : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %r : !np.array<?x?xf64>
}

// Each search reads much of the vector: what is costly to compute of it is computed once, what is cheap where it is read.
// CHECK-LABEL: func @searched
// CHECK: %[[E:.*]] = np.ufunc "exp"
// CHECK: %[[A:.*]] = np.new %[[E]]
// CHECK: %[[S:.*]] = np.load %[[A]]
// CHECK: np.search %{{.*}} in %[[S]]
// CHECK: %[[D:.*]] = np.ufunc "add"
// CHECK-NOT: np.new
// CHECK: np.search %{{.*}} in %[[D]]
func.func @searched(%a: !np.array<?xf64>, %v: !np.array<?xf64>) -> (!np.array<?xi64>, !np.array<?xi64>) {
  %s = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %x = np.load %v : !np.array<?xf64> -> tensor<?xf64>
  %e = np.ufunc "exp"(%s) : (tensor<?xf64>) -> tensor<?xf64>
  %i = np.search %x in %e : tensor<?xf64>, tensor<?xf64> -> tensor<?xi64>
  %r = np.new %i : tensor<?xi64> -> !np.array<?xi64>
  %d = np.ufunc "add"(%s, %s) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %j = np.search %x in %d : tensor<?xf64>, tensor<?xf64> -> tensor<?xi64>
  %q = np.new %j : tensor<?xi64> -> !np.array<?xi64>
  return %r, %q : !np.array<?xi64>, !np.array<?xi64>
}

// A product takes a view of an array that is written to only after it, also in a branch; where it is written to before, a copy.
// CHECK-LABEL: func.func @view_of_an_argument
// CHECK:         %[[V:.*]] = np.view %arg0 {{.*}} : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
// CHECK:         %[[L:.*]] = np.load %[[V]]
// CHECK:         scf.if
// CHECK:           np.matmul %[[L]], %{{.*}}
// CHECK:         np.store
// CHECK:         %[[C:.*]] = np.new
// CHECK:         %[[D:.*]] = np.load %[[C]]
// CHECK:         np.matmul %[[D]]
func.func @view_of_an_argument(%a: !np.array<?x?xf64>, %b: !np.array<?x?xf64>, %n: index, %flag: i1) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %b : !np.array<?x?xf64> -> tensor<?x?xf64>
  %v = np.view %x offsets [%c0, %c0] axes [1, 0] extents [%n, %n] steps [%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
  %p = scf.if %flag -> tensor<?x?xf64> {
    %q = np.matmul %v, %v : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    scf.yield %q : tensor<?x?xf64>
  } else {
    scf.yield %y : tensor<?x?xf64>
  }
  np.store %y, %a : tensor<?x?xf64>, !np.array<?x?xf64>
  %w = np.view %x offsets [%c0, %c0] axes [1, 0] extents [%n, %n] steps [%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
  %r = np.matmul %w, %w : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  return %p, %r : tensor<?x?xf64>, tensor<?x?xf64>
}

// Two products in a loop take the same part of a computed array: both take a view of it, and nothing is copied.
// CHECK-LABEL: func.func @part_of_two_products
// CHECK:         %[[A:.*]] = np.new
// CHECK:         scf.for
// CHECK-NOT:       np.new
// CHECK-COUNT-2:   np.view %[[A]] offsets
// CHECK-NOT:       np.new
// CHECK:           np.matmul
// CHECK:           np.matmul
func.func @part_of_two_products(%x: !np.array<?x?xf64>, %y: !np.array<?x?xf64>, %out: !np.array<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = np.dim %x, 1 : !np.array<?x?xf64>
  %v = np.load %x : !np.array<?x?xf64> -> tensor<?x?xf64>
  %w = np.load %y : !np.array<?x?xf64> -> tensor<?x?xf64>
  %e = np.ufunc "exp"(%v) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %part = np.view %e offsets[%i, %c0] axes [0, 1] extents[%n, %m] steps[%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %part, %w : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    np.store %p, %out : tensor<?x?xf64>, !np.array<?x?xf64>
    %q = np.matmul %part, %p : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    np.store %q, %out : tensor<?x?xf64>, !np.array<?x?xf64>
  }
  return
}

// A product that is stored is written by the library, unless it reads the array.
// CHECK-LABEL: func.func @stored_product
// CHECK:         %[[P:.*]] = np.matmul
// CHECK-NEXT:    np.store %[[P]], %arg2
// CHECK:         %[[Q:.*]] = np.matmul
// CHECK-NEXT:    %[[N:.*]] = np.new %[[Q]]
// CHECK-NEXT:    %[[L:.*]] = np.load %[[N]]
// CHECK-NEXT:    np.store %[[L]], %arg0
func.func @stored_product(%a: !np.array<?x?xf64>, %b: !np.array<?x?xf64>, %c: !np.array<?x?xf64>) {
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %b : !np.array<?x?xf64> -> tensor<?x?xf64>
  %p = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  np.store %p, %c : tensor<?x?xf64>, !np.array<?x?xf64>
  %z = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %q = np.matmul %z, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  np.store %q, %a : tensor<?x?xf64>, !np.array<?x?xf64>
  return
}

// What is added to is read where it is written: that needs no other array.
// CHECK-LABEL: func.func @added_to
// CHECK:         %[[C:.*]] = np.load %arg2
// CHECK-NEXT:    %[[P:.*]] = np.matmul %{{.*}}, %{{.*}} addend %[[C]]
// CHECK-NEXT:    np.store %[[P]], %arg2
// CHECK-NEXT:    return
func.func @added_to(%a: !np.array<?x?xf32>, %b: !np.array<?x?xf32>, %c: !np.array<?x?xf32>) {
  %x = np.load %a : !np.array<?x?xf32> -> tensor<?x?xf32>
  %y = np.load %b : !np.array<?x?xf32> -> tensor<?x?xf32>
  %z = np.load %c : !np.array<?x?xf32> -> tensor<?x?xf32>
  %p = np.matmul %x, %y addend %z : tensor<?x?xf32> : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  np.store %p, %c : tensor<?x?xf32>, !np.array<?x?xf32>
  return
}

// A store into an array that is made behind the value stays behind the array.
// CHECK-LABEL: func.func @stored_later
// CHECK:         %[[V:.*]] = np.load
// CHECK:         %[[MADE:.*]] = np.new
// CHECK:         np.store %[[V]], %[[MADE]]
func.func @stored_later(%a: !np.array<?xi32>) -> (!np.array<?xi32>, !np.array<?xi1>) {
  %v = np.load %a : !np.array<?xi32> -> tensor<?xi32>
  %s = np.sort %v positions false : tensor<?xi32> -> tensor<?xi32>
  %made = np.new %s : tensor<?xi32> -> !np.array<?xi32>
  %less = np.ufunc "less"(%s, %v) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
  np.store %v, %made : tensor<?xi32>, !np.array<?xi32>
  %flags = np.new %less : tensor<?xi1> -> !np.array<?xi1>
  return %made, %flags : !np.array<?xi32>, !np.array<?xi1>
}

// A step of a factorisation: the row and the column that it reads end where the part that it changes begins. No array
// holds the product.
// CHECK-LABEL: func.func @step
// CHECK-NOT:   np.new
// CHECK:       np.store
func.func @step(%a: !np.array<?x?xf64>, %n: index) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %next = arith.addi %k, %c1 : index
    %left = arith.subi %n, %next : index
    %part = np.view %a offsets [%next, %next] axes [0, 1] extents [%left, %left] steps [%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
    %column = np.view %a offsets [%next, %k] axes [0, -1] extents [%left, %left] steps [%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
    %row = np.view %a offsets [%k, %next] axes [-1, 1] extents [%left, %left] steps [%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
    %u = np.load %part : !np.array<?x?xf64, strided> -> tensor<?x?xf64>
    %v = np.load %column : !np.array<?x?xf64, strided> -> tensor<?x?xf64>
    %w = np.load %row : !np.array<?x?xf64, strided> -> tensor<?x?xf64>
    %product = np.ufunc "multiply"(%v, %w) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %rest = np.ufunc "subtract"(%u, %product) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    np.store %rest, %part : tensor<?x?xf64>, !np.array<?x?xf64, strided>
  }
  return
}

// One row more is one that the step changes: what it reads is kept.
// CHECK-LABEL: func.func @step_that_meets
// CHECK:       np.new
// CHECK:       np.store
func.func @step_that_meets(%a: !np.array<?x?xf64>, %n: index) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %next = arith.addi %k, %c1 : index
    %left = arith.subi %n, %next : index
    %part = np.view %a offsets [%next, %next] axes [0, 1] extents [%left, %left] steps [%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
    %row = np.view %a offsets [%next, %k] axes [-1, 1] extents [%left, %left] steps [%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
    %u = np.load %part : !np.array<?x?xf64, strided> -> tensor<?x?xf64>
    %w = np.load %row : !np.array<?x?xf64, strided> -> tensor<?x?xf64>
    %rest = np.ufunc "subtract"(%u, %w) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    np.store %rest, %part : tensor<?x?xf64>, !np.array<?x?xf64, strided>
  }
  return
}

// Positions that are floats before: the conversion is vectorised where they become an array, and is not in the loop.
// CHECK-LABEL: func.func @positions
// CHECK:       %[[CAST:.*]] = np.cast
// CHECK:       %[[ARRAY:.*]] = np.new %[[CAST]]
// CHECK:       %[[LOADED:.*]] = np.load %[[ARRAY]]
// CHECK:       scf.for
// CHECK:         np.view %[[LOADED]]
func.func @positions(%x: !np.array<?xf64>, %counts: !np.array<?xi64>, %n: index) attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
  %p = np.cast %v : tensor<?xf64> -> tensor<?xi64>
  scf.for %k = %c0 to %n step %c1 {
    %scalar = np.view %p offsets[%k] axes [] extents[] steps[] : tensor<?xi64> -> tensor<i64>
    %item = np.item %scalar : tensor<i64> -> i64
    %at = arith.index_cast %item : i64 to index
    %place = np.view %counts offsets[%at] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
    %before = np.load %place : !np.array<i64> -> tensor<i64>
    %after = np.ufunc "add"(%before, %one) : (tensor<i64>, i64) -> tensor<i64>
    np.store %after, %place : tensor<i64>, !np.array<i64>
  }
  return
}

// Integers beside each other are little work.
// CHECK-LABEL: func.func @cheap_positions
// CHECK-NOT:   np.new
// CHECK:       return
func.func @cheap_positions(%x: !np.array<?xi64>, %counts: !np.array<?xi64>, %n: index) attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %v = np.load %x : !np.array<?xi64> -> tensor<?xi64>
  %p = np.ufunc "add"(%v, %one) : (tensor<?xi64>, i64) -> tensor<?xi64>
  scf.for %k = %c0 to %n step %c1 {
    %scalar = np.view %p offsets[%k] axes [] extents[] steps[] : tensor<?xi64> -> tensor<i64>
    %item = np.item %scalar : tensor<i64> -> i64
    %at = arith.index_cast %item : i64 to index
    %place = np.view %counts offsets[%at] axes [] extents[] steps[] : !np.array<?xi64> -> !np.array<i64>
    %before = np.load %place : !np.array<i64> -> tensor<i64>
    %after = np.ufunc "add"(%before, %one) : (tensor<i64>, i64) -> tensor<i64>
    np.store %after, %place : tensor<i64>, !np.array<i64>
  }
  return
}

// Of a sum that is made a mean for all who read it, the mean is the array: its size is that of the sum, and it needs
// nothing but a number. What takes another array goes on from there.
// CHECK-LABEL: func.func @mean_of_rows
// CHECK:         %[[SUM:.*]] = np.reduce "add"
// CHECK-NOT:     np.new %[[SUM]]
// CHECK:         %[[MEAN:.*]] = np.ufunc "divide"(%[[SUM]], %{{.*}})
// CHECK-NEXT:    %[[ARRAY:.*]] = np.new %[[MEAN]]
// CHECK:         np.load %[[ARRAY]]
func.func @mean_of_rows(%a: !np.array<?x?xf64>, %b: !np.array<?xf64>, %n: index, %m: index, %count: f64) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %s = np.reduce "add" %x axes [1] : tensor<?x?xf64> -> tensor<?xf64>
  %number = np.full %count extents[%n] : f64 -> tensor<?xf64>
  %mean = np.ufunc "divide"(%s, %number) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %shifted = np.ufunc "add"(%mean, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %k = np.view %shifted offsets [%c0] axes [0, -1] extents [%n, %m] steps [%c1, %c1] : tensor<?xf64> -> tensor<?x?xf64>
  %d = np.ufunc "subtract"(%x, %k) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = np.new %d : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %r : !np.array<?x?xf64>
}

// A loop reads the sum of a computed matrix and its transpose, which would be read in columns in each iteration. What reads one array along its rows only
// is computed again.
// CHECK-LABEL: func.func @transposed_in_a_loop
// CHECK:         %[[SUM:.*]] = np.ufunc "add"(%{{.*}}, %{{.*}}) : (tensor<?x?xf64>, tensor<?x?xf64>)
// CHECK-NEXT:    np.new %[[SUM]]
// CHECK-NOT:     np.new
// CHECK:         scf.for
func.func @transposed_in_a_loop(%x: !np.array<?x?xf64>, %out: !np.array<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = np.load %x : !np.array<?x?xf64> -> tensor<?x?xf64>
  %h = np.ufunc "negative"(%v) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %t = np.view %h offsets [%c0, %c0] axes [1, 0] extents [%n, %n] steps [%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
  %sum = np.ufunc "add"(%h, %t) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %twice = np.ufunc "add"(%h, %h) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %o = np.load %out : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.ufunc "multiply"(%o, %sum) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %q = np.ufunc "subtract"(%p, %twice) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    np.store %q, %out : tensor<?x?xf64>, !np.array<?x?xf64>
  }
  return
}

// A product of a reshape of more axes: the array of these is made, which the product takes with other extents. The
// kernel that made the reshape would divide each position by the extents.

// CHECK-LABEL: func @product_of_windows
// CHECK:         %[[W:.*]] = np.new %{{.*}} : tensor<?x?x?xf64> -> !np.array<?x?x?xf64>
// CHECK:         %[[R:.*]] = np.reshape %[[W]] extents[%{{.*}}, %{{.*}}] : !np.array<?x?x?xf64> -> !np.array<?x?xf64>
// CHECK-NEXT:    %[[L:.*]] = np.load %[[R]]
// CHECK:         np.matmul %[[L]]
func.func @product_of_windows(%a: !np.array<?x?x?xf64, strided>, %w: !np.array<?x?xf64>, %m: index, %n: index) -> !np.array<?x?xf64> attributes {np.target = "cpu"} {
  %x = np.load %a : !np.array<?x?x?xf64, strided> -> tensor<?x?x?xf64>
  %r = np.reshape %x extents[%m, %n] : tensor<?x?x?xf64> -> tensor<?x?xf64>
  %y = np.load %w : !np.array<?x?xf64> -> tensor<?x?xf64>
  %p = np.matmul %r, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  %q = np.new %p : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %q : !np.array<?x?xf64>
}
