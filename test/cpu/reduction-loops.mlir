// RUN: npcc-opt %s --npcc-reduction-loops --canonicalize --mlir-print-local-scope | FileCheck %s

// Sums in leaves with 16 additions for each of 4 vectors of 8 accumulators (64 bytes, on every machine), and a tree over
// the leaves.
// CHECK-LABEL: func.func @sums
// CHECK-DAG: %[[LEAF:.*]] = arith.constant 512 : index
// CHECK: np.kernel
// CHECK: memref.alloca() : memref<64xf64>
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[LEAF]] iter_args
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (f64)
// CHECK: arith.addf %[[SUM]], %{{.*}} fastmath<reassoc>
// CHECK: llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = false, width = 8 : i32>, interleave = <count = 4 : i32>>
// The rest of the row:
// CHECK: llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = false, predicateEnable = true, width = 8 : i32>, interleave = <count = 1 : i32>>
// CHECK: scf.while
// CHECK: arith.addf %{{[^ ]*}}, %{{[^ ]*}} : f64
// CHECK: scf.while
func.func @sums(%a: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %x = memref.load %a[%i, %k] : memref<?x?xf64>
      scf.reduce(%x : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %out[%i] : memref<?xf64>
  }
  return
}

// What has vector forms for the machine's own registers only: 4 elements of 32 bytes.
// CHECK-LABEL: func.func @sum_of_exponentials
// CHECK: llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = false, width = 4 : i32>, interleave = <count = 4 : i32>>
func.func @sum_of_exponentials(%a: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %x = memref.load %a[%i, %k] : memref<?x?xf64>
      %e = math.exp %x : f64
      scf.reduce(%e : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %out[%i] : memref<?xf64>
  }
  return
}

// Any order gives the same: one loop, no tree. Another walk over the row: a vectorised map.
// CHECK-LABEL: func.func @maxima
// CHECK: %[[MAX:.*]] = scf.for {{.*}} -> (i32)
// CHECK: arith.maxsi
// CHECK: llvm.loop_annotation
// CHECK-NOT: scf.while
// CHECK: scf.for
// CHECK: arith.subi %{{.*}}, %[[MAX]]
// CHECK: memref.store {{.*}} {llvm.access_groups = [#llvm.access_group<id = distinct[[[GROUP:[0-9]+]]]<>>]}
// CHECK: parallelAccesses = <id = distinct[[[GROUP]]]<>>
func.func @maxima(%a: memref<?x?xi32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = arith.constant -2147483648 : i32
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%least) -> i32 {
      %x = memref.load %a[%i, %k] : memref<?x?xi32>
      scf.reduce(%x : i32) {
      ^bb0(%l: i32, %r: i32):
        %t = arith.maxsi %l, %r : i32
        scf.reduce.return %t : i32
      }
    }
    scf.parallel (%k) = (%c0) to (%m) step (%c1) {
      %x = memref.load %a[%i, %k] : memref<?x?xi32>
      %y = arith.subi %x, %s : i32
      memref.store %y, %a[%i, %k] : memref<?x?xi32>
      scf.reduce
    }
  }
  return
}

// Sums of complex numbers carry their parts: LLVM makes no vectors of loops that carry structures.
// CHECK-LABEL: func.func @complex_sum
// CHECK: scf.for {{.*}} iter_args(%[[RE:.*]] = %{{.*}}, %[[IM:.*]] = %{{.*}}) -> (f64, f64)
// CHECK: complex.create %[[RE]], %[[IM]]
// CHECK: complex.add {{.*}} fastmath<reassoc>
// CHECK: scf.yield %{{.*}}, %{{.*}} : f64, f64
func.func @complex_sum(%a: memref<?xcomplex<f64>>, %n: index) -> complex<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> complex<f64> {
    %x = memref.load %a[%k] : memref<?xcomplex<f64>>
    scf.reduce(%x : complex<f64>) {
    ^bb0(%l: complex<f64>, %r: complex<f64>):
      %t = complex.add %l, %r : complex<f64>
      scf.reduce.return %t : complex<f64>
    }
  }
  return %s : complex<f64>
}
