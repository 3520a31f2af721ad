// What is no fold.
// RUN: npcc-opt %s --split-input-file --verify-diagnostics

func.func @elements(%n: index, %z: f64) {
  // expected-error@+1 {{has a region 'combine' that takes something else than what it is given}}
  %s = np.fold ordered %n init(%z) {
  ^bb0(%k: index):
    np.yield %k : index
  } combine {
  ^bb0(%t: f64, %u: f64):
    np.yield %t : f64
  } each {
  ^bb0(%k: index, %t: f64):
    np.yield
  } : f64
  return
}

// -----
func.func @gives(%n: index, %z: f64) {
  // expected-error@+1 {{has a region 'each' that gives something else than what is taken from it}}
  %s = np.fold ordered %n init(%z) {
  ^bb0(%k: index):
    np.yield
  } combine {
  ^bb0(%t: f64):
    np.yield %t : f64
  } each {
  ^bb0(%k: index, %t: f64):
    np.yield %t : f64
  } : f64
  return
}

// -----
func.func @memory(%n: index, %z: f64, %x: memref<f64>) {
  // expected-error@+1 {{combines by what touches memory or may fail}}
  %s = np.fold ordered %n init(%z) {
  ^bb0(%k: index):
    np.yield
  } combine {
  ^bb0(%t: f64):
    %u = memref.load %x[] : memref<f64>
    %v = arith.addf %t, %u : f64
    np.yield %v : f64
  } each {
  ^bb0(%k: index, %t: f64):
    np.yield
  } : f64
  return
}

// -----
func.func @grouped(%n: index, %z: f64, %x: memref<?xf64>) {
  // expected-error@+1 {{may be grouped in any way, but combines by something else than one operation}}
  %s = np.fold any %n init(%z) {
  ^bb0(%k: index):
    %u = memref.load %x[%k] : memref<?xf64>
    np.yield %u : f64
  } combine {
  ^bb0(%t: f64, %u: f64):
    %v = arith.mulf %t, %z : f64
    %w = arith.addf %v, %u : f64
    np.yield %w : f64
  } each {
  ^bb0(%k: index, %t: f64):
    np.yield
  } : f64
  return
}
