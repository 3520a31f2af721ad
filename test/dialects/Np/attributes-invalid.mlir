// RUN: npcc-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op has an attribute 'np.misspelt' that dialects/Np/Attributes.def has no row for}}
func.func @f() attributes {np.misspelt} {
  return
}

// -----

func.func @f(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' op has an attribute 'np.general' of func.func llvm.func}}
  scf.for %i = %c1 to %n step %c1 {
  } {np.general}
  return
}

// -----

// expected-error @below {{'func.func' op has an attribute 'np.target' that is no StringAttr}}
func.func @f() attributes {np.target = 1 : i64} {
  return
}

// -----

// expected-error @below {{'func.func' op has an attribute 'np.signed' of an argument that dialects/Np/Attributes.def has no row for}}
func.func @f(%n: i64 {np.signed}) {
  return
}

// -----

// expected-error @below {{'func.func' op has an attribute 'np.first' of a result that dialects/Np/Attributes.def has no row for}}
func.func @f(%n: i64) -> (i64 {np.first = array<i64: 1>}) {
  return %n : i64
}

// -----

// An operation of np's own says it by its own attributes.
func.func @f(%x: tensor<?xf64>) -> tensor<f64> {
  // expected-error @below {{'np.reduce' op has an attribute 'np.product' of scf.parallel}}
  %s = np.reduce "add" %x axes [0] {np.product} : tensor<?xf64> -> tensor<f64>
  return %s : tensor<f64>
}

// -----

func.func @f(%n: index, %m: index) -> index {
  // expected-error @below {{'np.broadcast_extent' op has shapes of 2 extents, of which 3 belong to two of them}}
  %e = np.broadcast_extent "ufunc" %n, %m shapes [%n, %m] lhs_rank 1 output_rank 2
  return %e : index
}

// -----

func.func @f(%a: memref<?x?xf64>, %x: memref<?x?xf64>) {
  // expected-error @below {{'np.routine' op has an error and a message, or neither}}
  %failed = np.routine "solve"(%a) to(%x) {error = "LinAlgError"} : (memref<?x?xf64>, memref<?x?xf64>) -> i64
  return
}
