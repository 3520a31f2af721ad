// Parts of one value that are put next to each other in other places: the code for an element of the value is there
// once, for a position that is chosen.
// RUN: npcc-opt %s --canonicalize --npcc-np-to-loops | FileCheck %s

// CHECK-LABEL: func.func @rolled
// CHECK:         np.kernel map (%[[I:.*]]) = (%{{.*}})
// CHECK:           %[[BEHIND:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK:           %[[FRONT:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK:           %[[AT:.*]] = arith.select %[[FRONT]]
// CHECK:           %[[MOVED:.*]] = arith.ori %[[BEHIND]], %[[FRONT]]
// CHECK:           scf.if %[[MOVED]]
// CHECK:             memref.load %{{.*}}[%[[AT]]]
// CHECK:             math.exp
// CHECK-NOT:         math.exp
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %{{.*}} : f64
// CHECK:         return
func.func @rolled(%a: !np.array<1024xf64>) -> !np.array<1024xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 1023 : index
  %n = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f64
  %x = np.load %a : !np.array<1024xf64> -> tensor<1024xf64>
  %e = np.ufunc "exp"(%x) : (tensor<1024xf64>) -> tensor<1024xf64>
  %z = np.full %zero extents [%n] : f64 -> tensor<1024xf64>
  %v = np.view %e offsets [%c0] axes [0] extents [%m] steps [%c1] : tensor<1024xf64> -> tensor<1023xf64>
  %y = np.insert %v into %z offsets [%c1] axes [0] extents [%m] steps [%c1] : tensor<1023xf64> into tensor<1024xf64> -> tensor<1024xf64>
  %w = np.view %e offsets [%m] axes [0] extents [%c1] steps [%c1] : tensor<1024xf64> -> tensor<1xf64>
  %r = np.insert %w into %y offsets [%c0] axes [0] extents [%c1] steps [%c1] : tensor<1xf64> into tensor<1024xf64> -> tensor<1024xf64>
  %k = np.new %r : tensor<1024xf64> -> !np.array<1024xf64>
  return %k : !np.array<1024xf64>
}

// What is in memory is loaded in each part.
// CHECK-LABEL: func.func @loaded
// CHECK-NOT:     arith.ori
// CHECK:         return
func.func @loaded(%a: !np.array<1024xf64>) -> !np.array<1024xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 1023 : index
  %n = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f64
  %x = np.load %a : !np.array<1024xf64> -> tensor<1024xf64>
  %z = np.full %zero extents [%n] : f64 -> tensor<1024xf64>
  %v = np.view %x offsets [%c0] axes [0] extents [%m] steps [%c1] : tensor<1024xf64> -> tensor<1023xf64>
  %y = np.insert %v into %z offsets [%c1] axes [0] extents [%m] steps [%c1] : tensor<1023xf64> into tensor<1024xf64> -> tensor<1024xf64>
  %w = np.view %x offsets [%m] axes [0] extents [%c1] steps [%c1] : tensor<1024xf64> -> tensor<1xf64>
  %r = np.insert %w into %y offsets [%c0] axes [0] extents [%c1] steps [%c1] : tensor<1xf64> into tensor<1024xf64> -> tensor<1024xf64>
  %k = np.new %r : tensor<1024xf64> -> !np.array<1024xf64>
  return %k : !np.array<1024xf64>
}
