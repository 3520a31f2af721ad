// RUN: npcc-opt %s --npcc-compose-views --canonicalize | FileCheck %s

// u[1::2][3:] starts at 7 and goes by 2.
// CHECK-LABEL: func @view_of_view
func.func @view_of_view(%u: !np.array<?xf64>, %n: index, %m: index) -> !np.array<?xf64, strided> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = np.view %u offsets [%c1] axes [0] extents [%n] steps [%c2] : !np.array<?xf64> -> !np.array<?xf64, strided>
  // CHECK-DAG: %[[C7:.*]] = arith.constant 7
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2
  // CHECK: np.view %arg0 offsets[%[[C7]]] axes [0] extents[%arg2] steps[%[[C2]]]
  %b = np.view %a offsets [%c3] axes [0] extents [%m] steps [%c1] : !np.array<?xf64, strided> -> !np.array<?xf64, strided>
  return %b : !np.array<?xf64, strided>
}

// The transpose of a transpose runs along the axes in order again.
// CHECK-LABEL: func @transpose_twice
func.func @transpose_twice(%u: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = np.view %u offsets [%c0, %c0] axes [1, 0] extents [%m, %n] steps [%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
  // CHECK: np.view %arg0 {{.*}} axes [0, 1] extents[%arg1, %arg2]
  %b = np.view %t offsets [%c0, %c0] axes [1, 0] extents [%n, %m] steps [%c1, %c1] : tensor<?x?xf64> -> tensor<?x?xf64>
  return %b : tensor<?x?xf64>
}

// What is loaded from components and read-only views is loaded from the array itself; what is stored goes through them.
// CHECK-LABEL: func @parts
func.func @parts(%c: !np.array<?xcomplex<f64>>, %a: !np.array<?xf64>, %n: index, %m: index, %x: f64) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c1 = arith.constant 1 : index
  // CHECK: %[[IMAG:.*]] = np.part "imag" %arg0
  %imag = np.part "imag" %c extents [%n] : !np.array<?xcomplex<f64>> -> !np.array<?xf64, strided>
  // CHECK: %[[C:.*]] = np.load %arg0
  // CHECK: np.ufunc "imag"(%[[C]])
  %0 = np.load %imag : !np.array<?xf64, strided> -> tensor<?xf64>
  // CHECK: %[[HALF:.*]] = np.view %arg0 {{.*}} extents[%arg3]
  // CHECK: %[[H:.*]] = np.load %[[HALF]]
  // CHECK: np.ufunc "imag"(%[[H]])
  %half = np.view %imag offsets [%c1] axes [0] extents [%m] steps [%c1] : !np.array<?xf64, strided> -> !np.array<?xf64, strided>
  %1 = np.load %half : !np.array<?xf64, strided> -> tensor<?xf64>
  // CHECK: np.load %arg1
  %locked = np.part "read_only" %a extents [%n] : !np.array<?xf64> -> !np.array<?xf64>
  %2 = np.load %locked : !np.array<?xf64> -> tensor<?xf64>
  // CHECK: np.store %arg4, %[[IMAG]]
  np.store %x, %imag : f64, !np.array<?xf64, strided>
  return %0, %1, %2 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// A column with an axis more, and without it: views of the column, whatever its strides. A ravel would copy it.
// CHECK-LABEL: func.func @unit_axes
// CHECK:       np.view %arg0 offsets{{.*}} axes [0, -1] extents[%{{.*}}, %c1]
// CHECK-NOT:   np.reshape
// CHECK:       return
func.func @unit_axes(%u: !np.array<?x?xf64>, %k: index) -> (!np.array<?x1xf64, strided>, tensor<?x1xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %u, 0 : !np.array<?x?xf64>
  %column = np.view %u offsets [%c0, %k] axes [0] extents [%n] steps [%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
  %a = np.reshape_strided %column extents [%n, %c1] : !np.array<?xf64, strided> -> !np.array<?x1xf64, strided>
  %v = np.load %column : !np.array<?xf64, strided> -> tensor<?xf64>
  %b = np.reshape %v extents [%n, %c1] : tensor<?xf64> -> tensor<?x1xf64>
  %c = np.reshape %b extents [%n] : tensor<?x1xf64> -> tensor<?xf64>
  return %a, %b, %c : !np.array<?x1xf64, strided>, tensor<?x1xf64>, tensor<?xf64>
}

// Two axes, of which nobody knows whether they keep their extents.
// CHECK-LABEL: func.func @other_axes
// CHECK:       np.reshape
func.func @other_axes(%v: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x1x?xf64> {
  %c1 = arith.constant 1 : index
  %a = np.reshape %v extents [%n, %c1, %m] : tensor<?x?xf64> -> tensor<?x1x?xf64>
  return %a : tensor<?x1x?xf64>
}
