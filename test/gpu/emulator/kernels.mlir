// One kernel of each kind in the loop form. Run against NumPy by run.py.
!f1 = memref<?xf64>
!f2 = memref<?x?xf64>
!f3 = memref<?x?x?xf64>
!s1 = memref<?xf64, strided<[?], offset: ?>>
!s2 = memref<?x?xf64, strided<[?, ?], offset: ?>>

func.func @strided2(%x: !s2, %y: !s2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : !s2
  %m = memref.dim %y, %c1 : !s2
  np.kernel (%i, %j) = (%n, %m) {
    %u = memref.load %x[%i, %j] : !s2
    %v = arith.addf %u, %u : f64
    memref.store %v, %y[%i, %j] : !s2
  }
  return
}
// y[2 + 3 i] = x[i] for a slice with a step that only the host knows.
func.func @step(%x: !f1, %y: !f1, %start: i64, %step: i64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : !f1
  %s0 = arith.index_cast %start : i64 to index
  %s1 = arith.index_cast %step : i64 to index
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : !f1
    %p = arith.muli %i, %s1 : index
    %q = arith.addi %p, %s0 : index
    memref.store %u, %y[%q] : !f1
  }
  return
}
func.func @map3(%x: !f3, %y: memref<?x?x?xf32>, %b: memref<?x?x?xi8>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f64
  %n = memref.dim %x, %c0 : !f3
  %m = memref.dim %x, %c1 : !f3
  %l = memref.dim %x, %c2 : !f3
  np.kernel (%i, %j, %k) = (%n, %m, %l) {
    %u = memref.load %x[%i, %j, %k] : !f3
    %v = arith.truncf %u : f64 to f32
    memref.store %v, %y[%i, %j, %k] : memref<?x?x?xf32>
    %g = arith.cmpf ogt, %u, %half : f64
    %e = arith.extui %g : i1 to i8
    memref.store %e, %b[%i, %j, %k] : memref<?x?x?xi8>
  }
  return
}
func.func @bytes(%x: memref<?xi8>, %y: memref<?xi8>, %z: memref<?xi8>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xi8>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xi8>
    %v = memref.load %y[%i] : memref<?xi8>
    %w = arith.xori %u, %v : i8
    memref.store %w, %z[%i] : memref<?xi8>
  }
  return
}
func.func @complex(%x: memref<?xcomplex<f64>>, %y: memref<?xcomplex<f32>>, %z: memref<?xcomplex<f64>>, %w: memref<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xcomplex<f64>>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xcomplex<f64>>
    %v = memref.load %y[%i] : memref<?xcomplex<f32>>
    %re = complex.re %v : complex<f32>
    %im = complex.im %v : complex<f32>
    %re64 = arith.extf %re : f32 to f64
    %im64 = arith.extf %im : f32 to f64
    %v64 = complex.create %re64, %im64 : complex<f64>
    %q = complex.mul %u, %v64 : complex<f64>
    %d = complex.div %q, %u : complex<f64>
    memref.store %d, %z[%i] : memref<?xcomplex<f64>>
    %a = complex.abs %u : complex<f64>
    memref.store %a, %w[%i] : memref<?xf64>
  }
  return
}
// y = a * row + column
func.func @broadcast(%a: !f2, %r: !f1, %c: !f1, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : !f2
  %m = memref.dim %a, %c1 : !f2
  np.kernel (%i, %j) = (%n, %m) {
    %u = memref.load %a[%i, %j] : !f2
    %v = memref.load %r[%j] : !f1
    %w = memref.load %c[%i] : !f1
    %p = arith.mulf %u, %v : f64
    %q = arith.addf %p, %w : f64
    memref.store %q, %y[%i, %j] : !f2
  }
  return
}
// y[1:-1, 1:-1] = 0.2 * (the five points)
func.func @heat(%x: !f2, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 0.2 : f64
  %n0 = memref.dim %x, %c0 : !f2
  %m0 = memref.dim %x, %c1 : !f2
  %n = arith.subi %n0, %c2 : index
  %m = arith.subi %m0, %c2 : index
  np.kernel (%i, %j) = (%n, %m) {
    %i1 = arith.addi %i, %c1 : index
    %i2 = arith.addi %i, %c2 : index
    %j1 = arith.addi %j, %c1 : index
    %j2 = arith.addi %j, %c2 : index
    %u = memref.load %x[%i1, %j1] : !f2
    %l = memref.load %x[%i1, %j] : !f2
    %r = memref.load %x[%i1, %j2] : !f2
    %t = memref.load %x[%i, %j1] : !f2
    %b = memref.load %x[%i2, %j1] : !f2
    %s0 = arith.addf %u, %l : f64
    %s1 = arith.addf %s0, %r : f64
    %s2 = arith.addf %s1, %t : f64
    %s3 = arith.addf %s2, %b : f64
    %s4 = arith.mulf %s3, %f : f64
    memref.store %s4, %y[%i1, %j1] : !f2
  }
  return
}
func.func @heat3(%x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n0 = memref.dim %x, %c0 : memref<?x?x?xf32>
  %m0 = memref.dim %x, %c1 : memref<?x?x?xf32>
  %l0 = memref.dim %x, %c2 : memref<?x?x?xf32>
  %n = arith.subi %n0, %c2 : index
  %m = arith.subi %m0, %c2 : index
  %l = arith.subi %l0, %c2 : index
  np.kernel (%i, %j, %k) = (%n, %m, %l) {
    %i1 = arith.addi %i, %c1 : index
    %i2 = arith.addi %i, %c2 : index
    %j1 = arith.addi %j, %c1 : index
    %j2 = arith.addi %j, %c2 : index
    %k1 = arith.addi %k, %c1 : index
    %k2 = arith.addi %k, %c2 : index
    %a = memref.load %x[%i, %j1, %k1] : memref<?x?x?xf32>
    %b = memref.load %x[%i2, %j1, %k1] : memref<?x?x?xf32>
    %c = memref.load %x[%i1, %j, %k1] : memref<?x?x?xf32>
    %d = memref.load %x[%i1, %j2, %k1] : memref<?x?x?xf32>
    %e = memref.load %x[%i1, %j1, %k] : memref<?x?x?xf32>
    %f = memref.load %x[%i1, %j1, %k2] : memref<?x?x?xf32>
    %s0 = arith.addf %a, %b : f32
    %s1 = arith.addf %s0, %c : f32
    %s2 = arith.addf %s1, %d : f32
    %s3 = arith.addf %s2, %e : f32
    %s4 = arith.addf %s3, %f : f32
    memref.store %s4, %y[%i1, %j1, %k1] : memref<?x?x?xf32>
  }
  return
}
func.func @transpose(%x: !f2, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : !f2
  %m = memref.dim %y, %c1 : !f2
  np.kernel (%i, %j) = (%n, %m) {
    %u = memref.load %x[%j, %i] : !f2
    memref.store %u, %y[%i, %j] : !f2
  }
  return
}
// a + a.T in batches
func.func @symmetric(%x: !f3, %y: !f3) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = memref.dim %y, %c0 : !f3
  %n = memref.dim %y, %c1 : !f3
  %m = memref.dim %y, %c2 : !f3
  np.kernel (%p, %i, %j) = (%b, %n, %m) {
    %u = memref.load %x[%p, %j, %i] : !f3
    %v = memref.load %x[%p, %i, %j] : !f3
    %w = arith.addf %u, %v : f64
    memref.store %w, %y[%p, %i, %j] : !f3
  }
  return
}
func.func @rownorm(%x: !f3, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f3
  %m = memref.dim %x, %c1 : !f3
  %l = memref.dim %x, %c2 : !f3
  np.kernel (%i, %j) = (%n, %m) {
    %s = scf.parallel (%k) = (%c0) to (%l) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %j, %k] : !f3
      %v = arith.mulf %u, %u : f64
      scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %r = math.sqrt %s : f64
    memref.store %r, %y[%i, %j] : !f2
  }
  return
}
func.func @softmax(%x: !f2, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %low = arith.constant 0xFFF0000000000000 : f64
  %n = memref.dim %x, %c0 : !f2
  %m = memref.dim %x, %c1 : !f2
  np.kernel (%i) = (%n) {
    %h = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%low) -> f64 {
      %u = memref.load %x[%i, %k] : !f2
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.maximumf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : !f2
      %d = arith.subf %u, %h : f64
      %e = math.exp %d : f64
      memref.store %e, %y[%i, %k] : !f2
      scf.reduce(%e : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    scf.parallel (%k) = (%c0) to (%m) step (%c1) {
      %e = memref.load %y[%i, %k] : !f2
      %q = arith.divf %e, %s : f64
      memref.store %q, %y[%i, %k] : !f2
      scf.reduce
    }
  }
  return
}
// Two results of one walk: the largest and whether any is above; of f32 rows.
func.func @rowmaxany(%x: memref<?x?xf32>, %y: memref<?xf32>, %b: memref<?xi8>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %low = arith.constant 0xFF800000 : f32
  %limit = arith.constant 0.99 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  np.kernel (%i) = (%n) {
    %h:2 = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%low, %no) -> (f32, i1) {
      %u = memref.load %x[%i, %k] : memref<?x?xf32>
      %g = arith.cmpf ogt, %u, %limit : f32
      scf.reduce(%u, %g : f32, i1) { ^bb0(%p: f32, %q: f32):
        %t = arith.maximumf %p, %q : f32
        scf.reduce.return %t : f32
      }, { ^bb0(%p: i1, %q: i1):
        %t = arith.ori %p, %q : i1
        scf.reduce.return %t : i1 }
    }
    memref.store %h#0, %y[%i] : memref<?xf32>
    %e = arith.extui %h#1 : i1 to i8
    memref.store %e, %b[%i] : memref<?xi8>
  }
  return
}
func.func @rowsumcomplex(%x: memref<?x?xcomplex<f64>>, %y: memref<?xcomplex<f64>>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = complex.constant [0.0, 0.0] : complex<f64>
  %n = memref.dim %x, %c0 : memref<?x?xcomplex<f64>>
  %m = memref.dim %x, %c1 : memref<?x?xcomplex<f64>>
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> complex<f64> {
      %u = memref.load %x[%i, %k] : memref<?x?xcomplex<f64>>
      scf.reduce(%u : complex<f64>) { ^bb0(%a: complex<f64>, %b: complex<f64>):
        %t = complex.add %a, %b : complex<f64>
        scf.reduce.return %t : complex<f64> }
    }
    memref.store %s, %y[%i] : memref<?xcomplex<f64>>
  }
  return
}
// sum over the last two axes of three
func.func @sum12(%x: !f3, %y: !f1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f3
  %m = memref.dim %x, %c1 : !f3
  %l = memref.dim %x, %c2 : !f3
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%j, %k) = (%c0, %c0) to (%m, %l) step (%c1, %c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %j, %k] : !f3
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : !f1
  }
  return
}
// mean over the first two axes of three
func.func @mean01(%x: !f3, %y: !f1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f3
  %m = memref.dim %x, %c1 : !f3
  %l = memref.dim %x, %c2 : !f3
  %nm = arith.muli %n, %m : index
  %c = arith.index_cast %nm : index to i64
  %cf = arith.sitofp %c : i64 to f64
  np.kernel (%k) = (%l) {
    %s = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %j, %k] : !f3
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %r = arith.divf %s, %cf : f64
    memref.store %r, %y[%k] : !f1
  }
  return
}
func.func @sum0(%x: memref<?x?xf32>, %y: memref<?xf32>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  np.kernel (%j) = (%m) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f32 {
      %u = memref.load %x[%i, %j] : memref<?x?xf32>
      scf.reduce(%u : f32) { ^bb0(%a: f32, %b: f32):
        %t = arith.addf %a, %b : f32
        scf.reduce.return %t : f32 }
    }
    memref.store %s, %y[%j] : memref<?xf32>
  }
  return
}
func.func @sumall(%x: !s2, %y: memref<f64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !s2
  %m = memref.dim %x, %c1 : !s2
  %s = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%z) -> f64 {
    %u = memref.load %x[%i, %j] : !s2
    scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      scf.reduce.return %t : f64 }
  }
  memref.store %s, %y[] : memref<f64>
  return
}
// (x - mean) / deviation of a whole array: two reductions and a walk
func.func @standardize(%x: !f2, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f2
  %m = memref.dim %x, %c1 : !f2
  %nm = arith.muli %n, %m : index
  %c = arith.index_cast %nm : index to i64
  %cf = arith.sitofp %c : i64 to f64
  np.kernel (%o) = (%c1) {
    %s = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %j] : !f2
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %mean = arith.divf %s, %cf : f64
    %v = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %j] : !f2
      %d = arith.subf %u, %mean : f64
      %q = arith.mulf %d, %d : f64
      scf.reduce(%q : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %var = arith.divf %v, %cf : f64
    %dev = math.sqrt %var : f64
    scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
      %u = memref.load %x[%i, %j] : !f2
      %d = arith.subf %u, %mean : f64
      %q = arith.divf %d, %dev : f64
      memref.store %q, %y[%i, %j] : !f2
      scf.reduce
    }
  }
  return
}
// How many steps until |z| > 2: a while in each element.
func.func @escape(%re: !f1, %im: !f1, %n: memref<?xi64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %most = arith.constant 50 : i64
  %z = arith.constant 0.0 : f64
  %four = arith.constant 4.0 : f64
  %two = arith.constant 2.0 : f64
  %e = memref.dim %re, %c0 : !f1
  np.kernel (%i) = (%e) {
    %cr = memref.load %re[%i] : !f1
    %ci = memref.load %im[%i] : !f1
    %r:3 = scf.while (%k = %i0, %a = %z, %b = %z) : (i64, f64, f64) -> (i64, f64, f64) {
      %aa = arith.mulf %a, %a : f64
      %bb = arith.mulf %b, %b : f64
      %s = arith.addf %aa, %bb : f64
      %in = arith.cmpf ole, %s, %four : f64
      %more = arith.cmpi slt, %k, %most : i64
      %go = arith.andi %in, %more : i1
      scf.condition(%go) %k, %a, %b : i64, f64, f64
    } do {
    ^bb0(%k: i64, %a: f64, %b: f64):
      %aa = arith.mulf %a, %a : f64
      %bb = arith.mulf %b, %b : f64
      %d = arith.subf %aa, %bb : f64
      %na = arith.addf %d, %cr : f64
      %ab = arith.mulf %a, %b : f64
      %ab2 = arith.mulf %ab, %two : f64
      %nb = arith.addf %ab2, %ci : f64
      %k1 = arith.addi %k, %i1 : i64
      scf.yield %k1, %na, %nb : i64, f64, f64
    }
    memref.store %r#0, %n[%i] : memref<?xi64>
  }
  return
}
// y[i] = x[index[i]], checked
func.func @gather(%x: !f1, %index: memref<?xi64>, %y: !f1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : !f1
  %size = memref.dim %x, %c0 : !f1
  np.kernel (%i) = (%n) {
    %k = memref.load %index[%i] : memref<?xi64>
    %p = arith.index_cast %k : i64 to index
    %q = np.check_index %p of %size axis 0
    %v = memref.load %x[%q] : !f1
    memref.store %v, %y[%i] : !f1
  }
  return
}
// Rows of different lengths: sum(x[i, :i])
func.func @triangle(%x: !f2, %y: !f1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f2
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%i) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : !f2
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : !f1
  }
  return
}
// A window that slides: y[i] = sum(x[i:i+w])
func.func @window(%x: !f1, %y: !f1, %w64: i64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %y, %c0 : !f1
  %w = arith.index_cast %w64 : i64 to index
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%w) step (%c1) init (%z) -> f64 {
      %p = arith.addi %i, %k : index
      %u = memref.load %x[%p] : !f1
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : !f1
  }
  return
}
// y = cumsum(x), return the last: a loop of host code.
func.func @running(%x: !f1, %y: !f1, %last: memref<f64>) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f1
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %z) -> (f64) {
    %v = memref.load %x[%k] : !f1
    %t = arith.addf %a, %v : f64
    memref.store %t, %y[%k] : !f1
    scf.yield %t : f64
  }
  memref.store %s, %last[] : memref<f64>
  return %s : f64
}
// Images (n, c, h, w) with the mean of each channel taken off.
func.func @channels(%x: memref<?x?x?x?xf64>, %y: memref<?x?x?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?x?x?xf64>
  %c = memref.dim %x, %c1 : memref<?x?x?x?xf64>
  %h = memref.dim %x, %c2 : memref<?x?x?x?xf64>
  %w = memref.dim %x, %c3 : memref<?x?x?x?xf64>
  %nh = arith.muli %n, %h : index
  %nhw = arith.muli %nh, %w : index
  %count = arith.index_cast %nhw : index to i64
  %countf = arith.sitofp %count : i64 to f64
  np.kernel (%q) = (%c) {
    %s = scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%n, %h, %w) step (%c1, %c1, %c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %q, %j, %k] : memref<?x?x?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %mean = arith.divf %s, %countf : f64
    scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%n, %h, %w) step (%c1, %c1, %c1) {
      %u = memref.load %x[%i, %q, %j, %k] : memref<?x?x?x?xf64>
      %d = arith.subf %u, %mean : f64
      memref.store %d, %y[%i, %q, %j, %k] : memref<?x?x?x?xf64>
      scf.reduce
    }
  }
  return
}
// a[j] /= a[k]; x *= 1 / a[j]: host code between elements and a kernel.
func.func @pivot(%x: !f1, %a: !f1, %j64: i64, %k64: i64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %j = arith.index_cast %j64 : i64 to index
  %k = arith.index_cast %k64 : i64 to index
  %n = memref.dim %x, %c0 : !f1
  %u = memref.load %a[%j] : !f1
  %v = memref.load %a[%k] : !f1
  %w = arith.divf %u, %v : f64
  memref.store %w, %a[%j] : !f1
  %p = memref.load %a[%j] : !f1
  %q = arith.divf %one, %p : f64
  np.kernel (%i) = (%n) {
    %e = memref.load %x[%i] : !f1
    %r = arith.mulf %e, %q : f64
    memref.store %r, %x[%i] : !f1
  }
  return
}
// y = a + b where a may be broadcast along either axis: the host sees its extents.
func.func @maybe(%a: !f2, %b: !f2, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %b, %c0 : !f2
  %m = memref.dim %b, %c1 : !f2
  %an = memref.dim %a, %c0 : !f2
  %am = memref.dim %a, %c1 : !f2
  %bn = arith.cmpi eq, %an, %c1 : index
  %bm = arith.cmpi eq, %am, %c1 : index
  np.kernel (%i, %j) = (%n, %m) {
    %si = arith.select %bn, %c0, %i : index
    %sj = arith.select %bm, %c0, %j : index
    %u = memref.load %a[%si, %sj] : !f2
    %v = memref.load %b[%i, %j] : !f2
    %w = arith.addf %u, %v : f64
    memref.store %w, %y[%i, %j] : !f2
  }
  return
}
// np.gradient along both axes, added: one-sided at the borders.
func.func @gradient(%x: !f2, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %n = memref.dim %x, %c0 : !f2
  %m = memref.dim %x, %c1 : !f2
  %n1 = arith.subi %n, %c1 : index
  %m1 = arith.subi %m, %c1 : index
  %n2 = arith.subi %n, %c2 : index
  %m2 = arith.subi %m, %c2 : index
  np.kernel (%i, %j) = (%n, %m) {
    %jd = arith.subi %j, %m1 : index
    %jlast = arith.cmpi eq, %jd, %c0 : index
    %jb = arith.subi %j, %c1 : index
    %ja = arith.addi %j, %c1 : index
    %gx = scf.if %jlast -> (f64) {
      %a = memref.load %x[%i, %m1] : !f2
      %b = memref.load %x[%i, %m2] : !f2
      %d = arith.subf %a, %b : f64
      scf.yield %d : f64
    } else {
      %jfirst = arith.cmpi eq, %j, %c0 : index
      %g = scf.if %jfirst -> (f64) {
        %a = memref.load %x[%i, %c1] : !f2
        %b = memref.load %x[%i, %c0] : !f2
        %d = arith.subf %a, %b : f64
        scf.yield %d : f64
      } else {
        %jin = arith.cmpi ult, %jb, %m2 : index
        %h = scf.if %jin -> (f64) {
          %a = memref.load %x[%i, %ja] : !f2
          %b = memref.load %x[%i, %jb] : !f2
          %d = arith.subf %a, %b : f64
          %e = arith.divf %d, %two : f64
          scf.yield %e : f64
        } else {
          scf.yield %z : f64
        }
        scf.yield %h : f64
      }
      scf.yield %g : f64
    }
    %id = arith.subi %i, %n1 : index
    %ilast = arith.cmpi eq, %id, %c0 : index
    %ib = arith.subi %i, %c1 : index
    %ia = arith.addi %i, %c1 : index
    %gy = scf.if %ilast -> (f64) {
      %a = memref.load %x[%n1, %j] : !f2
      %b = memref.load %x[%n2, %j] : !f2
      %d = arith.subf %a, %b : f64
      scf.yield %d : f64
    } else {
      %ifirst = arith.cmpi eq, %i, %c0 : index
      %g = scf.if %ifirst -> (f64) {
        %a = memref.load %x[%c1, %j] : !f2
        %b = memref.load %x[%c0, %j] : !f2
        %d = arith.subf %a, %b : f64
        scf.yield %d : f64
      } else {
        %a = memref.load %x[%ia, %j] : !f2
        %b = memref.load %x[%ib, %j] : !f2
        %d = arith.subf %a, %b : f64
        %e = arith.divf %d, %two : f64
        scf.yield %e : f64
      }
      scf.yield %g : f64
    }
    %s = arith.addf %gx, %gy : f64
    memref.store %s, %y[%i, %j] : !f2
  }
  return
}
func.func @csin(%x: memref<?xcomplex<f64>>, %y: memref<?xcomplex<f64>>, %z: memref<?xcomplex<f64>>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xcomplex<f64>>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xcomplex<f64>>
    %v = complex.sin %u : complex<f64>
    %w = complex.cos %u : complex<f64>
    memref.store %v, %y[%i] : memref<?xcomplex<f64>>
    memref.store %w, %z[%i] : memref<?xcomplex<f64>>
  }
  return
}
func.func @special(%x: !f1, %y: !f1, %z: memref<?xi64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : !f1
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : !f1
    %v = math.trunc %u : f64
    %w = math.cbrt %v : f64
    %t = math.erfc %w : f64
    memref.store %t, %y[%i] : !f1
    %k = arith.fptosi %v : f64 to i64
    %a = math.absi %k : i64
    memref.store %a, %z[%i] : memref<?xi64>
  }
  return
}
// The row's sum is stored and read again by the walk.
func.func @share(%x: !f2, %s: !f1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f2
  %m = memref.dim %x, %c1 : !f2
  np.kernel (%i) = (%n) {
    %t = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : !f2
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %v = arith.addf %a, %b : f64
        scf.reduce.return %v : f64 }
    }
    memref.store %t, %s[%i] : !f1
    scf.parallel (%k) = (%c0) to (%m) step (%c1) {
      %u = memref.load %x[%i, %k] : !f2
      %v = memref.load %s[%i] : !f1
      %w = arith.divf %u, %v : f64
      memref.store %w, %x[%i, %k] : !f2
      scf.reduce
    }
  }
  return
}

// Running totals: along rows, over one long line, across rows, of integers in an array of its own, with an epilogue, of complex numbers.
func.func @cumsum(%x: !f2, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %n = memref.dim %x, %c0 : !f2
  %m = memref.dim %x, %c1 : !f2
  np.kernel (%i) = (%n) {
    np.fold any neutral %m init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%i, %k] : !f2
      %v = arith.addf %u, %half : f64
      np.yield %v : f64
    } combine {
    ^bb0(%t: f64, %v: f64):
      %s = arith.addf %t, %v : f64
      np.yield %s : f64
    } each {
    ^bb0(%k: index, %s: f64):
      %d = arith.mulf %s, %half : f64
      memref.store %d, %y[%i, %k] : !f2
      np.yield
    } : f64
  }
  return
}
func.func @cumsum_columns(%x: !f2, %y: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f2
  %m = memref.dim %x, %c1 : !f2
  np.kernel (%i) = (%m) {
    np.fold any neutral %n init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%k, %i] : !f2
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %s = arith.addf %t, %u : f64
      np.yield %s : f64
    } each {
    ^bb0(%k: index, %s: f64):
      memref.store %s, %y[%k, %i] : !f2
      np.yield
    } : f64
  }
  return
}
func.func @cumsum_line(%x: memref<?xi64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %n = memref.dim %x, %c0 : memref<?xi64>
  np.kernel (%i) = (%c1) {
    np.fold any neutral %n init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%k] : memref<?xi64>
      np.yield %u : i64
    } combine {
    ^bb0(%t: i64, %u: i64):
      %s = arith.addi %t, %u : i64
      np.yield %s : i64
    } each {
    ^bb0(%k: index, %s: i64):
      memref.store %s, %x[%k] : memref<?xi64>
      np.yield
    } : i64
  }
  return
}
// Not marked: floats are added in order; integers may be grouped from any start.
func.func @maximum_so_far(%x: memref<?x?xi16>, %y: memref<?x?xi16>, %start: i16) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xi16>
  %m = memref.dim %x, %c1 : memref<?x?xi16>
  np.kernel (%i) = (%n) {
    np.fold any %m init(%start) {
    ^bb0(%k: index):
      %u = memref.load %x[%i, %k] : memref<?x?xi16>
      np.yield %u : i16
    } combine {
    ^bb0(%t: i16, %u: i16):
      %s = arith.maxsi %t, %u : i16
      np.yield %s : i16
    } each {
    ^bb0(%k: index, %s: i16):
      memref.store %s, %y[%i, %k] : memref<?x?xi16>
      np.yield
    } : i16
  }
  return
}
func.func @cumprod_complex(%x: memref<?x?xcomplex<f64>>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = complex.constant [1.0, 0.0] : complex<f64>
  %n = memref.dim %x, %c0 : memref<?x?xcomplex<f64>>
  %m = memref.dim %x, %c1 : memref<?x?xcomplex<f64>>
  np.kernel (%i) = (%n) {
    np.fold any neutral %m init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%i, %k] : memref<?x?xcomplex<f64>>
      np.yield %u : complex<f64>
    } combine {
    ^bb0(%t: complex<f64>, %u: complex<f64>):
      %s = complex.mul %t, %u : complex<f64>
      np.yield %s : complex<f64>
    } each {
    ^bb0(%k: index, %s: complex<f64>):
      memref.store %s, %x[%i, %k] : memref<?x?xcomplex<f64>>
      np.yield
    } : complex<f64>
  }
  return
}
// A walk that writes and reduces at once.
func.func @exponentials(%x: !f2, %y: !f2, %s: !f1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f2
  %m = memref.dim %x, %c1 : !f2
  np.kernel (%i) = (%n) {
    %sum = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : !f2
      %v = arith.addf %u, %u : f64
      memref.store %v, %y[%i, %k] : !f2
      scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    scf.parallel (%k) = (%c0) to (%m) step (%c1) {
      %u = memref.load %y[%i, %k] : !f2
      %v = arith.divf %u, %sum : f64
      memref.store %v, %y[%i, %k] : !f2
      scf.reduce
    }
    memref.store %sum, %s[%i] : !f1
  }
  return
}
// The host reads a total for the next kernel and gives its memory back: the kernel reads the total itself.
func.func @fraction(%x: !f1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f1
  %total = np.alloc() : memref<f64>
  np.kernel (%i) = (%c1) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k] : !f1
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %total[] : memref<f64>
  }
  %s = memref.load %total[] : memref<f64>
  np.release %total : memref<f64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : !f1
    %v = arith.divf %u, %s : f64
    memref.store %v, %x[%i] : !f1
  }
  return
}
// A loop of the host over small kernels, run by one block: each step reads what the others wrote, a check ends it.
func.func @steps(%x: !f1, %y: !f1, %last: i64) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : !f1
  %end = arith.index_cast %last : i64 to index
  scf.for %k = %c0 to %end step %c1 {
    %p = np.check_index %k of %n axis 0
    %copy = np.alloc(%n) : !f1
    np.kernel (%i) = (%n) {
      %u = memref.load %x[%i] : !f1
      memref.store %u, %copy[%i] : !f1
    }
    np.kernel (%u) = (%c1) {
      %s = scf.parallel (%j) = (%c0) to (%k) step (%c1) init (%z) -> f64 {
        %u1 = memref.load %copy[%j] : !f1
        scf.reduce(%u1 : f64) { ^bb0(%a: f64, %b: f64):
          %t = arith.addf %a, %b : f64
          scf.reduce.return %t : f64 }
      }
      %old = memref.load %x[%p] : !f1
      %new = arith.addf %old, %s : f64
      memref.store %new, %x[%p] : !f1
    }
    np.kernel (%i) = (%n) {
      %v = memref.load %x[%p] : !f1
      %w = memref.load %y[%i] : !f1
      %r = arith.addf %v, %w : f64
      memref.store %r, %y[%i] : !f1
    }
    np.release %copy : !f1
  }
  return
}
// Updates that meet: sums of few bins in shared memory, of many in global memory.
func.func @tally(%bin: memref<?xi64>, %value: memref<?xi64>, %out: memref<?xi64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %bin, %c0 : memref<?xi64>
  np.kernel (%i) = (%n) {
    %p = memref.load %bin[%i] : memref<?xi64>
    %b = arith.index_cast %p : i64 to index
    %v = memref.load %value[%i] : memref<?xi64>
    %old = memref.atomic_rmw addi %v, %out[%b] : (i64, memref<?xi64>) -> i64
  }
  return
}
// In two axes, of small integers, in some iterations only.
func.func @tally2(%bin: memref<?x?xi32>, %out: memref<?x3xi16>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i16
  %n = memref.dim %bin, %c0 : memref<?x?xi32>
  %m = memref.dim %bin, %c1 : memref<?x?xi32>
  np.kernel (%i, %j) = (%n, %m) {
    %p = memref.load %bin[%i, %j] : memref<?x?xi32>
    %b = arith.index_cast %p : i32 to index
    %some = arith.cmpi sge, %p, %z : i32
    scf.if %some {
      %old = memref.atomic_rmw addi %one, %out[%b, %c1] : (i16, memref<?x3xi16>) -> i16
    }
  }
  return
}
func.func @greatest(%bin: memref<?xi64>, %value: memref<?xi64>, %out: memref<?xi64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %bin, %c0 : memref<?xi64>
  np.kernel (%i) = (%n) {
    %p = memref.load %bin[%i] : memref<?xi64>
    %b = arith.index_cast %p : i64 to index
    %v = memref.load %value[%i] : memref<?xi64>
    %old = memref.atomic_rmw maxs %v, %out[%b] : (i64, memref<?xi64>) -> i64
  }
  return
}
// Where the order shows: sums of floats, the last of the values, in two axes of what is stored to.
func.func @weigh(%bin: memref<?xi64>, %value: !f1, %out: !f1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %bin, %c0 : memref<?xi64>
  %m = memref.dim %out, %c0 : !f1
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %bin[%i] : memref<?xi64>
    %b = arith.index_cast %p : i64 to index
    %q = np.check_index %b of %m axis 0
    %old = memref.load %out[%q] : !f1
    %v = memref.load %value[%i] : !f1
    %new = arith.subf %old, %v : f64
    memref.store %new, %out[%q] : !f1
  }
  return
}
func.func @put(%row: memref<?xi64>, %value: !f2, %out: !f2) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %value, %c0 : !f2
  %m = memref.dim %value, %c1 : !f2
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %p = memref.load %row[%i] : memref<?xi64>
      %b = arith.index_cast %p : i64 to index
      %v = memref.load %value[%i, %j] : !f2
      memref.store %v, %out[%b, %j] : !f2
    }
  }
  return
}
