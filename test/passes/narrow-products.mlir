// RUN: npcc-opt %s --npcc-narrow-products --canonicalize | FileCheck %s
// RUN: npcc-opt %s --npcc-narrow-products=precision=bf16 --canonicalize | FileCheck %s --check-prefix=BF16
// RUN: npcc-opt %s --npcc-narrow-products=precision=tf32 --canonicalize | FileCheck %s --check-prefix=TF32

// Operands that were bf16, and a result that becomes bf16.
// CHECK-LABEL: func.func @widened
// CHECK-NEXT:    %[[C:.*]] = np.matmul %arg0, %arg1 : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xbf16>
// CHECK-NEXT:    return %[[C]]
func.func @widened(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %x = np.cast %a : tensor<?x?xbf16> -> tensor<?x?xf32>
  %y = np.cast %b : tensor<?x?xbf16> -> tensor<?x?xf32>
  %c = np.matmul %x, %y : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %d = np.cast %c : tensor<?x?xf32> -> tensor<?x?xbf16>
  return %d : tensor<?x?xbf16>
}

// The sums are read too: they stay f32.
// CHECK-LABEL: func.func @two_readers
// CHECK:         np.matmul %arg0, %arg1 : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf32>
// CHECK:         np.cast
func.func @two_readers(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>) -> (tensor<?x?xf16>, tensor<?x?xf32>) {
  %x = np.cast %a : tensor<?x?xf16> -> tensor<?x?xf32>
  %y = np.cast %b : tensor<?x?xf16> -> tensor<?x?xf32>
  %c = np.matmul %x, %y : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %d = np.cast %c : tensor<?x?xf32> -> tensor<?x?xf16>
  return %d, %c : tensor<?x?xf16>, tensor<?x?xf32>
}

// A view of what was widened is a view of the narrow value.
// CHECK-LABEL: func.func @transposed
// CHECK:         %[[V:.*]] = np.view %arg0 {{.*}} : tensor<?x?xf16> -> tensor<?x?xf16>
// CHECK:         np.matmul %[[V]], %arg0
func.func @transposed(%a: tensor<?x?xf16>, %m: index, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.cast %a : tensor<?x?xf16> -> tensor<?x?xf32>
  %t = np.view %x offsets [%c0, %c0] axes [1, 0] extents [%n, %m] steps [%c1, %c1] : tensor<?x?xf32> -> tensor<?x?xf32>
  %c = np.matmul %t, %x : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

// What is f32 stays exact, unless the program asked for less. Other types always do.
// CHECK-LABEL: func.func @wide
// CHECK-NEXT:    np.matmul %arg0, %arg1 : tensor<?x?xf32>
// BF16-LABEL:  func.func @wide
// BF16-COUNT-2:  np.cast {{.*}} -> tensor<?x?xbf16>
// BF16:          np.matmul {{.*}} : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
// BF16:          np.matmul {{.*}} : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
// TF32-LABEL:  func.func @wide
// TF32:          np.matmul %arg0, %arg1 {tf32} : tensor<?x?xf32>
// TF32-NEXT:     np.matmul %arg2, %arg2 : tensor<?x?xf64>
func.func @wide(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %d: tensor<?x?xf64>) -> (tensor<?x?xf32>, tensor<?x?xf64>) {
  %c = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %e = np.matmul %d, %d : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  return %c, %e : tensor<?x?xf32>, tensor<?x?xf64>
}
