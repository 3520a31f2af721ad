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
