// More kernels for the timings of bench.py (appended to ../emulator/kernels.mlir, whose aliases it uses).
func.func @saxpy(%a: f64, %x: !f1, %y: !f1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : !f1
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : !f1
    %v = memref.load %y[%i] : !f1
    %p = arith.mulf %a, %u : f64
    %s = arith.addf %p, %v : f64
    memref.store %s, %y[%i] : !f1
  }
  return
}
func.func @saxpy2(%a: f64, %x: !f2, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : !f2
  %m = memref.dim %x, %c1 : !f2
  np.kernel (%i, %j) = (%n, %m) {
    %u = memref.load %x[%i, %j] : !f2
    %v = memref.load %y[%i, %j] : !f2
    %p = arith.mulf %a, %u : f64
    %s = arith.addf %p, %v : f64
    memref.store %s, %y[%i, %j] : !f2
  }
  return
}
func.func @saxpy32(%a: f64, %x: memref<?xf32>, %y: memref<?xf32>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a32 = arith.truncf %a : f64 to f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf32>
    %v = memref.load %y[%i] : memref<?xf32>
    %p = arith.mulf %a32, %u : f32
    %s = arith.addf %p, %v : f32
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}
func.func @blackscholes(%s: !f1, %k: !f1, %t: !f1, %call: !f1, %put: !f1, %r: f64, %v: f64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %w = arith.constant 0.70710678118654752 : f64
  %n = memref.dim %s, %c0 : !f1
  %vv = arith.mulf %v, %v : f64
  %vh = arith.mulf %vv, %half : f64
  %rv = arith.addf %r, %vh : f64
  %nr = arith.negf %r : f64
  np.kernel (%i) = (%n) {
    %S = memref.load %s[%i] : !f1
    %K = memref.load %k[%i] : !f1
    %T = memref.load %t[%i] : !f1
    %q = arith.divf %S, %K : f64
    %lg = math.log %q : f64
    %rt = arith.mulf %rv, %T : f64
    %nu = arith.addf %lg, %rt : f64
    %sq = math.sqrt %T : f64
    %vs = arith.mulf %v, %sq : f64
    %d1 = arith.divf %nu, %vs : f64
    %d2 = arith.subf %d1, %vs : f64
    %x1 = arith.mulf %d1, %w : f64
    %e1 = math.erf %x1 : f64
    %f1 = arith.addf %e1, %one : f64
    %n1 = arith.mulf %f1, %half : f64
    %x2 = arith.mulf %d2, %w : f64
    %e2 = math.erf %x2 : f64
    %f2 = arith.addf %e2, %one : f64
    %n2 = arith.mulf %f2, %half : f64
    %mr = arith.mulf %nr, %T : f64
    %ex = math.exp %mr : f64
    %ke = arith.mulf %K, %ex : f64
    %kn = arith.mulf %ke, %n2 : f64
    %sn = arith.mulf %S, %n1 : f64
    %c = arith.subf %sn, %kn : f64
    memref.store %c, %call[%i] : !f1
    %p0 = arith.subf %c, %S : f64
    %p = arith.addf %p0, %ke : f64
    memref.store %p, %put[%i] : !f1
  }
  return
}
func.func @heat32(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 0.2 : f32
  %n0 = memref.dim %x, %c0 : memref<?x?xf32>
  %m0 = memref.dim %x, %c1 : memref<?x?xf32>
  %n = arith.subi %n0, %c2 : index
  %m = arith.subi %m0, %c2 : index
  np.kernel (%i, %j) = (%n, %m) {
    %i1 = arith.addi %i, %c1 : index
    %i2 = arith.addi %i, %c2 : index
    %j1 = arith.addi %j, %c1 : index
    %j2 = arith.addi %j, %c2 : index
    %u = memref.load %x[%i1, %j1] : memref<?x?xf32>
    %l = memref.load %x[%i1, %j] : memref<?x?xf32>
    %r = memref.load %x[%i1, %j2] : memref<?x?xf32>
    %t = memref.load %x[%i, %j1] : memref<?x?xf32>
    %b = memref.load %x[%i2, %j1] : memref<?x?xf32>
    %s0 = arith.addf %u, %l : f32
    %s1 = arith.addf %s0, %r : f32
    %s2 = arith.addf %s1, %t : f32
    %s3 = arith.addf %s2, %b : f32
    %s4 = arith.mulf %s3, %f : f32
    memref.store %s4, %y[%i1, %j1] : memref<?x?xf32>
  }
  return
}
func.func @dot(%x: !f1, %y: !f1, %out: memref<f64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f1
  %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
    %u = memref.load %x[%k] : !f1
    %v = memref.load %y[%k] : !f1
    %p = arith.mulf %u, %v : f64
    scf.reduce(%p : f64) { ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      scf.reduce.return %t : f64 }
  }
  memref.store %s, %out[] : memref<f64>
  return
}
