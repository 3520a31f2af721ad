// Divisions whose operands the host knows are done once, before the launch; a divisor that could be 0 is at least 1 there.
// RUN: npcc-opt %s --npcc-hoist-divisions | FileCheck %s

// The ends of rounds: what the quotient is multiplied with moves too, and the product alone becomes a parameter.
// CHECK-LABEL: func.func @rounds(
// CHECK-SAME:    %[[N:.*]]: index, %[[SIZE:.*]]: index, %[[P:.*]]: !llvm.ptr<1>)
// CHECK:         %[[STRIDE:.*]] = arith.muli %[[SIZE]], %{{.*}}
// CHECK:         %[[SAFE:.*]] = arith.maxui %[[STRIDE]], %{{.*}}
// CHECK:         %[[QUOTIENT:.*]] = arith.divui %[[N]], %[[SAFE]]
// CHECK:         %[[END:.*]] = arith.muli %[[QUOTIENT]], %[[STRIDE]]
// CHECK:         gpu.launch
// CHECK-NOT:       arith.divui
// CHECK:           scf.for %{{.*}} = %{{.*}} to %[[END]]
func.func @rounds(%n: index, %size: index, %p: !llvm.ptr<1>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %size, %sy = %c1, %sz = %c1) {
    %stride = arith.muli %sx, %c8 : index
    %rounds = arith.divui %n, %stride : index
    %end = arith.muli %rounds, %stride : index
    scf.for %i = %tx to %end step %stride {
      %k = arith.index_cast %i : index to i64
      llvm.store %k, %p : i64, !llvm.ptr<1>
    }
    gpu.terminator
  }
  return
}

// What differs between threads stays, and so does arithmetic without a division: a parameter costs as much.
// CHECK-LABEL: func.func @own(
// CHECK-NOT:     arith.{{add|div|rem|max}}
// CHECK:         gpu.launch
// CHECK:           arith.addi
// CHECK:           arith.divui
// CHECK:           arith.remui
func.func @own(%n: index, %m: index, %p: !llvm.ptr<1>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %sum = arith.addi %n, %m : index
    %row = arith.divui %tx, %m : index
    %column = arith.remui %tx, %sum : index
    %place = arith.addi %row, %column : index
    %k = arith.index_cast %place : index to i64
    llvm.store %k, %p : i64, !llvm.ptr<1>
    gpu.terminator
  }
  return
}

// A division by a constant needs no guard. By itself it is a few instructions, and stays.
// CHECK-LABEL: func.func @constant(
// CHECK-NOT:     arith.maxui
// CHECK:         gpu.launch
// CHECK:           arith.divui
func.func @constant(%n: index, %p: !llvm.ptr<1>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %part = arith.divui %n, %c4 : index
    %k = arith.index_cast %part : index to i64
    llvm.store %k, %p : i64, !llvm.ptr<1>
    gpu.terminator
  }
  return
}

// A branch may guard the divisor: the host divides all the same, by 1, and the kernel does not use the result.
// CHECK-LABEL: func.func @guarded(
// CHECK-SAME:    %[[N:.*]]: index, %[[M:.*]]: index, %[[HAS:.*]]: i1
// CHECK:         %[[SAFE:.*]] = arith.maxui %[[M]], %{{.*}}
// CHECK:         %[[QUOTIENT:.*]] = arith.remui %[[N]], %[[SAFE]]
// CHECK:         %[[CAST:.*]] = arith.index_cast %[[QUOTIENT]]
// CHECK:         gpu.launch
// CHECK:           scf.if %[[HAS]]
// CHECK-NEXT:        llvm.store %[[CAST]]
func.func @guarded(%n: index, %m: index, %has: i1, %p: !llvm.ptr<1>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    scf.if %has {
      %rest = arith.remui %n, %m : index
      %k = arith.index_cast %rest : index to i64
      llvm.store %k, %p : i64, !llvm.ptr<1>
    }
    gpu.terminator
  }
  return
}

// The runtime gives this launch as many blocks as run at once, which the host does not know.
// CHECK-LABEL: func.func @fitted(
// CHECK-NOT:     arith.divui
// CHECK:         gpu.launch
// CHECK:           arith.divui
func.func @fitted(%n: index, %blocks: index, %p: !llvm.ptr<1>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %part = arith.divui %n, %gx : index
    %k = arith.index_cast %part : index to i64
    llvm.store %k, %p : i64, !llvm.ptr<1>
    gpu.terminator
  } {npcc.cooperative, npcc.fitted}
  return
}
