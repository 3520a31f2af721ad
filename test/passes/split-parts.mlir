// Values that are put together of a few parts: one position is its part, and a new array is made part by part.
// RUN: npcc-opt %s --npcc-split-parts --npcc-compose-views --canonicalize --cse | FileCheck %s

// The two columns share their sum, and the matrix that both are multiplied by is asked for its columns.
// CHECK-LABEL: func.func @columns
// CHECK-SAME:  (%[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>, %[[C:.*]]: tensor<?x?xf64>, %[[N:.*]]: index)
// CHECK-NOT:     np.insert
// CHECK-DAG:     %[[C0:.*]] = np.view %[[C]] offsets[%c0, %c0] axes [0] extents[%[[N]]]
// CHECK-DAG:     %[[C1:.*]] = np.view %[[C]] offsets[%c0, %c1] axes [0] extents[%[[N]]]
// CHECK-DAG:     %[[X0:.*]] = np.view %[[X]] offsets[%c0] axes [0] extents[%[[N]]]
// CHECK-DAG:     %[[Y0:.*]] = np.view %[[Y]] offsets[%c0] axes [0] extents[%[[N]]]
// CHECK-DAG:     %[[P0:.*]] = np.ufunc "multiply"(%[[X0]], %[[C0]])
// CHECK-DAG:     %[[P1:.*]] = np.ufunc "multiply"(%[[Y0]], %[[C1]])
// CHECK:         %[[ARRAY:.*]] = np.empty(%[[N]], %c2)
// CHECK:         %[[V0:.*]] = np.view %[[ARRAY]] offsets[%c0, %c0] axes [0]
// CHECK:         np.store %[[P0]], %[[V0]]
// CHECK:         %[[V1:.*]] = np.view %[[ARRAY]] offsets[%c0, %c1] axes [0]
// CHECK:         np.store %[[P1]], %[[V1]]
// CHECK:         return %[[ARRAY]], %[[P1]]
func.func @columns(%x: tensor<?xf64>, %y: tensor<?xf64>, %c: tensor<?x?xf64>, %n: index) -> (!np.array<?x?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %xs = np.view %x offsets[%c0] axes [0, -1] extents[%n, %c1] steps[%c1, %c1] : tensor<?xf64> -> tensor<?x1xf64>
  %ys = np.view %y offsets[%c0] axes [0, -1] extents[%n, %c1] steps[%c1, %c1] : tensor<?xf64> -> tensor<?x1xf64>
  %cs = np.view %c offsets[%c0, %c0] axes [0, 1] extents[%n, %c2] steps[%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
  %e = np.full %zero extents[%n, %c2] : f64 -> tensor<?x?xf64>
  %a = np.insert %xs into %e offsets[%c0, %c0] axes [0, 1] extents[%n, %c1] steps[%c1, %c1] : tensor<?x1xf64> into tensor<?x?xf64> -> tensor<?x?xf64>
  %b = np.insert %ys into %a offsets[%c0, %c1] axes [0, 1] extents[%n, %c1] steps[%c1, %c1] : tensor<?x1xf64> into tensor<?x?xf64> -> tensor<?x?xf64>
  %p = np.ufunc "multiply"(%b, %cs) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = np.new %p : tensor<?x?xf64> -> !np.array<?x?xf64>
  %last = np.view %p offsets[%c0, %c1] axes [0] extents[%n] steps[%c1] : tensor<?x?xf64> -> tensor<?xf64>
  return %r, %last : !np.array<?x?xf64>, tensor<?xf64>
}

// A part of a column stays put together.
// CHECK-LABEL: func.func @part
// CHECK:         %[[COLUMN:.*]] = np.full %{{.*}} extents[%{{.*}}] : f64 -> tensor<?xf64>
// CHECK:         %[[PART:.*]] = np.insert %{{.*}} into %[[COLUMN]] offsets[%c1] axes [0]
// CHECK:         return %[[PART]]
func.func @part(%x: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = np.full %zero extents[%n, %c2] : f64 -> tensor<?x?xf64>
  %a = np.insert %x into %e offsets[%c1, %c1] axes [0] extents[%m] steps[%c1] : tensor<?xf64> into tensor<?x?xf64> -> tensor<?x?xf64>
  %r = np.view %a offsets[%c0, %c1] axes [0] extents[%n] steps[%c1] : tensor<?x?xf64> -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Of how many parts, or where they lie, is not known.
// CHECK-LABEL: func.func @unknown
// CHECK:         np.insert
// CHECK:         np.new
func.func @unknown(%x: tensor<?xf64>, %n: index, %m: index, %k: index) -> !np.array<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = np.full %zero extents[%n, %m] : f64 -> tensor<?x?xf64>
  %a = np.insert %x into %e offsets[%c0, %k] axes [0] extents[%n] steps[%c1] : tensor<?xf64> into tensor<?x?xf64> -> tensor<?x?xf64>
  %r = np.new %a : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %r : !np.array<?x?xf64>
}

// Sums that are made part by part are loaded by who else uses them.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: np.reduce "add" %{{.*}} axes [1] : tensor<?x?xf64> -> tensor<?xf64>
// CHECK-NOT:     np.reduce
// CHECK:         %[[ARRAY:.*]] = np.empty
// CHECK-COUNT-2: np.store
// CHECK:         %[[SUMS:.*]] = np.load %[[ARRAY]]
// CHECK:         np.reduce "maximum" %[[SUMS]] axes [0]
// CHECK-NOT:     np.reduce
// CHECK:         return
func.func @others(%d: tensor<?x?x2xf64>, %k: tensor<?x?xf64>, %n: index, %m: index) -> (!np.array<?x2xf64>, tensor<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = np.view %d offsets[%c0, %c0, %c0] axes [0, 1, 2] extents[%n, %m, %c2] steps[%c1, %c1, %c1] : tensor<?x?x2xf64> -> tensor<?x?x2xf64>
  %v = np.view %k offsets[%c0, %c0] axes [0, 1] extents[%n, %m] steps[%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
  %r = np.ufunc "sqrt"(%v) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %s = np.view %r offsets[%c0, %c0] axes [0, 1, -1] extents[%n, %m, %c1] steps[%c1, %c1, %c1] : tensor<?x?xf64> -> tensor<?x?x1xf64>
  %t = np.broadcast %s extents[%n, %m, %c2] : tensor<?x?x1xf64> -> tensor<?x?x2xf64>
  %p = np.ufunc "multiply"(%w, %t) : (tensor<?x?x2xf64>, tensor<?x?x2xf64>) -> tensor<?x?x2xf64>
  %sums = np.reduce "add" %p axes [1] : tensor<?x?x2xf64> -> tensor<?x2xf64>
  %most = np.reduce "maximum" %sums axes [0] : tensor<?x2xf64> -> tensor<2xf64>
  %made = np.new %sums : tensor<?x2xf64> -> !np.array<?x2xf64>
  return %made, %most : !np.array<?x2xf64>, tensor<2xf64>
}
