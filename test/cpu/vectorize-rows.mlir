// RUN: npcc-opt %s --npcc-vectorize-rows --split-input-file | FileCheck %s

// Ten elements are eight and two. Halves of the eight are added, then the two, then the halves of these; other calls
// are asked for the ten.
// CHECK-LABEL: func.func @sums
// CHECK:       np.kernel rows (%[[I:.*]]) = (%{{.*}}) {
// CHECK:         %[[EIGHT:.*]] = vector.load %{{.*}}[%[[I]], %{{.*}}] : memref<?x?xf64>, vector<8xf64>
// CHECK:         %[[WIDE:.*]] = arith.mulf %[[EIGHT]], %[[EIGHT]] : vector<8xf64>
// CHECK:         vector.shuffle %[[WIDE]], %[[WIDE]] [0, 1, 2, 3]
// CHECK:         vector.shuffle %[[WIDE]], %[[WIDE]] [4, 5, 6, 7]
// CHECK:         arith.addf %{{.*}}, %{{.*}} : vector<4xf64>
// CHECK:         %[[HALF:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<2xf64>
// CHECK:         %[[EIGHTH:.*]] = arith.constant 8 : index
// CHECK:         %[[TWO:.*]] = vector.load %{{.*}}[%[[I]], %[[EIGHTH]]] : memref<?x?xf64>, vector<2xf64>
// CHECK:         %[[REST:.*]] = arith.mulf %[[TWO]], %[[TWO]] : vector<2xf64>
// CHECK:         arith.addf %[[HALF]], %[[REST]] : vector<2xf64>
// CHECK:         %[[ALL:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<1xf64>
// CHECK:         vector.extract %[[ALL]][0]
// CHECK-NOT:     scf.parallel
// CHECK:       @sums.choice
// CHECK:         arith.cmpi eq
func.func @sums(%x: memref<?x?xf64> {np.first = array<i64: 1000, 10, 0>}, %y: memref<?xf64> {np.first = array<i64: 1000, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel rows (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %a = memref.load %x[%i, %k] : memref<?x?xf64>
      %b = arith.mulf %a, %a : f64
      scf.reduce(%b : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// -----

// A loop that stores along the row, beside a number of the row.
// CHECK-LABEL: func.func @centred
// CHECK:         %[[MEAN:.*]] = memref.load
// CHECK:         %[[FOUR:.*]] = vector.load %{{.*}} : memref<?x?xf32>, vector<4xf32>
// CHECK:         %[[MEANS:.*]] = vector.broadcast %[[MEAN]] : f32 to vector<4xf32>
// CHECK:         %[[LESS:.*]] = arith.subf %[[FOUR]], %[[MEANS]] : vector<4xf32>
// CHECK:         vector.store %[[LESS]], %{{.*}} : memref<?x?xf32>, vector<4xf32>
// CHECK:         vector.store %{{.*}}, %{{.*}} : memref<?x?xf32>, vector<1xf32>
// CHECK-NOT:     scf.parallel
func.func @centred(%x: memref<?x?xf32> {np.first = array<i64: 1000, 5, 0>}, %y: memref<?xf32> {np.first = array<i64: 1000, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  np.kernel rows (%i) = (%n) {
    %mean = memref.load %y[%i] : memref<?xf32>
    scf.parallel (%k) = (%c0) to (%m) step (%c1) {
      %a = memref.load %x[%i, %k] : memref<?x?xf32>
      %b = arith.subf %a, %mean : f32
      memref.store %b, %x[%i, %k] : memref<?x?xf32>
      scf.reduce
    }
  }
  return
}

// -----

// Of many elements, of few rows, with a function of the math library, and of elements that do not lie side by side.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: scf.parallel
// CHECK-NOT:   vector
func.func @others(%x: memref<?x?xf64> {np.first = array<i64: 1000, 100, 0>}, %y: memref<?x?xf64> {np.first = array<i64: 1000, 8, 0>},
                  %z: memref<?x?xf64> {np.first = array<i64: 20, 8, 0>}, %w: memref<?x?xf64, strided<[?, ?]>> {np.first = array<i64: 1000, 8, 80, 2, 0>},
                  %out: memref<?xf64> {np.first = array<i64: 1000, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %many = memref.dim %x, %c1 : memref<?x?xf64>
  %few = memref.dim %z, %c0 : memref<?x?xf64>
  %m = memref.dim %y, %c1 : memref<?x?xf64>
  np.kernel rows (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%many) step (%c1) init (%zero) -> f64 {
      %a = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%a : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %out[%i] : memref<?xf64>
  }
  np.kernel rows (%i) = (%few) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %a = memref.load %z[%i, %k] : memref<?x?xf64>
      scf.reduce(%a : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %out[%i] : memref<?xf64>
  }
  np.kernel rows (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %a = memref.load %y[%i, %k] : memref<?x?xf64>
      %b = math.exp %a : f64
      scf.reduce(%b : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %out[%i] : memref<?xf64>
  }
  np.kernel rows (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %a = memref.load %w[%i, %k] : memref<?x?xf64, strided<[?, ?]>>
      scf.reduce(%a : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %out[%i] : memref<?xf64>
  }
  return
}
