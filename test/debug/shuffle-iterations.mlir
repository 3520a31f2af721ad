// RUN: npcc-opt %s --npcc-shuffle-iterations | FileCheck %s

// One serial loop over all iterations of a kernel; the runtime says which one is next.
// CHECK-LABEL: func.func @map
// CHECK:       %[[TOTAL:.*]] = arith.muli
// CHECK:       %[[T:.*]] = arith.index_cast %[[TOTAL]] : index to i64
// CHECK:       llvm.call @npcc_rt_debug_begin(%[[T]], %{{.*}}) : (i64, i32) -> ()
// CHECK-NEXT:  scf.for %{{.*}} = %{{.*}} to %[[TOTAL]] step %{{.*}} {
// CHECK-NEXT:    %[[NEXT:.*]] = llvm.call @npcc_rt_debug_next() : () -> i64
// CHECK-NEXT:    %[[P:.*]] = arith.index_cast %[[NEXT]] : i64 to index
// CHECK-NEXT:    %[[J:.*]] = arith.remui %[[P]], %[[M:.*]] : index
// CHECK-NEXT:    %[[I:.*]] = arith.divui %[[P]], %[[M]] : index
// CHECK-NEXT:    %[[X:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT:    memref.store %[[X]], %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.call @npcc_rt_debug_end() : () -> ()
// CHECK-NOT:   np.kernel
func.func @map(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index, %m: index) {
  np.kernel map (%i, %j) = (%n, %m) {
    %x = memref.load %a[%i, %j] : memref<?x?xf64>
    memref.store %x, %b[%i, %j] : memref<?x?xf64>
  }
  return
}

// The loop inside is a space of its own. Half floats are summed in f32. There are three totals: when one has 16 or 256 elements the next larger takes it.
// CHECK-LABEL: func.func @rows
// CHECK:       llvm.call @npcc_rt_debug_begin
// CHECK:       scf.for
// CHECK:         %[[NONE:.*]] = arith.constant -0.0{{.*}} : f32
// CHECK:         llvm.call @npcc_rt_debug_begin
// CHECK:         %[[S:.*]]:3 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[SIXTEEN:.*]] = %[[NONE]], %[[MOST:.*]] = %[[NONE]]) -> (f32, f32, f32) {
// CHECK:           %[[K:.*]] = llvm.call @npcc_rt_debug_next
// CHECK:           %[[X:.*]] = memref.load
// CHECK:           %[[WIDE:.*]] = arith.extf %[[X]] : f16 to f32
// CHECK:           %[[NEXT:.*]] = arith.addf %[[SUM]], %[[WIDE]] : f32
// CHECK:           %[[FULL:.*]] = arith.cmpi eq
// CHECK:           %[[MORE:.*]] = arith.addf %[[SIXTEEN]], %[[NEXT]] : f32
// CHECK:           arith.select %[[FULL]], %[[NONE]], %[[NEXT]]
// CHECK:           arith.select %[[FULL]], %[[MORE]], %[[SIXTEEN]]
// CHECK:           scf.yield
// CHECK:         llvm.call @npcc_rt_debug_end
// CHECK:         %[[BOTH:.*]] = arith.addf %[[S]]#2, %[[S]]#1
// CHECK:         %[[ALL:.*]] = arith.addf %[[BOTH]], %[[S]]#0
// CHECK:         %[[R:.*]] = arith.truncf %[[ALL]] : f32 to f16
// CHECK:         memref.store %[[R]]
// CHECK:       llvm.call @npcc_rt_debug_end
func.func @rows(%a: memref<?x?xf16>, %b: memref<?xf16>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  np.kernel rows (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f16 {
      %x = memref.load %a[%i, %k] : memref<?x?xf16>
      scf.reduce(%x : f16) {
      ^bb0(%l: f16, %r: f16):
        %t = arith.addf %l, %r : f16
        scf.reduce.return %t : f16
      }
    }
    memref.store %s, %b[%i] : memref<?xf16>
  }
  return
}

// A fold keeps its order.
// CHECK-LABEL: func.func @scan
// CHECK:       %[[ORDERED:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK:       llvm.call @npcc_rt_debug_begin(%{{.*}}, %[[ORDERED]])
// CHECK-NEXT:  %{{.*}} = scf.for {{.*}} iter_args(%[[TOTAL:.*]] = %{{.*}}) -> (f64) {
// CHECK:         %[[K:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK:         %[[X:.*]] = memref.load %{{.*}}[%[[K]]]
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[TOTAL]], %[[X]]
// CHECK-NEXT:    memref.store %[[SUM]], %{{.*}}[%[[K]]]
// CHECK-NEXT:    scf.yield %[[SUM]]
func.func @scan(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel scan (%i) = (%c1) {
    %s = np.fold any neutral %n init(%zero) {
    ^bb0(%k: index):
      %x = memref.load %a[%k] : memref<?xf64>
      np.yield %x : f64
    } combine {
    ^bb0(%total: f64, %x: f64):
      %next = arith.addf %total, %x : f64
      np.yield %next : f64
    } each {
    ^bb0(%k: index, %total: f64):
      memref.store %total, %b[%k] : memref<?xf64>
      np.yield
    } : f64
  }
  return
}
