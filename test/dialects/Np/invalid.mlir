// RUN: npcc-opt %s --split-input-file --verify-diagnostics

func.func @unknown_function(%x: tensor<?xf64>) {
  // expected-error@+1 {{unknown elementwise function 'frobnicate'}}
  %0 = "np.ufunc"(%x) <{name = "frobnicate"}> : (tensor<?xf64>) -> tensor<?xf64>
  return
}
// -----
func.func @too_few_inputs(%x: tensor<?xf64>) {
  // expected-error@+1 {{'np.ufunc' op 'add' takes 2 inputs, has 1}}
  %0 = np.ufunc "add"(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return
}
// -----
func.func @mixed_types(%x: tensor<?xf64>, %y: tensor<?xf32>) {
  // expected-error@+1 {{'np.ufunc' op input 0 of 'add' has element type 'f64', expected 'f32'}}
  %0 = "np.ufunc"(%x, %y) <{name = "add"}> : (tensor<?xf64>, tensor<?xf32>) -> tensor<?xf32>
  return
}
// -----
func.func @float_only(%x: tensor<?xi64>) {
  // expected-error@+1 {{'np.ufunc' op 'sqrt' does not take 'i64'}}
  %0 = np.ufunc "sqrt"(%x) : (tensor<?xi64>) -> tensor<?xi64>
  return
}
// -----
func.func @store_type(%x: tensor<?xf32>, %a: !np.array<?xf64>) {
  // expected-error@+1 {{'np.store' op stores 'f32' into an array of 'f64'}}
  np.store %x, %a : tensor<?xf32>, !np.array<?xf64>
  return
}
// -----
func.func @axis_of_dim(%a: !np.array<?xf64>) {
  // expected-error@+1 {{'np.dim' op axis 1 is out of bounds for array of dimension 1}}
  %0 = np.dim %a, 1 : !np.array<?xf64>
  return
}
// -----
func.func @reduce_axes(%x: tensor<?x?xf64>) {
  // expected-error@+1 {{'np.reduce' op axes must be ascending and within rank 2}}
  %0 = "np.reduce"(%x) <{kind = "add", axes = array<i64: 1, 0>}> : (tensor<?x?xf64>) -> tensor<f64>
  return
}
// -----
// expected-error@+1 {{element type must be a number, got 'index'}}
func.func @element_type(%a: !np.array<?xindex>) {
  return
}
// -----
func.func @parts_of_reals(%a: !np.array<?xf64>, %n: index) {
  // expected-error@+1 {{'np.part' op 'real' is of complex numbers, not 'f64'}}
  %0 = np.part "real" %a extents [%n] : !np.array<?xf64> -> !np.array<?xf64, strided>
  return
}
// -----
func.func @diagonal_of_a_line(%a: !np.array<?xf64>) {
  // expected-error@+1 {{'np.part' op 'diagonal' of '!np.array<?xf64>' is not '!np.array<f64, strided>'}}
  %0 = np.part "diagonal" %a extents [] : !np.array<?xf64> -> !np.array<f64, strided>
  return
}
// -----
func.func @line_of_two_axes(%a: !np.array<?x?xf64>, %n: index) {
  // expected-error@+1 {{'np.part' op 'line' of '!np.array<?x?xf64>' is not '!np.array<?x?xf64, strided>'}}
  %0 = np.part "line" %a extents [%n, %n] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
  return
}
// -----
func.func @stride_of_no_axis(%a: !np.array<?xf64>) {
  // expected-error@+1 {{'np.stride' op of an axis that the array does not have}}
  %0 = np.stride %a, 1 : !np.array<?xf64>
  return
}
// -----
func.func @unknown_part(%a: !np.array<?xf64>, %n: index) {
  // expected-error@+1 {{'np.part' op unknown kind 'half'}}
  %0 = np.part "half" %a extents [%n] : !np.array<?xf64> -> !np.array<?xf64, strided>
  return
}

// -----

func.func @store_of_an_array_into_windows(%a: !np.array<?xf64>, %value: tensor<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %windows = np.view %a offsets [%c0] axes [0, 0] extents [%n, %c3] steps [%c1, %c1] : !np.array<?xf64> -> !np.array<?x?xf64, strided>
  // expected-error @+1 {{stores an array into a view that names axis 0 twice}}
  np.store %value, %windows : tensor<?x?xf64>, !np.array<?x?xf64, strided>
  return
}

// -----

func.func @unknown_reduction(%x: tensor<?xf64>) {
  // expected-error@+1 {{'np.reduce' op attribute 'kind' failed to satisfy constraint: a reduction}}
  %0 = "np.reduce"(%x) <{kind = "subtract", axes = array<i64: 0>}> : (tensor<?xf64>) -> tensor<f64>
  return
}

// -----

func.func @scan_of_positions(%x: tensor<?xf64>) {
  // expected-error@+1 {{'np.scan' op attribute 'kind' failed to satisfy constraint: an elementwise function that reductions combine by}}
  %0 = "np.scan"(%x) <{kind = "argmax", axis = 0 : i64}> : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @search_of_other_type(%x: tensor<?xf64>, %s: tensor<?xf32>) {
  // expected-error@+1 {{'np.search' op needs one element type}}
  %0 = np.search %x in %s : tensor<?xf64>, tensor<?xf32> -> tensor<?xi64>
  return
}

// -----

func.func @search_in_a_matrix(%x: tensor<?xf64>, %s: tensor<?x?xf64>) {
  // expected-error@+1 {{'np.search' op needs a vector to search in, not rank 2}}
  %0 = np.search %x in %s : tensor<?xf64>, tensor<?x?xf64> -> tensor<?xi64>
  return
}

// -----

func.func @positions_of_other_extents(%x: tensor<?xf64>, %s: tensor<?xf64>) {
  // expected-error@+1 {{'np.search' op gives an i64 for each of the values}}
  %0 = np.search %x in %s : tensor<?xf64>, tensor<?xf64> -> tensor<?xi32>
  return
}

// -----

func.func @signed_bits(%k: i64, %n: index) {
  // expected-error@+1 {{'np.random_bits' op gives ui64}}
  %0 = np.random_bits %k from %k extents [%n] : tensor<?xi64>
  return
}

// -----

func.func @bits_without_an_extent(%k: i64, %n: index) {
  // expected-error@+1 {{'np.random_bits' op needs an extent for each axis}}
  %0 = np.random_bits %k from %k extents [%n] : tensor<?x?xui64>
  return
}
// -----
func.func @addend_of_another_type(%a: tensor<?x?xf32>, %c: tensor<?x?xf64>) {
  // expected-error@+1 {{'np.matmul' op needs an addend of the result's type}}
  %0 = np.matmul %a, %a addend %c : tensor<?x?xf64> : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  return
}
// -----
func.func @beta_of_nothing(%a: tensor<?x?xf32>, %beta: f64) {
  // expected-error@+1 {{'np.matmul' op needs an addend for beta}}
  %0 = np.matmul %a, %a beta %beta activation "relu" : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  return
}
// -----
func.func @bias_of_rows(%a: tensor<?x?xf32>) {
  // expected-error@+1 {{'np.matmul' op needs a vector of the result's element type for bias}}
  %0 = np.matmul %a, %a bias %a : tensor<?x?xf32> : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  return
}
// -----
func.func @epilogue_of_a_stack(%a: tensor<?x?x?xf32>) {
  // expected-error@+1 {{'np.matmul' op has an epilogue only where the result is a matrix of floats}}
  %0 = np.matmul %a, %a activation "relu" : tensor<?x?x?xf32>, tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  return
}
// -----
func.func @unknown_action(%mask: i32) {
  // expected-error@+1 {{attribute 'action' failed to satisfy constraint: a case of ThreadAction}}
  np.thread "shuffle"(%mask) : (i32) -> ()
  return
}
// -----
func.func @values_of_an_action(%mask: i32) {
  // expected-error@+1 {{'np.thread' op "ballot" takes 2 values and gives 1}}
  np.thread "ballot"(%mask) : (i32) -> ()
  return
}
