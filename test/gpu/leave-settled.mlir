// A thread leaves a loop whose further iterations would change nothing.
// RUN: npcc-opt %s --npcc-leave-settled | FileCheck %s

gpu.module @kernels {
  // A point that has escaped is kept, and counts no longer. Its condition is asked before an iteration begins.
  // CHECK-LABEL: gpu.func @escape
  // CHECK:         scf.while (%[[K:.*]] = %c0, %[[Z:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}) : (index, f64, i64) -> (index, f64, i64)
  // CHECK:           %[[INSIDE:.*]] = arith.cmpf olt, %[[Z]], %{{.*}} : f64
  // CHECK:           %[[IS_NEXT:.*]] = arith.cmpi slt, %[[K]], %{{.*}} : index
  // CHECK:           %[[GOES:.*]] = arith.andi %[[IS_NEXT]], %[[INSIDE]] : i1
  // CHECK:           scf.condition(%[[GOES]]) %[[K]], %[[Z]], %[[N]]
  // CHECK:         } do {
  // CHECK:           arith.select
  // CHECK:           %[[NEXT:.*]] = arith.addi %{{.*}}, %c1 : index
  // CHECK:           scf.yield %[[NEXT]], %{{.*}}, %{{.*}} : index, f64, i64
  gpu.func @escape(%n: index, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant 0 : i64
    %four = arith.constant 4.0 : f64
    %z0 = llvm.load %p : !llvm.ptr<1> -> f64
    %last:2 = scf.for %k = %c0 to %n step %c1 iter_args(%z = %z0, %count = %none) -> (f64, i64) {
      %is_inside = arith.cmpf olt, %z, %four : f64
      %square = arith.mulf %z, %z : f64
      %next = arith.select %is_inside, %square, %z : f64
      %one = arith.extui %is_inside : i1 to i64
      %more = arith.addi %count, %one : i64
      scf.yield %next, %more : f64, i64
    }
    llvm.store %last#0, %p : f64, !llvm.ptr<1>
    llvm.store %last#1, %q : i64, !llvm.ptr<1>
    gpu.return
  }

  // A mask that is carried only loses elements, and what is stored is stored of those that are left.
  // CHECK-LABEL: gpu.func @left
  // CHECK:         scf.while (%[[K:.*]] = %c0, %[[LEFT:.*]] = %true) : (index, i1) -> (index, i1)
  // CHECK:           arith.andi %{{.*}}, %[[LEFT]] : i1
  // CHECK:         } do {
  // CHECK:           scf.if
  // CHECK:             llvm.store
  gpu.func @left(%n: index, %limit: index, %p: !llvm.ptr<1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%left = %true) -> (i1) {
      %is_done = arith.cmpi sgt, %k, %limit : index
      %leaves = arith.andi %left, %is_done : i1
      scf.if %leaves {
        %number = arith.index_cast %k : index to i64
        llvm.store %number, %p : i64, !llvm.ptr<1>
      }
      %is_before = arith.cmpi sle, %k, %limit : index
      %next = arith.andi %left, %is_before : i1
      scf.yield %next : i1
    }
    gpu.return
  }

  // A float that counts is no -0.0, which zero would change.
  // CHECK-LABEL: gpu.func @counts
  // CHECK:         scf.while (%{{.*}} = %c0, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (index, f64, f64) -> (index, f64, f64)
  // CHECK:         scf.for
  gpu.func @counts(%n: index, %p: !llvm.ptr<1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant 0.0 : f64
    %four = arith.constant 4.0 : f64
    %z0 = llvm.load %p : !llvm.ptr<1> -> f64
    %a:2 = scf.for %k = %c0 to %n step %c1 iter_args(%z = %z0, %count = %none) -> (f64, f64) {
      %is_inside = arith.cmpf olt, %z, %four : f64
      %square = arith.mulf %z, %z : f64
      %next = arith.select %is_inside, %square, %z : f64
      %one = arith.uitofp %is_inside : i1 to f64
      %more = arith.addf %count, %one : f64
      scf.yield %next, %more : f64, f64
    }
    %b:2 = scf.for %k = %c0 to %n step %c1 iter_args(%z = %z0, %count = %a#1) -> (f64, f64) {
      %is_inside = arith.cmpf olt, %z, %four : f64
      %square = arith.mulf %z, %z : f64
      %next = arith.select %is_inside, %square, %z : f64
      %one = arith.uitofp %is_inside : i1 to f64
      %more = arith.addf %count, %one : f64
      scf.yield %next, %more : f64, f64
    }
    llvm.store %b#1, %p : f64, !llvm.ptr<1>
    gpu.return
  }

  // What each iteration stores, or loads for all, needs all of them; so does a condition that the iteration's number decides.
  // One that is the same in all of them is the loop's, whose loads are under way at once.
  // CHECK-LABEL: gpu.func @stays
  // CHECK-COUNT-4: scf.for
  // CHECK-NOT:     scf.while
  gpu.func @stays(%n: index, %p: !llvm.ptr<1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %four = arith.constant 4.0 : f64
    %z0 = llvm.load %p : !llvm.ptr<1> -> f64
    %a = scf.for %k = %c0 to %n step %c1 iter_args(%z = %z0) -> (f64) {
      %is_inside = arith.cmpf olt, %z, %four : f64
      %square = arith.mulf %z, %z : f64
      %next = arith.select %is_inside, %square, %z : f64
      %number = arith.index_cast %k : index to i64
      %to = llvm.getelementptr %p[%number] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f64
      llvm.store %next, %to : f64, !llvm.ptr<1>
      scf.yield %next : f64
    }
    %b = scf.for %k = %c0 to %n step %c1 iter_args(%z = %a) -> (f64) {
      %is_inside = arith.cmpf olt, %z, %four : f64
      %number = arith.index_cast %k : index to i64
      %from = llvm.getelementptr %p[%number] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f64
      %x = llvm.load %from : !llvm.ptr<1> -> f64
      %sum = arith.addf %z, %x : f64
      %next = arith.select %is_inside, %sum, %z : f64
      scf.yield %next : f64
    }
    %c = scf.for %k = %c0 to %n step %c1 iter_args(%z = %b) -> (f64) {
      %is_begin = arith.cmpi slt, %k, %c1 : index
      %square = arith.mulf %z, %z : f64
      %next = arith.select %is_begin, %square, %z : f64
      scf.yield %next : f64
    }
    scf.for %k = %c0 to %n step %c1 {
      %is_mine = arith.cmpi slt, %n, %n : index
      scf.if %is_mine {
        llvm.store %c, %p : f64, !llvm.ptr<1>
      }
    }
    gpu.return
  }
}
