// A `while` that appends to lists goes round in blocks of iterations for which there is room.
// RUN: npcc-opt %s --npcc-grow-in-blocks | FileCheck %s

// The condition only looks: it is asked again when there is room.
// CHECK-LABEL: func @notes(
// CHECK:         %[[FIRST:.*]] = np.make_room %{{.*}}[%{{.*}}] rows
// CHECK:         scf.while (%[[K:.*]] = %c0_i64, %[[LIST:.*]] = %[[FIRST]])
// CHECK:           %[[INNER:.*]]:5 = scf.while (%[[N:.*]] = %[[K]], %[[X:.*]] = %[[LIST]])
// CHECK:             %[[GOES:.*]] = arith.cmpi slt
// CHECK:             %[[ROOM:.*]] = np.dim %[[X]], 0
// CHECK:             %[[HAS:.*]] = arith.cmpi sle, %{{.*}}, %[[ROOM]]
// CHECK:             %[[GOESON:.*]] = arith.andi %[[GOES]], %[[HAS]]
// CHECK:             scf.condition(%[[GOESON]]) %[[N]], %[[X]], %[[N]], %[[X]], %[[GOES]]
// CHECK:             do
// CHECK-NOT:         np.make_room
// CHECK:             np.store
// CHECK:           scf.condition(%[[INNER]]#4)
// CHECK:           do
// CHECK:           np.make_room
// CHECK:           scf.yield
func.func @notes(%value: tensor<f64>, %list: !np.array<?xf64>, %times: i64) -> (i64, !np.array<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : index
  %r:2 = scf.while (%k = %c0, %x = %list) : (i64, !np.array<?xf64>) -> (i64, !np.array<?xf64>) {
    %goes = arith.cmpi slt, %k, %times : i64
    scf.condition(%goes) %k, %x : i64, !np.array<?xf64>
  } do {
  ^bb0(%k: i64, %x: !np.array<?xf64>):
    %n = arith.index_cast %k : i64 to index
    %rows = arith.addi %n, %one : index
    %y = np.make_room %x[%n] rows %rows extents[] : !np.array<?xf64>
    %item = np.view %y offsets[%n] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    np.store %value, %item : tensor<f64>, !np.array<f64>
    %next = arith.addi %k, %c1 : i64
    scf.yield %next, %y : i64, !np.array<?xf64>
  }
  return %r#0, %r#1 : i64, !np.array<?xf64>
}

// The iteration is the condition, and an item is appended in a branch of it: what comes behind is there twice.
// CHECK-LABEL: func @rotated(
// CHECK:         np.make_room
// CHECK:         scf.while
// CHECK:           scf.while
// CHECK:             %[[BOTH:.*]]:2 = scf.if
// CHECK-NOT:           np.make_room
// CHECK:               np.store
// CHECK:             arith.cmpi sle
// CHECK:             do
// CHECK:             np.store %{{.*}}, %arg3
// CHECK:           do
// CHECK:           np.store %{{.*}}, %arg3
// CHECK:           np.make_room
func.func @rotated(%value: tensor<f64>, %list: !np.array<?xf64>, %goes: i1, %to: !np.array<f64>) -> (i64, !np.array<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : index
  %r:2 = scf.while (%k = %c0, %x = %list) : (i64, !np.array<?xf64>) -> (i64, !np.array<?xf64>) {
    %both:2 = scf.if %goes -> (i64, !np.array<?xf64>) {
      %n = arith.index_cast %k : i64 to index
      %rows = arith.addi %n, %one : index
      %y = np.make_room %x[%n] rows %rows extents[] : !np.array<?xf64>
      %item = np.view %y offsets[%n] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
      np.store %value, %item : tensor<f64>, !np.array<f64>
      %next = arith.addi %k, %c1 : i64
      scf.yield %next, %y : i64, !np.array<?xf64>
    } else {
      scf.yield %k, %x : i64, !np.array<?xf64>
    }
    np.store %value, %to : tensor<f64>, !np.array<f64>
    scf.condition(%goes) %both#0, %both#1 : i64, !np.array<?xf64>
  } do {
  ^bb0(%k: i64, %x: !np.array<?xf64>):
    np.store %value, %to : tensor<f64>, !np.array<f64>
    scf.yield %k, %x : i64, !np.array<?xf64>
  }
  return %r#0, %r#1 : i64, !np.array<?xf64>
}

// By how many rows a list gets longer is not known: it makes room itself.
// CHECK-LABEL: func @parts(
// CHECK-COUNT-1: scf.while
// CHECK:           np.make_room
// CHECK-NOT:     scf.while
func.func @parts(%list: !np.array<?xf64>, %times: i64, %some: i64) -> (i64, !np.array<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : i64
  %r:2 = scf.while (%k = %c0, %x = %list) : (i64, !np.array<?xf64>) -> (i64, !np.array<?xf64>) {
    %goes = arith.cmpi slt, %k, %times : i64
    scf.condition(%goes) %k, %x : i64, !np.array<?xf64>
  } do {
  ^bb0(%k: i64, %x: !np.array<?xf64>):
    %n = arith.index_cast %k : i64 to index
    %next = arith.addi %k, %some : i64
    %rows = arith.index_cast %next : i64 to index
    %y = np.make_room %x[%n] rows %rows extents[] : !np.array<?xf64>
    scf.yield %next, %y : i64, !np.array<?xf64>
  }
  return %r#0, %r#1 : i64, !np.array<?xf64>
}
