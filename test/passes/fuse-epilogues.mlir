// RUN: npcc-opt %s --npcc-fuse-epilogues --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @layer
// CHECK:         %[[V:.*]] = np.load %arg2
// CHECK:         %[[X:.*]] = np.matmul %arg0, %arg1 bias %[[V]] : tensor<?xf32> activation "relu" : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
// CHECK-NEXT:    return %[[X]]
func.func @layer(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: !np.array<?xf32>, %m: index, %n: index) -> tensor<?x?xf32> attributes {np.target = "cuda"} {
  %zero = arith.constant 0.0 : f32
  %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %v = np.load %bias : !np.array<?xf32> -> tensor<?xf32>
  %w = np.broadcast %v extents [%m, %n] : tensor<?xf32> -> tensor<?x?xf32>
  %s = np.ufunc "add" (%p, %w) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %x = np.ufunc "maximum" (%s, %zero) : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  return %x : tensor<?x?xf32>
}

// A bias with an axis of extent 1: the row without it.
// CHECK-LABEL: func.func @row
// CHECK:         %[[R:.*]] = np.view %arg2 offsets[%{{.*}}, %{{.*}}] axes [1]
// CHECK:         %[[V:.*]] = np.load %[[R]]
// CHECK:         np.matmul %arg0, %arg1 bias %[[V]] : tensor<?xf16>
func.func @row(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %bias: !np.array<1x?xf16>, %m: index, %n: index) -> tensor<?x?xf16> attributes {np.target = "cuda"} {
  %v = np.load %bias : !np.array<1x?xf16> -> tensor<1x?xf16>
  %p = np.matmul %a, %b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  %w = np.broadcast %v extents [%m, %n] : tensor<1x?xf16> -> tensor<?x?xf16>
  %s = np.ufunc "add" (%w, %p) : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf16>
  return %s : tensor<?x?xf16>
}

// CHECK-LABEL: func.func @scaled
// CHECK-DAG:     %[[TWO:.*]] = arith.constant -2.0{{.*}} : f64
// CHECK-DAG:     %[[ALPHA:.*]] = arith.extf %arg3 : f32 to f64
// CHECK-DAG:     %[[C:.*]] = np.load %arg2
// CHECK:         %[[X:.*]] = np.matmul %arg0, %arg1 alpha %[[ALPHA]] addend %[[C]] : tensor<?x?xf32> beta %[[TWO]] {tf32} :
// CHECK-NEXT:    return %[[X]]
func.func @scaled(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: !np.array<?x?xf32>, %alpha: f32) -> tensor<?x?xf32> attributes {np.target = "cuda"} {
  %two = arith.constant 2.0 : f32
  %p = np.matmul %a, %b {tf32} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %q = np.ufunc "multiply" (%alpha, %p) : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = np.load %c : !np.array<?x?xf32> -> tensor<?x?xf32>
  %e = np.ufunc "multiply" (%two, %d) : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = np.ufunc "subtract" (%q, %e) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// c - a @ b; one product is the addend of the other.
// CHECK-LABEL: func.func @subtracted
// CHECK-DAG:     %[[MINUS:.*]] = arith.constant -1.0{{.*}} : f64
// CHECK:         %[[Q:.*]] = np.matmul %arg1, %arg0
// CHECK:         %[[X:.*]] = np.matmul %arg0, %arg1 alpha %[[MINUS]] addend %[[Q]] : tensor<?x?xf32> :
// CHECK-NEXT:    return %[[X]]
func.func @subtracted(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {np.target = "cuda"} {
  %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %q = np.matmul %b, %a : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %s = np.ufunc "subtract" (%q, %p) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// A kernel reads the sum: it reads the addend, too. The factor is the library's.
// CHECK-LABEL: func.func @read_by_a_kernel
// CHECK:         %[[P:.*]] = np.matmul %arg0, %arg1 alpha %{{[0-9a-z_]+}} :
// CHECK:         %[[Z:.*]] = np.ufunc "add"(%[[P]], %{{.*}})
// CHECK-DAG:     np.ufunc "sin"(%[[Z]])
// CHECK-DAG:     np.ufunc "cos"(%[[Z]])
func.func @read_by_a_kernel(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: !np.array<?x?xf32>, %alpha: f32) -> !np.array<?x?xf32> attributes {np.target = "cuda"} {
  %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %q = np.ufunc "multiply" (%alpha, %p) : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = np.load %c : !np.array<?x?xf32> -> tensor<?x?xf32>
  %z = np.ufunc "add" (%q, %d) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = np.ufunc "sin" (%z) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = np.ufunc "cos" (%z) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %u = np.ufunc "add" (%s, %t) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %n = np.new %u : tensor<?x?xf32> -> !np.array<?x?xf32>
  return %n : !np.array<?x?xf32>
}

// Two kernels would read the addend.
// CHECK-LABEL: func.func @read_by_two
// CHECK:         np.matmul %arg0, %arg1 addend
func.func @read_by_two(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: !np.array<?x?xf32>) -> (!np.array<?x?xf32>, !np.array<?x?xf32>) attributes {np.target = "cuda"} {
  %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %d = np.load %c : !np.array<?x?xf32> -> tensor<?x?xf32>
  %z = np.ufunc "add" (%p, %d) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = np.ufunc "sin" (%z) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = np.ufunc "cos" (%z) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = np.new %s : tensor<?x?xf32> -> !np.array<?x?xf32>
  %n = np.new %t : tensor<?x?xf32> -> !np.array<?x?xf32>
  return %m, %n : !np.array<?x?xf32>, !np.array<?x?xf32>
}

// In float64 the library takes longer for an addend than a kernel does, and no longer for a factor. What comes after is a kernel.
// CHECK-LABEL: func.func @wide
// CHECK:         %[[P:.*]] = np.matmul %arg0, %arg1 alpha %arg3 : tensor<?x?xf64>
// CHECK:         np.ufunc "add"(%[[P]], %{{.*}})
func.func @wide(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: !np.array<?x?xf64>, %alpha: f64) -> tensor<?x?xf64> attributes {np.target = "cuda"} {
  %p = np.matmul %a, %b : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  %q = np.ufunc "multiply" (%p, %alpha) : (tensor<?x?xf64>, f64) -> tensor<?x?xf64>
  %d = np.load %c : !np.array<?x?xf64> -> tensor<?x?xf64>
  %s = np.ufunc "add" (%q, %d) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %s : tensor<?x?xf64>
}

// Two readers; an addend that would have to be written first; a number that the host would wait for; an array that changes in between.
// CHECK-LABEL: func.func @left_alone
// CHECK-COUNT-4: np.matmul %arg0, %arg1 {{.*}}: tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
// CHECK-NOT:     np.matmul
func.func @left_alone(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: !np.array<?x?xf32>, %n: tensor<f32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {np.target = "cuda"} {
  %zero = arith.constant 0.0 : f32
  %d = np.load %c : !np.array<?x?xf32> -> tensor<?x?xf32>
  %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %x = np.ufunc "maximum" (%p, %zero) : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %sin = np.ufunc "sin" (%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %q = np.matmul %a, %b {second} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %y = np.ufunc "add" (%q, %sin) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %number = np.item %n : tensor<f32> -> f32
  %r = np.matmul %a, %b {third} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %z = np.ufunc "multiply" (%r, %number) : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %s = np.matmul %a, %b {fourth} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  np.store %y, %c : tensor<?x?xf32>, !np.array<?x?xf32>
  %w = np.ufunc "maximum" (%s, %zero) : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  return %p, %x, %y, %z, %w : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// A bias that is computed: for one row.
// CHECK-LABEL: func.func @computed
// CHECK:         %[[C:.*]] = np.cast %arg2
// CHECK:         np.matmul %arg0, %arg1 bias %[[C]] : tensor<?xf32> :
func.func @computed(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %bias: tensor<?xbf16>, %m: index, %n: index) -> tensor<?x?xf32> attributes {np.target = "cuda"} {
  %p = np.matmul %a, %b : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
  %v = np.cast %bias : tensor<?xbf16> -> tensor<?xf32>
  %w = np.broadcast %v extents [%m, %n] : tensor<?xf32> -> tensor<?x?xf32>
  %s = np.ufunc "add" (%p, %w) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// A view of what was loaded is a view of the array.
// CHECK-LABEL: func.func @view
// CHECK:         %[[V:.*]] = np.view %arg2 offsets[%{{.*}}] axes [0] extents[%arg4]
// CHECK:         %[[L:.*]] = np.load %[[V]]
// CHECK:         np.matmul %arg0, %arg1 bias %[[L]] : tensor<?xf32>
func.func @view(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: !np.array<?xf32>, %m: index, %n: index) -> tensor<?x?xf32> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %v = np.load %bias : !np.array<?xf32> -> tensor<?xf32>
  %u = np.view %v offsets [%c0] axes [0] extents [%n] steps [%c1] : tensor<?xf32> -> tensor<?xf32>
  %w = np.broadcast %u extents [%m, %n] : tensor<?xf32> -> tensor<?x?xf32>
  %s = np.ufunc "add" (%p, %w) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// A host's library adds a product to the array that it is stored to, and nothing else.
// CHECK-LABEL: func.func @added_on_the_host
// CHECK:         %[[C:.*]] = np.load %arg2
// CHECK:         %[[X:.*]] = np.matmul %{{.*}}, %{{.*}} alpha %{{.*}} addend %[[C]]
// CHECK-NEXT:    np.store %[[X]], %arg2
// CHECK:         %[[P:.*]] = np.matmul
// CHECK-NOT:       addend
// CHECK:         np.ufunc "add"
// CHECK:         np.store %{{.*}}, %arg0
func.func @added_on_the_host(%a: !np.array<?x?xf64>, %b: !np.array<?x?xf64>, %c: !np.array<?x?xf64>) {
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %b : !np.array<?x?xf64> -> tensor<?x?xf64>
  %p = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  %z = np.load %c : !np.array<?x?xf64> -> tensor<?x?xf64>
  %s = np.ufunc "subtract" (%z, %p) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  np.store %s, %c : tensor<?x?xf64>, !np.array<?x?xf64>
  %q = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  %t = np.ufunc "add" (%x, %q) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  np.store %t, %a : tensor<?x?xf64>, !np.array<?x?xf64>
  return
}

// The host's loops take what comes after a product with them.
// CHECK-LABEL: func.func @on_the_host
// CHECK:         np.ufunc "maximum"
func.func @on_the_host(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %x = np.ufunc "maximum" (%p, %zero) : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  return %x : tensor<?x?xf32>
}

// Factors of the matrices are the product's, if nothing else reads what they make.
// CHECK-LABEL: func.func @matrices
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.0{{.*}} : f64
// CHECK-DAG:     %[[X:.*]] = arith.mulf {{.*}} : f64
// CHECK:         %[[P:.*]] = np.matmul %arg0, %arg1 alpha %{{.*}} : tensor<?x?xf64>
// CHECK-NEXT:    return %[[P]]
func.func @matrices(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %alpha: f64) -> tensor<?x?xf64> attributes {np.target = "cuda"} {
  %two = arith.constant 2.0 : f64
  %x = np.ufunc "multiply" (%alpha, %a) : (f64, tensor<?x?xf64>) -> tensor<?x?xf64>
  %y = np.ufunc "multiply" (%b, %two) : (tensor<?x?xf64>, f64) -> tensor<?x?xf64>
  %p = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  return %p : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @read_twice
// CHECK:         %[[X:.*]] = np.ufunc "multiply"
// CHECK:         np.matmul %[[X]], %arg1 :
func.func @read_twice(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %alpha: f64) -> (tensor<?x?xf64>, tensor<?x?xf64>) attributes {np.target = "cuda"} {
  %x = np.ufunc "multiply" (%alpha, %a) : (f64, tensor<?x?xf64>) -> tensor<?x?xf64>
  %p = np.matmul %x, %b : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  return %p, %x : tensor<?x?xf64>, tensor<?x?xf64>
}

// A product of a stack with one matrix is one of its rows: the axes come back behind the epilogue, which takes a bias
// along the last axis, and an addend by rows.
// CHECK-LABEL: func.func @stack
// CHECK-DAG:     %[[V:.*]] = np.load %arg2
// CHECK-DAG:     %[[R:.*]] = np.reshape %arg3 extents[%{{.*}}, %{{.*}}] : !np.array<?x?x?xf32> -> !np.array<?x?xf32>
// CHECK-DAG:     %[[C:.*]] = np.load %[[R]]
// CHECK:         %[[P:.*]] = np.matmul %arg0, %arg1 addend %[[C]] : tensor<?x?xf32> bias %[[V]] : tensor<?xf32> activation "relu" :
// CHECK-NEXT:    %[[X:.*]] = np.reshape %[[P]] extents[%arg4, %arg5, %{{.*}}] : tensor<?x?xf32> -> tensor<?x?x?xf32>
// CHECK-NEXT:    return %[[X]]
func.func @stack(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: !np.array<?xf32>, %c: !np.array<?x?x?xf32>, %l: index, %m: index) -> tensor<?x?x?xf32> attributes {np.target = "cuda"} {
  %zero = arith.constant 0.0 : f32
  %n = np.dim %b, 1 : tensor<?x?xf32>
  %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %r = np.reshape %p extents [%l, %m, %n] : tensor<?x?xf32> -> tensor<?x?x?xf32>
  %v = np.load %bias : !np.array<?xf32> -> tensor<?xf32>
  %w = np.broadcast %v extents [%l, %m, %n] : tensor<?xf32> -> tensor<?x?x?xf32>
  %s = np.ufunc "add" (%r, %w) : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %d = np.load %c : !np.array<?x?x?xf32> -> tensor<?x?x?xf32>
  %t = np.ufunc "add" (%d, %s) : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %x = np.ufunc "maximum" (%t, %zero) : (tensor<?x?x?xf32>, f32) -> tensor<?x?x?xf32>
  return %x : tensor<?x?x?xf32>
}

// The columns are cut: an element of the last axis is none of the product's columns. What is stored in other steps than
// rows is no addend.
// CHECK-LABEL: func.func @columns
// CHECK:         np.matmul %arg0, %arg1 :
// CHECK:         np.ufunc "add"
// CHECK:         np.ufunc "add"
func.func @columns(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: !np.array<?xf32>, %c: !np.array<?x?x?xf32, strided>, %l: index, %m: index, %n: index) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) attributes {np.target = "cuda"} {
  %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %r = np.reshape %p extents [%l, %m, %n] : tensor<?x?xf32> -> tensor<?x?x?xf32>
  %v = np.load %bias : !np.array<?xf32> -> tensor<?xf32>
  %w = np.broadcast %v extents [%l, %m, %n] : tensor<?xf32> -> tensor<?x?x?xf32>
  %s = np.ufunc "add" (%r, %w) : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %q = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %u = np.reshape %q extents [%l, %m, %n] : tensor<?x?xf32> -> tensor<?x?x?xf32>
  %d = np.load %c : !np.array<?x?x?xf32, strided> -> tensor<?x?x?xf32>
  %t = np.ufunc "add" (%d, %u) : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %s, %t : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}
