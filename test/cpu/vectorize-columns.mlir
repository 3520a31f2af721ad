// RUN: npcc-opt %s --npcc-vectorize-columns="vector-bytes=32" --split-input-file | FileCheck %s

// A product of stacks of 6 x 4 and 4 x 8 matrices. Three rows are computed together, of eight columns each: eight
// registers of four float64 are six of sums and what is left over. A product and its sum may be one operation.
// CHECK-LABEL: func.func @products
// CHECK:       np.kernel map (%[[B:.*]], %[[I:.*]]) = (%{{.*}}, %{{c2.*}}) {
// CHECK:         arith.muli %[[I]], %{{.*}}
// CHECK:         %[[SUMS:.*]]:3 = scf.for %[[K:.*]] = %{{.*}} to %{{.*}} iter_args(%[[FIRST:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<8xf64>, vector<8xf64>, vector<8xf64>)
// CHECK:           %[[X:.*]] = memref.load %{{.*}}[%[[B]], %{{.*}}, %[[K]]]
// CHECK:           %[[Y:.*]] = vector.load %{{.*}}[%[[B]], %[[K]], %{{.*}}] : memref<?x?x?xf64>, vector<8xf64>
// CHECK:           %[[ALL:.*]] = vector.broadcast %[[X]] : f64 to vector<8xf64>
// CHECK:           %[[XY:.*]] = arith.mulf %[[ALL]], %[[Y]] fastmath<contract>
// CHECK:           arith.addf %[[FIRST]], %[[XY]] fastmath<contract>
// CHECK:         vector.store %[[SUMS]]#0
// CHECK:         vector.store %[[SUMS]]#1
// CHECK:         vector.store %[[SUMS]]#2
// CHECK-NOT:     scf.parallel
// CHECK:       @products.choice
func.func @products(%a: memref<?x?x?xf64> {np.first = array<i64: 1000, 6, 4, 0>}, %c: memref<?x?x?xf64> {np.first = array<i64: 1000, 4, 8, 0>},
                    %out: memref<?x?x?xf64> {np.first = array<i64: 1000, 6, 8, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?x?x?xf64>
  %rows = memref.dim %a, %c1 : memref<?x?x?xf64>
  %terms = memref.dim %a, %c2 : memref<?x?x?xf64>
  %columns = memref.dim %c, %c2 : memref<?x?x?xf64>
  np.kernel columns (%b, %i, %j) = (%n, %rows, %columns) {
    %s = scf.parallel (%k) = (%c0) to (%terms) step (%c1) init (%zero) -> f64 {
      %x = memref.load %a[%b, %i, %k] : memref<?x?x?xf64>
      %y = memref.load %c[%b, %k, %j] : memref<?x?x?xf64>
      %xy = arith.mulf %x, %y : f64
      scf.reduce(%xy : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    } {np.product}
    memref.store %s, %out[%b, %i, %j] : memref<?x?x?xf64>
  }
  return
}

// -----

// A sum over the middle axis: no row reads what another one reads. Ten columns are eight and two, and what is done
// with the sums is done with vectors.
// CHECK-LABEL: func.func @means
// CHECK:       np.kernel map (%[[B:.*]]) = (%{{.*}}) {
// CHECK:         scf.for {{.*}} -> (vector<8xf32>)
// CHECK:           %[[X:.*]] = vector.load
// CHECK:           arith.addf %{{.*}}, %[[X]] : vector<8xf32>
// CHECK:         %[[MEAN:.*]] = arith.divf
// CHECK:         vector.store %[[MEAN]], {{.*}} : memref<?x?xf32>, vector<8xf32>
// CHECK:         scf.for {{.*}} -> (vector<2xf32>)
// CHECK:         vector.store {{.*}} : memref<?x?xf32>, vector<2xf32>
func.func @means(%x: memref<?x?x?xf32> {np.first = array<i64: 1000, 7, 10, 0>}, %out: memref<?x?xf32> {np.first = array<i64: 1000, 10, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %seven = arith.constant 7.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?x?xf32>
  %terms = memref.dim %x, %c1 : memref<?x?x?xf32>
  %columns = memref.dim %x, %c2 : memref<?x?x?xf32>
  np.kernel columns (%b, %j) = (%n, %columns) {
    %s = scf.parallel (%k) = (%c0) to (%terms) step (%c1) init (%zero) -> f32 {
      %e = memref.load %x[%b, %k, %j] : memref<?x?x?xf32>
      scf.reduce(%e : f32) {
      ^bb0(%l: f32, %r: f32):
        %t = arith.addf %l, %r : f32
        scf.reduce.return %t : f32
      }
    }
    %m = arith.divf %s, %seven : f32
    memref.store %m, %out[%b, %j] : memref<?x?xf32>
  }
  return
}

// -----

// Of many columns, and of many terms.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: np.kernel columns
// CHECK-NOT:   vector
func.func @others(%x: memref<?x?x?xf64> {np.first = array<i64: 1000, 8, 100, 0>}, %y: memref<?x?x?xf64> {np.first = array<i64: 1000, 100, 8, 0>},
                  %out: memref<?x?xf64> {np.first = array<i64: 1000, 100, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?x?xf64>
  %few = memref.dim %x, %c1 : memref<?x?x?xf64>
  %many = memref.dim %x, %c2 : memref<?x?x?xf64>
  np.kernel columns (%b, %j) = (%n, %many) {
    %s = scf.parallel (%k) = (%c0) to (%few) step (%c1) init (%zero) -> f64 {
      %e = memref.load %x[%b, %k, %j] : memref<?x?x?xf64>
      scf.reduce(%e : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %out[%b, %j] : memref<?x?xf64>
  }
  np.kernel columns (%b, %j) = (%n, %few) {
    %s = scf.parallel (%k) = (%c0) to (%many) step (%c1) init (%zero) -> f64 {
      %e = memref.load %y[%b, %k, %j] : memref<?x?x?xf64>
      scf.reduce(%e : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %out[%b, %j] : memref<?x?xf64>
  }
  return
}
