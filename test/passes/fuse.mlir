// RUN: npcc-opt %s --npcc-fuse --npcc-clean-loops | FileCheck %s

// A chain is one kernel without temporaries; two results of one shape share it, and what they share is computed once.
// CHECK-LABEL: func @two_results
// CHECK-COUNT-2: np.alloc
// CHECK: np.kernel
// CHECK-COUNT-1: math.exp
// CHECK-COUNT-2: memref.store
// CHECK-NOT: np.kernel
func.func @two_results(%a: !np.array<?xf64>) -> (!np.array<?xf64>, !np.array<?xf64>) {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %e = np.ufunc "exp"(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %p = np.ufunc "add"(%e, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %m = np.ufunc "multiply"(%e, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %r = np.new %p : tensor<?xf64> -> !np.array<?xf64>
  %s = np.new %m : tensor<?xf64> -> !np.array<?xf64>
  return %r, %s : !np.array<?xf64>, !np.array<?xf64>
}

// A full reduction is a kernel of one iteration that stores its result.
// CHECK-LABEL: func @norm
// CHECK: np.kernel (%{{.*}}) = (%c1)
// CHECK: %[[S:.*]] = scf.parallel
// CHECK: %[[R:.*]] = math.sqrt %[[S]]
// CHECK: memref.store %[[R]], %{{.*}}[] : memref<f64>
func.func @norm(%a: !np.array<?xf64>) -> !np.array<f64> {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %q = np.ufunc "square"(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %s = np.reduce "add" %q axes [0] : tensor<?xf64> -> tensor<f64>
  %r = np.ufunc "sqrt"(%s) : (tensor<f64>) -> tensor<f64>
  %n = np.new %r : tensor<f64> -> !np.array<f64>
  return %n : !np.array<f64>
}

// bool is a byte in memory; unsigned comparison for unsigned integers.
// CHECK-LABEL: func @unsigned
// CHECK-SAME: memref<?xi16>
// CHECK-SAME: -> memref<?xi8>
// CHECK: arith.cmpi ult
// CHECK: arith.extui %{{.*}} : i1 to i8
func.func @unsigned(%a: !np.array<?xui16>, %b: !np.array<?xui16>) -> !np.array<?xi1> attributes {np.guards = array<i64: 0, 0, 1, 0>} {
  %x = np.load %a : !np.array<?xui16> -> tensor<?xui16>
  %y = np.load %b : !np.array<?xui16> -> tensor<?xui16>
  %c = np.ufunc "less"(%x, %y) : (tensor<?xui16>, tensor<?xui16>) -> tensor<?xi1>
  %r = np.new %c : tensor<?xi1> -> !np.array<?xi1>
  return %r : !np.array<?xi1>
}

// A region of a new array is a choice of the element, not a second kernel.
// CHECK-LABEL: func @insert
// CHECK: np.kernel
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK-NOT: np.kernel
func.func @insert(%v: !np.array<?xf64>, %n: index, %m: index) -> !np.array<?xf64> {
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f64
  %x = np.load %v : !np.array<?xf64> -> tensor<?xf64>
  %z = np.full %f0 extents [%n] : f64 -> tensor<?xf64>
  %i = np.insert %x into %z offsets [%c1] axes [0] extents [%m] steps [%c1] : tensor<?xf64> into tensor<?xf64> -> tensor<?xf64>
  %r = np.new %i : tensor<?xf64> -> !np.array<?xf64>
  return %r : !np.array<?xf64>
}

// A product is one call of the library.
// CHECK-LABEL: func @product
// CHECK: np.call_matmul %arg0, %arg1 into
func.func @product(%a: !np.array<?x?xf64>, %b: !np.array<?x?xf64>) -> !np.array<?x?xf64> {
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %b : !np.array<?x?xf64> -> tensor<?x?xf64>
  %p = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  %r = np.new %p : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %r : !np.array<?x?xf64>
}

// Sorting is the runtime's; its operand is a contiguous array, its result goes where it is stored.
// CHECK-LABEL: func @sorted
// CHECK: %[[T:.*]] = np.alloc
// CHECK: %[[S:.*]] = np.alloc
// CHECK: np.kernel
// CHECK: np.call_sort %[[T]] into %[[S]] positions false {is_unsigned = true}
func.func @sorted(%a: !np.array<?xui8, strided>) -> !np.array<?xui8> {
  %x = np.load %a : !np.array<?xui8, strided> -> tensor<?xui8>
  %t = np.new %x : tensor<?xui8> -> !np.array<?xui8>
  %l = np.load %t : !np.array<?xui8> -> tensor<?xui8>
  %s = np.sort %l positions false : tensor<?xui8> -> tensor<?xui8>
  %r = np.new %s : tensor<?xui8> -> !np.array<?xui8>
  return %r : !np.array<?xui8>
}

// The reshape of an array may copy it: what makes the array comes first.
// CHECK-LABEL: func @reshaped
// CHECK: np.kernel
// CHECK: np.call_reshape
func.func @reshaped(%a: !np.array<?x?xf64, strided>, %n: index) -> !np.array<?xf64, strided> {
  %x = np.load %a : !np.array<?x?xf64, strided> -> tensor<?x?xf64>
  %s = np.ufunc "multiply"(%x, %x) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %t = np.new %s : tensor<?x?xf64> -> !np.array<?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = np.dim %a, 0 : !np.array<?x?xf64, strided>
  %k = np.dim %a, 1 : !np.array<?x?xf64, strided>
  %v = np.view %t offsets [%c0, %c0] axes [1, 0] extents [%k, %m] steps [%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
  %r = np.reshape_strided %v extents [%n] : !np.array<?x?xf64, strided> -> !np.array<?xf64, strided>
  return %r : !np.array<?xf64, strided>
}

// A search halves what is left in each of as many passes as the vector's extent needs, and carries the position.
// CHECK-LABEL: func @search
// CHECK: math.ctlz
// CHECK: np.kernel
// CHECK: scf.for {{.*}} iter_args(%[[LOW:.*]] = %c0, %[[LENGTH:.*]] = %
// CHECK: memref.load
// CHECK: arith.cmpf olt
// CHECK: arith.select
// CHECK-NOT: scf.if
// CHECK: scf.yield
// CHECK: scf.if
// CHECK-NOT: np.kernel
func.func @search(%a: !np.array<?xf64>, %v: !np.array<?xf64>) -> !np.array<?xf64> {
  %s = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %x = np.load %v : !np.array<?xf64> -> tensor<?xf64>
  %i = np.search %x in %s : tensor<?xf64>, tensor<?xf64> -> tensor<?xi64>
  %f = np.cast %i : tensor<?xi64> -> tensor<?xf64>
  %d = np.ufunc "subtract"(%f, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %r = np.new %d : tensor<?xf64> -> !np.array<?xf64>
  return %r : !np.array<?xf64>
}

// Random bits are computed where they are used: ten products of 32 bits, and no memory but the result's.
// CHECK-LABEL: func @random
// CHECK-COUNT-1: np.alloc
// CHECK-NOT: np.alloc
// CHECK: np.kernel
// CHECK-COUNT-10: arith.muli
// CHECK-NOT: np.kernel
func.func @random(%key: i64, %start: i64, %n: index) -> !np.array<?xf64> {
  %b = np.random_bits %key from %start extents [%n] : tensor<?xui64>
  %f = np.cast %b : tensor<?xui64> -> tensor<?xf64>
  %r = np.new %f : tensor<?xf64> -> !np.array<?xf64>
  return %r : !np.array<?xf64>
}

// Scalars whose reductions go over the same array are found in one kernel; one of another array has its own.
// CHECK-LABEL: func.func @scalars
// CHECK:       np.kernel
// CHECK:         memref.store
// CHECK:         memref.store
// CHECK:       np.kernel
// CHECK:         memref.store
// CHECK:       return
func.func @scalars(%a: !np.array<?xf64>, %b: !np.array<?xf64>) -> (!np.array<f64>, !np.array<f64>, !np.array<f64>)
    attributes {np.general} {
  %v = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %w = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %sum = np.reduce "add" %v axes [0] : tensor<?xf64> -> tensor<f64>
  %x = np.new %sum : tensor<f64> -> !np.array<f64>
  %most = np.reduce "maximum" %v axes [0] : tensor<?xf64> -> tensor<f64>
  %y = np.new %most : tensor<f64> -> !np.array<f64>
  %other = np.reduce "add" %w axes [0] : tensor<?xf64> -> tensor<f64>
  %z = np.new %other : tensor<f64> -> !np.array<f64>
  return %x, %y, %z : !np.array<f64>, !np.array<f64>, !np.array<f64>
}

// The sum is in no memory. All of its operands have its extents, so one of them tells.
// CHECK-LABEL: func.func @extent_of_a_sum
// CHECK-SAME:    %{{.*}}: memref<?xf64>, %[[B:.*]]: memref<?xf64>, %{{.*}}: index
// CHECK:       %[[EXTENT:.*]] = memref.dim %[[B]], %{{.*}} : memref<?xf64>
// CHECK:       np.kernel
// CHECK:       return %[[EXTENT]] : index
func.func @extent_of_a_sum(%a: !np.array<?xf64>, %b: !np.array<?xf64>, %n: index, %out: !np.array<?xf64>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = np.view %a offsets[%c0] axes [0] extents[%n] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
  %x = np.load %p : !np.array<?xf64, strided> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %sum = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %root = np.ufunc "sqrt"(%sum) : (tensor<?xf64>) -> tensor<?xf64>
  np.store %root, %out : tensor<?xf64>, !np.array<?xf64>
  %d = np.dim %root, 0 : tensor<?xf64>
  return %d : index
}

// Rows without columns have no elements that could check the positions of their rows: a kernel over the positions does.
// CHECK-LABEL: func.func @rows
// CHECK:       %[[COLUMNS:.*]] = memref.dim %{{.*}}, %c1
// CHECK:       %[[NONE:.*]] = arith.cmpi eq, %[[COLUMNS]]
// CHECK:       np.alternatives "positions without elements" needed %[[NONE]]
// CHECK:         np.kernel (%{{[^,]*}}) =
// CHECK:           np.check_index
// CHECK:       np.kernel
// CHECK:         np.check_index
// CHECK:       return
func.func @rows(%a: !np.array<?x?xf64>, %p: !np.array<?xi64>) -> !np.array<?x?xf64> {
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %k = np.load %p : !np.array<?xi64> -> tensor<?xi64>
  %g = np.gather %x[%k] axes [0] : tensor<?x?xf64>, tensor<?xi64> -> tensor<?x?xf64>
  %r = np.new %g : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %r : !np.array<?x?xf64>
}
