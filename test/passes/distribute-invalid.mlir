// RUN: npcc-opt %s --npcc-distribute --split-input-file --verify-diagnostics

func.func @reverse(%a: !np.array<?xf64>, %n: index, %last: index) -> !np.array<?xf64> {
  %minus = arith.constant -1 : index
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %d = np.dim %a, 0 : !np.array<?xf64>
  %r = np.view %x offsets [%last] axes [0] extents [%d] steps [%minus] : tensor<?xf64> -> tensor<?xf64>
  // expected-error@+1 {{cannot be distributed over devices: it needs other rows than its own and their neighbours as they are now}}
  %b = np.new %r : tensor<?xf64> -> !np.array<?xf64>
  return %b : !np.array<?xf64>
}
// -----
func.func @scan(%a: !np.array<?xf64>) -> !np.array<?xf64> {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %s = np.scan "add" %x axis 0 : tensor<?xf64> -> tensor<?xf64>
  // expected-error@+1 {{cannot be distributed over devices: it needs other rows}}
  %b = np.new %s : tensor<?xf64> -> !np.array<?xf64>
  return %b : !np.array<?xf64>
}
// -----
// expected-error@+1 {{cannot be distributed: it has no array argument}}
func.func @scalar(%a: f64) {
  return
}
// -----
// A table that is split is on no device as a whole.
func.func @lookup_in_split(%x: !np.array<?xf64>, %i: !np.array<?xi64>) -> !np.array<?xf64> {
  %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
  %w = np.ufunc "square"(%v) : (tensor<?xf64>) -> tensor<?xf64>
  %n = np.new %w : tensor<?xf64> -> !np.array<?xf64>
  %t = np.load %n : !np.array<?xf64> -> tensor<?xf64>
  %p = np.load %i : !np.array<?xi64> -> tensor<?xi64>
  // expected-error@+1 {{cannot be distributed over devices: this operation needs rows of all devices}}
  %g = np.gather %t[%p] axes [0] : tensor<?xf64>, tensor<?xi64> -> tensor<?xf64>
  %r = np.new %g : tensor<?xf64> -> !np.array<?xf64>
  return %r : !np.array<?xf64>
}
