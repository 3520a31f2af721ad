// Stencils of more elements than the device's cache holds: four rows a thread, each row loaded once: six vectors for four rows of two, and the two neighbours at the ends of each.
// REQUIRES: libdevice
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --canonicalize --cse | FileCheck %s
// RUN: npcc-opt %s --npcc-loops-to-launches --npcc-launches-to-images | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: func.func @heat
// CHECK:       gpu.launch
// CHECK:         scf.if
// CHECK-COUNT-6:   llvm.load {{.*}} -> vector<2xf64>
// CHECK-NOT:       -> vector<2xf64>
// CHECK-COUNT-4:   llvm.store {{.*}} : vector<2xf64>
// CHECK:         } else {
// CHECK:       np.class = "tile"

// PTX:         .entry heat_tile_0
// PTX-COUNT-6: ld.global.v2.b64
// PTX-COUNT-4: st.global.v2.b64
func.func @heat(%x: memref<?x?xf64>, %y: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 0.2 : f64
  %n = arith.constant 4094 : index
  np.kernel (%i, %j) = (%n, %n) {
    %i1 = arith.addi %i, %c1 : index
    %i2 = arith.addi %i, %c2 : index
    %j1 = arith.addi %j, %c1 : index
    %j2 = arith.addi %j, %c2 : index
    %u = memref.load %x[%i1, %j1] : memref<?x?xf64>
    %l = memref.load %x[%i1, %j] : memref<?x?xf64>
    %r = memref.load %x[%i1, %j2] : memref<?x?xf64>
    %t = memref.load %x[%i, %j1] : memref<?x?xf64>
    %b = memref.load %x[%i2, %j1] : memref<?x?xf64>
    %s0 = arith.addf %u, %l : f64
    %s1 = arith.addf %s0, %r : f64
    %s2 = arith.addf %s1, %t : f64
    %s3 = arith.addf %s2, %b : f64
    %s4 = arith.mulf %s3, %f : f64
    memref.store %s4, %y[%i1, %j1] : memref<?x?xf64>
  }
  return
}

// A row that is broadcast is loaded once for the rows of a thread, and what is computed from it is computed once.
// CHECK-LABEL: func.func @row
// CHECK:         scf.if
// CHECK:           llvm.load {{.*}} -> vector<2xf64>
// CHECK-COUNT-2:   math.exp
// CHECK-NOT:       math.exp
// CHECK-COUNT-4:   llvm.load {{.*}} -> vector<2xf64>
// CHECK-NOT:       -> vector<2xf64>
// CHECK-COUNT-4:   llvm.store {{.*}} : vector<2xf64>
func.func @row(%x: memref<?x?xf64>, %r: memref<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %v = memref.load %r[%j] : memref<?xf64>
    %e = math.exp %v : f64
    %u = memref.load %x[%i, %j] : memref<?x?xf64>
    %p = arith.mulf %u, %e : f64
    memref.store %p, %x[%i, %j] : memref<?x?xf64>
  }
  return
}

// Inside the borders the tests are gone, and the rows' loads meet: the differences of a column of four rows need six.
// CHECK-LABEL: func.func @difference
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult
// CHECK:         scf.if
// CHECK-COUNT-6:   llvm.load {{.*}} -> vector<2xf64>
// CHECK-NOT:       scf.if
// CHECK-COUNT-4:   llvm.store {{.*}} : vector<2xf64>
// CHECK:         } else {
// CHECK:           scf.if
func.func @difference(%x: memref<?x?xf64>, %y: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f64
  %n = arith.constant 4096 : index
  %n2 = arith.subi %n, %c2 : index
  np.kernel (%i, %j) = (%n, %n) {
    %b = arith.subi %i, %c1 : index
    %a = arith.addi %i, %c1 : index
    %in = arith.cmpi ult, %b, %n2 : index
    %d = scf.if %in -> (f64) {
      %u = memref.load %x[%a, %j] : memref<?x?xf64>
      %v = memref.load %x[%b, %j] : memref<?x?xf64>
      %w = arith.subf %u, %v : f64
      scf.yield %w : f64
    } else {
      scf.yield %z : f64
    }
    memref.store %d, %y[%i, %j] : memref<?x?xf64>
  }
  return
}

// Of few elements a thread has one row: more threads are worth more than fewer loads.
// CHECK-LABEL: func.func @small
// CHECK:         scf.if
// CHECK-COUNT-2:   llvm.load {{.*}} -> vector<2xf64>
// CHECK-NOT:       -> vector<2xf64>
// CHECK:           llvm.store {{.*}} : vector<2xf64>
// CHECK-NOT:       vector<2xf64>
// CHECK:       np.class = "map"
func.func @small(%x: memref<?x?xf64>, %y: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c2 = arith.constant 2 : index
  %n = arith.constant 1024 : index
  np.kernel (%i, %j) = (%n, %n) {
    %a = arith.addi %i, %c2 : index
    %u = memref.load %x[%a, %j] : memref<?x?xf64>
    %v = memref.load %x[%i, %j] : memref<?x?xf64>
    %w = arith.subf %u, %v : f64
    memref.store %w, %y[%i, %j] : memref<?x?xf64>
  }
  return
}

// A row whose position is chosen, or that is loaded for some rows only, is no row that is broadcast.
// CHECK-LABEL: func.func @rolled
// CHECK:         scf.if
// CHECK-COUNT-1:   llvm.store {{.*}} : vector<2xf64>
// CHECK-NOT:       llvm.store {{.*}} : vector<2xf64>
// CHECK:       np.class = "map"
func.func @rolled(%x: memref<?x?xf64>, %y: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 1023 : index
  %n = arith.constant 1024 : index
  np.kernel (%i, %j) = (%n, %n) {
    %isFirst = arith.cmpi eq, %i, %c0 : index
    %before = arith.subi %i, %c1 : index
    %row = arith.select %isFirst, %last, %before : index
    %u = memref.load %x[%row, %j] : memref<?x?xf64>
    %v = memref.load %x[%i, %j] : memref<?x?xf64>
    %d = arith.subf %u, %v : f64
    %w = scf.if %isFirst -> (f64) {
      %e = memref.load %x[%last, %j] : memref<?x?xf64>
      scf.yield %e : f64
    } else {
      scf.yield %d : f64
    }
    memref.store %w, %y[%i, %j] : memref<?x?xf64>
  }
  return
}

// Rolled rows: the loads of both sides stand in branches of their own. Inside they meet, and the column between is one vector.
// CHECK-LABEL: func.func @neighbours
// CHECK:         scf.if
// CHECK:           llvm.load {{.*}} -> f64
// CHECK-NEXT:      llvm.load {{.*}} -> vector<2xf64>
// CHECK:           llvm.load {{.*}} -> f64
// CHECK-NOT:       llvm.load
// CHECK-NOT:       scf.if
// CHECK:           llvm.store {{.*}} : vector<2xf64>
// CHECK:         } else {
func.func @neighbours(%x: memref<?xf64>, %y: memref<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4194304 : index
  %last = arith.subi %n, %c1 : index
  np.kernel (%i) = (%n) {
    %a = arith.addi %i, %c1 : index
    %b = arith.subi %i, %c1 : index
    %isLast = arith.cmpi eq, %i, %last : index
    %u = scf.if %isLast -> (f64) {
      %e = memref.load %x[%c0] : memref<?xf64>
      scf.yield %e : f64
    } else {
      %e = memref.load %x[%a] : memref<?xf64>
      scf.yield %e : f64
    }
    %isFirst = arith.cmpi eq, %i, %c0 : index
    %v = scf.if %isFirst -> (f64) {
      %e = memref.load %x[%last] : memref<?xf64>
      scf.yield %e : f64
    } else {
      %e = memref.load %x[%b] : memref<?xf64>
      scf.yield %e : f64
    }
    %m = memref.load %x[%i] : memref<?xf64>
    %s = arith.addf %u, %v : f64
    %t = arith.addf %s, %m : f64
    memref.store %t, %y[%i] : memref<?xf64>
  }
  return
}

// So for fewer elements than there are threads, without vectors: no load waits for a branch.
// CHECK-LABEL: func.func @few_neighbours
// CHECK:         scf.if
// CHECK-COUNT-2:   llvm.load {{.*}} -> f64
// CHECK-NOT:       scf.if
// CHECK:           llvm.store {{.*}} : f64
// CHECK:         } else {
// CHECK:           scf.if
// CHECK:       np.class = "map"
func.func @few_neighbours(%x: memref<?xf64> {np.first = array<i64: 1000, 0>}, %y: memref<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %last = arith.subi %n, %c1 : index
  np.kernel (%i) = (%n) {
    %b = arith.subi %i, %c1 : index
    %isFirst = arith.cmpi eq, %i, %c0 : index
    %v = scf.if %isFirst -> (f64) {
      %e = memref.load %x[%last] : memref<?xf64>
      scf.yield %e : f64
    } else {
      %e = memref.load %x[%b] : memref<?xf64>
      scf.yield %e : f64
    }
    %m = memref.load %x[%i] : memref<?xf64>
    %t = arith.addf %v, %m : f64
    memref.store %t, %y[%i] : memref<?xf64>
  }
  return
}
