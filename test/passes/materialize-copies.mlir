// What a device computes again where elements of it are needed at several positions, and what it keeps.
// RUN: npcc-opt %s --npcc-materialize | FileCheck %s

// A roll: each element of the result is one of the function's, at a position that is chosen.
// CHECK-LABEL: func @rolled
// CHECK:         np.ufunc "exp"
// CHECK-NOT:     np.new
// CHECK:         np.new {{.*}} : tensor<1024xf64>
// CHECK-NEXT:    return
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
  %s = np.ufunc "add"(%r, %r) : (tensor<1024xf64>, tensor<1024xf64>) -> tensor<1024xf64>
  %k = np.new %s : tensor<1024xf64> -> !np.array<1024xf64>
  return %k : !np.array<1024xf64>
}

// A quotient at two positions of one kernel is less than an array of a hundred million elements.
// CHECK-LABEL: func @quotients
// CHECK:         np.ufunc "divide"
// CHECK-NOT:     np.new
// CHECK:         np.ufunc "subtract"
func.func @quotients(%a: !np.array<100000000xf64>, %b: !np.array<100000000xf64>) -> !np.array<99999999xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 99999999 : index
  %x = np.load %a : !np.array<100000000xf64> -> tensor<100000000xf64>
  %y = np.load %b : !np.array<100000000xf64> -> tensor<100000000xf64>
  %q = np.ufunc "divide"(%x, %y) : (tensor<100000000xf64>, tensor<100000000xf64>) -> tensor<100000000xf64>
  %v = np.view %q offsets [%c0] axes [0] extents [%m] steps [%c1] : tensor<100000000xf64> -> tensor<99999999xf64>
  %w = np.view %q offsets [%c1] axes [0] extents [%m] steps [%c1] : tensor<100000000xf64> -> tensor<99999999xf64>
  %d = np.ufunc "subtract"(%w, %v) : (tensor<99999999xf64>, tensor<99999999xf64>) -> tensor<99999999xf64>
  %k = np.new %d : tensor<99999999xf64> -> !np.array<99999999xf64>
  return %k : !np.array<99999999xf64>
}

// At four positions a power is more.
// CHECK-LABEL: func @powers
// CHECK:         %[[P:.*]] = np.ufunc "power"
// CHECK-NEXT:    np.new %[[P]]
func.func @powers(%a: !np.array<100000000xf64>, %p: f64) -> !np.array<99999997xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m = arith.constant 99999997 : index
  %x = np.load %a : !np.array<100000000xf64> -> tensor<100000000xf64>
  %q = np.ufunc "power"(%x, %p) : (tensor<100000000xf64>, f64) -> tensor<100000000xf64>
  %s = np.view %q offsets [%c0] axes [0] extents [%m] steps [%c1] : tensor<100000000xf64> -> tensor<99999997xf64>
  %t = np.view %q offsets [%c1] axes [0] extents [%m] steps [%c1] : tensor<100000000xf64> -> tensor<99999997xf64>
  %u = np.view %q offsets [%c2] axes [0] extents [%m] steps [%c1] : tensor<100000000xf64> -> tensor<99999997xf64>
  %v = np.view %q offsets [%c3] axes [0] extents [%m] steps [%c1] : tensor<100000000xf64> -> tensor<99999997xf64>
  %d = np.ufunc "subtract"(%t, %s) : (tensor<99999997xf64>, tensor<99999997xf64>) -> tensor<99999997xf64>
  %e = np.ufunc "subtract"(%v, %u) : (tensor<99999997xf64>, tensor<99999997xf64>) -> tensor<99999997xf64>
  %f = np.ufunc "add"(%d, %e) : (tensor<99999997xf64>, tensor<99999997xf64>) -> tensor<99999997xf64>
  %k = np.new %f : tensor<99999997xf64> -> !np.array<99999997xf64>
  return %k : !np.array<99999997xf64>
}

// On the host a function that costs something is kept.
// CHECK-LABEL: func @on_the_host
// CHECK:         %[[Q:.*]] = np.ufunc "divide"
// CHECK-NEXT:    np.new %[[Q]]
func.func @on_the_host(%a: !np.array<?xf64>, %b: !np.array<?xf64>, %m: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %q = np.ufunc "divide"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %v = np.view %q offsets [%c0] axes [0] extents [%m] steps [%c1] : tensor<?xf64> -> tensor<?xf64>
  %w = np.view %q offsets [%c1] axes [0] extents [%m] steps [%c1] : tensor<?xf64> -> tensor<?xf64>
  %d = np.ufunc "subtract"(%w, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %k = np.new %d : tensor<?xf64> -> !np.array<?xf64>
  return %k : !np.array<?xf64>
}
