// RUN: npcc-opt %s --pass-pipeline="builtin.module(func.func(npcc-check-ranks{most-axes=2}))" --verify-diagnostics

// What is memory has at most so many axes; a view of too many is refused as an array is.
func.func @axes(%n: index) {
  %a = np.alloc(%n, %n) : memref<?x?xf64>
  // expected-error@+1 {{an array of 3 axes: npcc supports at most 2}}
  %b = np.alloc(%n, %n, %n) : memref<?x?x?xf64>
  return
}
