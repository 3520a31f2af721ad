// The position of an extremum: on a device one reduction of keys that hold both; on a host, and of narrow elements, the
// extremum and then the first element that is it.
// RUN: npcc-opt %s --npcc-import-to-np --npcc-promote-arrays --canonicalize --cse --npcc-materialize --canonicalize --cse --npcc-fuse | FileCheck %s

// CHECK-LABEL: func.func @least
// CHECK:       scf.parallel (%[[K:.*]]) = {{.*}} -> i128
// CHECK:         %[[X:.*]] = memref.load
// The zeros are equal, and the least number is a NaN.
// CHECK:         %[[SUM:.*]] = arith.addf %[[X]], %{{.*}} : f64
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[SUM]] : f64 to i64
// CHECK:         arith.select %{{.*}}, %c-9223372036854775808_i64, %{{.*}} : i64
// CHECK:         %[[HIGH:.*]] = arith.shli %{{.*}}, %{{.*}} : i128
// CHECK:         arith.ori %[[HIGH]], %{{.*}} : i128
// CHECK:         arith.minsi %{{.*}} : i128
// CHECK:       arith.trunci %{{.*}} : i128 to i64
// CHECK-NOT:   scf.parallel
func.func @least(%x: !np.array<?xf64>) -> !np.array<i64> attributes {np.target = "cuda"} {
  %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
  %p = np.reduce "argmin" %v axes [0] : tensor<?xf64> -> tensor<i64>
  %r = np.new %p : tensor<i64> -> !np.array<i64>
  return %r : !np.array<i64>
}

// The first of equal elements has the greatest key.
// CHECK-LABEL: func.func @greatest
// CHECK:       scf.parallel {{.*}} -> i128
// CHECK:         arith.xori %{{.*}}, %c-1_i64{{.*}} : i64
// CHECK:         arith.maxsi %{{.*}} : i128
// CHECK-NOT:   scf.parallel
func.func @greatest(%x: !np.array<?xi32>) -> !np.array<i64> attributes {np.target = "cuda"} {
  %v = np.load %x : !np.array<?xi32> -> tensor<?xi32>
  %p = np.reduce "argmax" %v axes [0] : tensor<?xi32> -> tensor<i64>
  %r = np.new %p : tensor<i64> -> !np.array<i64>
  return %r : !np.array<i64>
}

// Elements of 32 bits have keys of 64, where the call's positions fit beside them, which is taken for granted.
// CHECK-LABEL: func.func @short
// CHECK:       scf.parallel {{.*}} -> i64
// CHECK:         arith.xori %{{.*}}, %c-1_i32{{.*}} : i32
// CHECK:         arith.maxsi %{{.*}} : i64
// CHECK-NOT:   scf.parallel
// CHECK:       arith.trunci %{{.*}} : i64 to i32
// CHECK:       arith.xori %{{.*}}, %c-1_i32{{.*}} : i32
// CHECK:       arith.extui %{{.*}} : i32 to i64
// CHECK:       func.func @short.choice
// CHECK:         arith.cmpi sle, %{{.*}}, %c4294967296
func.func @short(%x: !np.array<?xf32> {np.first = array<i64: 1000, 0>}) -> !np.array<i64> attributes {np.target = "cuda"} {
  %v = np.load %x : !np.array<?xf32> -> tensor<?xf32>
  %p = np.reduce "argmax" %v axes [0] : tensor<?xf32> -> tensor<i64>
  %r = np.new %p : tensor<i64> -> !np.array<i64>
  return %r : !np.array<i64>
}

// CHECK-LABEL: func.func @long
// CHECK:       scf.parallel {{.*}} -> i128
func.func @long(%x: !np.array<?xf32> {np.first = array<i64: 5000000000, 0>}) -> !np.array<i64> attributes {np.target = "cuda"} {
  %v = np.load %x : !np.array<?xf32> -> tensor<?xf32>
  %p = np.reduce "argmax" %v axes [0] : tensor<?xf32> -> tensor<i64>
  %r = np.new %p : tensor<i64> -> !np.array<i64>
  return %r : !np.array<i64>
}

// CHECK-LABEL: func.func @narrow
// CHECK:       scf.parallel {{.*}} -> i8
// CHECK:       scf.parallel {{.*}} -> i64
func.func @narrow(%x: !np.array<?xi8>) -> !np.array<i64> attributes {np.target = "cuda"} {
  %v = np.load %x : !np.array<?xi8> -> tensor<?xi8>
  %p = np.reduce "argmax" %v axes [0] : tensor<?xi8> -> tensor<i64>
  %r = np.new %p : tensor<i64> -> !np.array<i64>
  return %r : !np.array<i64>
}

// CHECK-LABEL: func.func @host
// CHECK:       scf.parallel {{.*}} -> f64
// CHECK:       scf.parallel {{.*}} -> i64
func.func @host(%x: !np.array<?xf64>) -> !np.array<i64> attributes {np.target = "cpu"} {
  %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
  %p = np.reduce "argmin" %v axes [0] : tensor<?xf64> -> tensor<i64>
  %r = np.new %p : tensor<i64> -> !np.array<i64>
  return %r : !np.array<i64>
}
