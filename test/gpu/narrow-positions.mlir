// Positions of 32 bits, where launches say that they fit.
// RUN: npcc-opt %s --npcc-narrow-positions --canonicalize | FileCheck %s

gpu.module @kernels {
  // Threads' numbers and parameters are known by their lower halves, and pointers take what is computed of them.
  // CHECK-LABEL: gpu.func @sum
  // CHECK-SAME:    %[[N:[^ ]*]]: index
  // CHECK-DAG:     %[[SMALL:.*]] = arith.index_cast %[[N]] : index to i32
  // CHECK-DAG:     %[[X:.*]] = gpu.thread_id x
  // CHECK-DAG:     %[[THREAD:.*]] = arith.index_cast %[[X]] : index to i32
  // CHECK:         %[[PLACE:.*]] = arith.addi %[[THREAD]], %[[SMALL]] overflow<nsw> : i32
  // CHECK:         arith.extsi %[[PLACE]] : i32 to i64
  // CHECK:         arith.cmpi slt, %{{.*}}, %[[SMALL]] : i32
  // CHECK:       ^{{.*}}(%[[I:.*]]: i32):
  // CHECK:         arith.addi %[[I]], %{{.*}} : i32
  gpu.func @sum(%n: index, %a: !llvm.ptr<1>) kernel attributes {np.small_positions} {
    %c1 = arith.constant 1 : index
    %x = gpu.thread_id x
    %place = arith.addi %x, %n overflow<nsw> : index
    %number = arith.index_cast %place : index to i64
    %p = llvm.getelementptr %a[%number] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %zero = arith.constant 0.0 : f32
    llvm.store %zero, %p : f32, !llvm.ptr<1>
    %isInside = arith.cmpi slt, %x, %n : index
    cf.cond_br %isInside, ^loop(%x : index), ^end
  ^loop(%i: index):
    %next = arith.addi %i, %c1 : index
    %goesOn = arith.cmpi slt, %next, %n : index
    cf.cond_br %goesOn, ^loop(%next : index), ^end
  ^end:
    gpu.return
  }

  // What comes from memory may be any number, and so may what is computed of it.
  // CHECK-LABEL: gpu.func @gather
  // CHECK:         %[[FOUND:.*]] = arith.index_cast %{{.*}} : i64 to index
  // CHECK:         arith.muli %[[FOUND]], %{{.*}} : index
  gpu.func @gather(%n: index, %a: !llvm.ptr<1>, %b: !llvm.ptr<1>) kernel attributes {np.small_positions} {
    %x = gpu.thread_id x
    %p = llvm.load %a : !llvm.ptr<1> -> i64
    %found = arith.index_cast %p : i64 to index
    %stride = arith.addi %x, %n : index
    %place = arith.muli %found, %stride : index
    %number = arith.index_cast %place : index to i64
    llvm.store %number, %b : i64, !llvm.ptr<1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @any
  // CHECK-NOT:     i32
  gpu.func @any(%n: index, %b: !llvm.ptr<1>) kernel {
    %x = gpu.thread_id x
    %place = arith.addi %x, %n : index
    %number = arith.index_cast %place : index to i64
    llvm.store %number, %b : i64, !llvm.ptr<1>
    gpu.return
  }
}
