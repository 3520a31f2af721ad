// Kernels that factorise small matrices: a few lanes of a warp for each, and the matrices in shared memory.
// RUN: npcc-opt %s --npcc-map-kernels --canonicalize --cse | FileCheck %s

// Eight teams of eight lanes, and an odd number of elements from row to row.
// CHECK-LABEL: func.func @solve
// CHECK:         gpu.launch {{.*}} threads(%[[T:.*]], {{.*}} = %c64{{.*}}) workgroup(%[[A:.*]] : memref<576xf64, #gpu.address_space<workgroup>>, %[[X:.*]] : memref<72xf64, #gpu.address_space<workgroup>>)
// CHECK:           scf.for
// CHECK:             llvm.load
// CHECK:             memref.store %{{.*}}, %[[A]]
// CHECK:           nvvm.bar.warp.sync
// One step of the elimination for each row: the largest element of those left, by the lanes of the team.
// CHECK:           scf.for {{.*}} iter_args
// CHECK-COUNT-6:     gpu.shuffle xor
// CHECK:             gpu.shuffle idx
// CHECK:             nvvm.bar.warp.sync
// CHECK:             arith.divf
// CHECK:             math.fma
// CHECK:             nvvm.bar.warp.sync
// CHECK-NOT:       gpu.barrier
func.func @solve(%a: memref<?x?x?xf64>, %b: memref<?x?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  np.kernel rows (%i) = (%n) {
    %m = memref.alloca() : memref<8x8xf64, #gpu.address_space<workgroup>>
    %x = memref.alloca() : memref<1x8xf64, #gpu.address_space<workgroup>>
    scf.parallel (%r, %c) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
      %e = memref.load %a[%i, %r, %c] : memref<?x?x?xf64>
      memref.store %e, %m[%r, %c] : memref<8x8xf64, #gpu.address_space<workgroup>>
    }
    scf.parallel (%r) = (%c0) to (%c8) step (%c1) {
      %e = memref.load %b[%i, %r] : memref<?x?xf64>
      memref.store %e, %x[%c0, %r] : memref<1x8xf64, #gpu.address_space<workgroup>>
    }
    %good = np.factor "solve_rows"(%m, %x) : memref<8x8xf64, #gpu.address_space<workgroup>>, memref<1x8xf64, #gpu.address_space<workgroup>>
    np.assert %good, "LinAlgError" "Singular matrix"()
    scf.parallel (%r) = (%c0) to (%c8) step (%c1) {
      %e = memref.load %x[%c0, %r] : memref<1x8xf64, #gpu.address_space<workgroup>>
      memref.store %e, %b[%i, %r] : memref<?x?xf64>
    }
  }
  return
}

// What the elements of the matrix add up to: the lanes share them. The ends of the loop are the kernel's own.
// CHECK-LABEL: func.func @total
// CHECK:         nvvm.bar.warp.sync
// CHECK:         %[[PART:.*]] = scf.for %{{.*}} = %[[LANE:.*]] to %c36 step %c8 iter_args
// CHECK:           memref.load
// CHECK:           arith.addf
// CHECK:         scf.while
// CHECK:           gpu.shuffle xor
// CHECK:         llvm.store
func.func @total(%a: memref<?x?x?xf64>, %b: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %none = arith.constant 0.0 : f64
  np.kernel rows (%i) = (%n) {
    %m = memref.alloca() : memref<6x6xf64, #gpu.address_space<workgroup>>
    scf.parallel (%r, %c) = (%c0, %c0) to (%c6, %c6) step (%c1, %c1) {
      %e = memref.load %a[%i, %r, %c] : memref<?x?x?xf64>
      memref.store %e, %m[%r, %c] : memref<6x6xf64, #gpu.address_space<workgroup>>
    }
    %good = np.factor "cholesky"(%m) : memref<6x6xf64, #gpu.address_space<workgroup>>
    %own6 = arith.constant 6 : index
    %s = scf.parallel (%r, %c) = (%c0, %c0) to (%own6, %own6) step (%c1, %c1) init (%none) -> f64 {
      %e = memref.load %m[%r, %c] : memref<6x6xf64, #gpu.address_space<workgroup>>
      scf.reduce(%e : f64) {
      ^bb0(%x: f64, %y: f64):
        %t = arith.addf %x, %y : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %b[%i] : memref<?xf64>
  }
  return
}

// What the runtime has a function for is called: where the arrays of this team are, rows and columns, and lanes.
// CHECK-LABEL: func.func @reflect
// CHECK:         workgroup(%[[A:.*]] : memref<224xf64, #gpu.address_space<workgroup>>, %[[F:.*]] : memref<40xf64, #gpu.address_space<workgroup>>)
// CHECK-DAG:       %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK-DAG:       %[[Q:.*]] = memref.extract_aligned_pointer_as_index %[[F]]
// CHECK:           np.call_linked "npcc_team_qr_raw_float64"(%{{.*}}, %{{.*}}, %c7_i32, %c4_i32, %c8_i32)
func.func @reflect(%a: memref<?x?x?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  np.kernel rows (%i) = (%n) {
    %m = memref.alloca() : memref<4x7xf64, #gpu.address_space<workgroup>>
    %f = memref.alloca() : memref<4xf64, #gpu.address_space<workgroup>>
    scf.parallel (%c, %r) = (%c0, %c0) to (%c4, %c7) step (%c1, %c1) {
      %e = memref.load %a[%i, %r, %c] : memref<?x?x?xf64>
      memref.store %e, %m[%c, %r] : memref<4x7xf64, #gpu.address_space<workgroup>>
    }
    %good = np.factor "qr_raw"(%m, %f) : memref<4x7xf64, #gpu.address_space<workgroup>>, memref<4xf64, #gpu.address_space<workgroup>>
    scf.parallel (%c, %r) = (%c0, %c0) to (%c4, %c7) step (%c1, %c1) {
      %e = memref.load %m[%c, %r] : memref<4x7xf64, #gpu.address_space<workgroup>>
      memref.store %e, %a[%i, %r, %c] : memref<?x?x?xf64>
    }
  }
  return
}

// One that may fail says whether it has; it has memory to work with.
// CHECK-LABEL: func.func @spectrum
// CHECK:           %[[STATUS:.*]] = np.call_linked "npcc_team_eigh_complex64"(%{{.*}}, %{{.*}}, %{{.*}}, %c5_i32, %c5_i32, %c8_i32, %c1_i32, %c0_i32)
// CHECK:           arith.cmpi ne, %[[STATUS]], %c0_i32
func.func @spectrum(%a: memref<?x?x?xcomplex<f32>>, %w: memref<?x?xf32>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  np.kernel rows (%i) = (%n) {
    %m = memref.alloca() : memref<5x5xcomplex<f32>, #gpu.address_space<workgroup>>
    %f = memref.alloca() : memref<5xf32, #gpu.address_space<workgroup>>
    %s = memref.alloca() : memref<87xcomplex<f32>, #gpu.address_space<workgroup>>
    scf.parallel (%c, %r) = (%c0, %c0) to (%c5, %c5) step (%c1, %c1) {
      %e = memref.load %a[%i, %r, %c] : memref<?x?x?xcomplex<f32>>
      memref.store %e, %m[%c, %r] : memref<5x5xcomplex<f32>, #gpu.address_space<workgroup>>
    }
    %good = np.factor "eigvalsh_upper"(%m, %f, %s) : memref<5x5xcomplex<f32>, #gpu.address_space<workgroup>>, memref<5xf32, #gpu.address_space<workgroup>>, memref<87xcomplex<f32>, #gpu.address_space<workgroup>>
    np.assert %good, "LinAlgError" "Eigenvalues did not converge"()
    scf.parallel (%r) = (%c0) to (%c5) step (%c1) {
      %e = memref.load %f[%r] : memref<5xf32, #gpu.address_space<workgroup>>
      memref.store %e, %w[%i, %r] : memref<?x?xf32>
    }
  }
  return
}
