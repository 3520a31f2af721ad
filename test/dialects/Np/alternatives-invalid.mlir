// RUN: npcc-opt %s --verify-diagnostics

func.func @types(%is: i1, %x: f64, %k: i64) -> f64 {
  // expected-error@+1 {{gives what its regions give}}
  %r = np.alternatives "large" %is -> (f64) {
    np.yield %x : f64
  } or {
    np.yield %k : i64
  }
  return %r : f64
}
