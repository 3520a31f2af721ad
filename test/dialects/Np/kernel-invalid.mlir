// What is no kernel.
// RUN: npcc-opt %s --split-input-file --verify-diagnostics

func.func @nested(%n: index) {
  np.kernel (%i) = (%n) {
    // expected-error@+1 {{'np.kernel' op stands in another kernel}}
    np.kernel (%j) = (%n) {
    }
  }
  return
}

// -----
func.func @no_axis() {
  // expected-error@+1 {{'np.kernel' op has no axis}}
  np.kernel () = () {
  }
  return
}

// -----
func.func @no_steps(%n: index) {
  // expected-error@+1 {{'np.kernel' op is by grid, but holds no steps}}
  np.kernel rows (%i) = (%n) by grid {
  }
  return
}

// -----
func.func @unknown(%n: index) {
  // expected-error@+1 {{unknown kind of kernel 'diagonal'}}
  np.kernel diagonal (%i) = (%n) {
  }
  return
}

// -----
func.func @allocates(%n: index) {
  // expected-error@+1 {{'np.kernel' op holds 'np.alloc', which is for host code}}
  np.kernel (%i) = (%n) {
    %b = np.alloc(%i) : memref<?xf64>
  }
  return
}

// -----
func.func @step(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  np.kernel (%i) = (%n) {
    // expected-error@+1 {{in a kernel has a step that is not 1}}
    scf.parallel (%k) = (%c0) to (%n) step (%c2) {
      scf.reduce
    }
  }
  return
}

// -----
func.func @combines(%x: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    // expected-error@+1 {{combines by something else than one operation on both arguments}}
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %v = memref.load %x[%k] : memref<?xf64>
      scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %a : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %x[%i] : memref<?xf64>
  }
  return
}

// -----
func.func @used(%x: memref<?xi64>, %y: memref<?xi64>, %n: index) {
  %one = arith.constant 1 : i64
  np.kernel (%i) = (%n) {
    // expected-error@+1 {{in a kernel has a result that is used}}
    %old = memref.atomic_rmw addi %one, %x[%i] : (i64, memref<?xi64>) -> i64
    memref.store %old, %y[%i] : memref<?xi64>
  }
  return
}

// -----
func.func @touched(%x: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  np.kernel (%i) = (%n) {
    // expected-error@+1 {{updates an array that its kernel touches otherwise}}
    memref.atomic_rmw addi %one, %x[%c0] : (i64, memref<?xi64>) -> i64
    memref.store %one, %x[%i] : memref<?xi64>
  }
  return
}

// -----

// Parts that meet have no order.
func.func @shared(%p: memref<?xindex>, %w: memref<?xf64>, %out: memref<?xf64>, %n: index) {
  np.kernel (%i) = (%n) {
    %bin = memref.load %p[%i] : memref<?xindex>
    %v = memref.load %w[%i] : memref<?xf64>
    // expected-error@+1 {{sums floats in the order in which iterations come}}
    %old = memref.atomic_rmw addf %v, %out[%bin] : (f64, memref<?xf64>) -> f64
  }
  return
}

// -----

func.func @not_own(%p: memref<?xindex>, %w: memref<?xf64>, %out: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel updates (%part) = (%n) {
    scf.parallel (%k) = (%c0) to (%n) step (%c1) {
      %bin = memref.load %p[%k] : memref<?xindex>
      %v = memref.load %w[%k] : memref<?xf64>
      // expected-error@+1 {{stands in an inner parallel loop of a kernel whose iterations have no arrays of their own for it}}
      %old = memref.atomic_rmw addf %v, %out[%bin, %part] : (f64, memref<?x?xf64>) -> f64
    }
  }
  return
}
