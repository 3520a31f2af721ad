// RUN: npcc-opt %s --npcc-column-reductions --canonicalize --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @columns
// CHECK: np.alternatives "rows of columns in parts"
// CHECK: np.release
// CHECK: } or {
// CHECK: np.alternatives "many columns"
// CHECK: np.kernel (%{{.*}}) =
// CHECK-DAG: %[[SUMS:.*]] = memref.alloca() : memref<512xf64>
// CHECK-DAG: %[[PENDING:.*]] = memref.alloca() : memref<20480xf64>
// Leaves of rows, with the columns inside.
// CHECK: scf.for %{{.*}} step %c16 iter_args
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} step %c4
// CHECK: scf.for %[[COLUMN:.*]] = %{{.*}}
// CHECK: memref.load %{{.*}}[%[[ROW]], %[[COLUMN]]] {llvm.access_groups
// CHECK: arith.addf
// CHECK: llvm.loop_annotation
// CHECK: scf.while
// The epilogue over the block.
// CHECK: math.sqrt
// CHECK: memref.store {{.*}} {llvm.access_groups
// CHECK: } or {
// Few columns: as it was.
// CHECK: np.kernel (%[[I:.*]]) =
// CHECK: scf.parallel (%[[K:.*]]) = {{.*}} init
// CHECK: memref.load %{{.*}}[%[[K]], %[[I]]]
func.func @columns(%a: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %x = memref.load %a[%k, %i] : memref<?x?xf64>
      scf.reduce(%x : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    %r = math.sqrt %s : f64
    memref.store %r, %out[%i] : memref<?xf64>
  }
  return
}

// Many rows: parts of them, each of which is a kernel over columns, and the parts' sums.
// CHECK-LABEL: func.func @rows_in_parts
// CHECK: np.alternatives "rows of columns in parts" {{.*}} {
// CHECK: %[[PARTIALS:.*]] = np.alloc(%{{.*}}, %{{.*}}) : memref<?x?xf32>
// CHECK: np.kernel
// CHECK: llvm.loop_annotation
// CHECK: memref.store %{{.*}}, %[[PARTIALS]]
// CHECK: np.kernel
// CHECK: memref.load %[[PARTIALS]]
// CHECK: vectorize = <disable = true>
// CHECK: np.release %[[PARTIALS]]
// CHECK: } or {
// CHECK: np.alternatives "many columns"
// Four rows at a time go into the sums.
// CHECK: scf.for {{.*}} step %c4
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: arith.addf
func.func @rows_in_parts(%a: memref<?x?xf32>, %out: memref<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f32 {
      %x = memref.load %a[%k, %i] : memref<?x?xf32>
      scf.reduce(%x : f32) {
      ^bb0(%l: f32, %r: f32):
        %t = arith.addf %l, %r : f32
        scf.reduce.return %t : f32
      }
    }
    memref.store %s, %out[%i] : memref<?xf32>
  }
  return
}

// A search in a sorted vector: the passes outside, a block of searches inside. What is left to search is the same for all of them,
// and carried by the outer loop; their loads, at positions that are carried, are no vectors.
// CHECK-LABEL: func.func @search
// CHECK: np.alternatives "many columns"
// CHECK: %[[LOWS:.*]] = memref.alloca() : memref<128xindex>
// CHECK: scf.for
// CHECK: memref.store %c0, %[[LOWS]]
// CHECK: scf.for %{{.*}} iter_args(%[[LENGTH:.*]] = %{{.*}}) -> (index) {
// CHECK: %[[HALF:.*]] = arith.shrui %[[LENGTH]]
// CHECK: %[[REST:.*]] = arith.subi %[[LENGTH]], %[[HALF]]
// CHECK: scf.for
// CHECK: memref.load %[[LOWS]]
// CHECK: arith.select
// CHECK: memref.store %{{.*}}, %[[LOWS]]
// CHECK: } {llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = true>{{.*}}np.trips = 128
// CHECK: scf.yield %[[REST]]
// CHECK: memref.load %[[LOWS]]
func.func @search(%sorted: memref<?xf64>, %x: memref<?xf64>, %out: memref<?xindex>, %n: index, %m: index, %passes: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%n) {
    %wanted = memref.load %x[%i] : memref<?xf64>
    %found:2 = scf.for %pass = %c0 to %passes step %c1 iter_args(%low = %c0, %length = %m) -> (index, index) {
      %half = arith.shrui %length, %c1 : index
      %middle = arith.addi %low, %half : index
      %last = arith.subi %middle, %c1 : index
      %probe = memref.load %sorted[%last] : memref<?xf64>
      %before = arith.cmpf olt, %probe, %wanted : f64
      %next = arith.select %before, %middle, %low : index
      %rest = arith.subi %length, %half : index
      scf.yield %next, %rest : index, index
    }
    memref.store %found#0, %out[%i] : memref<?xindex>
  }
  return
}

// A polynomial: vectors of columns.
// CHECK-LABEL: func.func @polynomial
// CHECK: memref.alloca() : memref<128xf64>
// CHECK: arith.mulf
// CHECK: } {llvm.loop_annotation = #llvm.loop_annotation<vectorize = <disable = false>
func.func @polynomial(%c: memref<?xf64>, %x: memref<?xf64>, %out: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    %s = scf.for %k = %c0 to %m step %c1 iter_args(%sum = %zero) -> (f64) {
      %v = memref.load %x[%i] : memref<?xf64>
      %p = arith.mulf %sum, %v : f64
      %a = memref.load %c[%k] : memref<?xf64>
      %t = arith.addf %p, %a : f64
      scf.yield %t : f64
    }
    memref.store %s, %out[%i] : memref<?xf64>
  }
  return
}

// A row of its own for each iteration: as it was.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @rows(%a: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    %s = scf.for %k = %c0 to %m step %c1 iter_args(%sum = %zero) -> (f64) {
      %v = memref.load %a[%i, %k] : memref<?x?xf64>
      %t = arith.addf %sum, %v : f64
      scf.yield %t : f64
    }
    memref.store %s, %out[%i] : memref<?xf64>
  }
  return
}

// np.any down the columns: what a block of columns has so far is bytes, of which LLVM makes vectors.
// CHECK-LABEL: func.func @bits
// CHECK:       memref.alloca() : memref<{{.*}}xi8>
// CHECK:       scf.for
// CHECK:         %[[BYTE:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK:         arith.ori %{{.*}}, %[[BYTE]] : i8
// CHECK-NOT:   memref<{{.*}}xi1>
func.func @bits(%a: memref<?x?xf64>, %out: memref<?xi8>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %false = arith.constant false
  np.kernel columns (%i) = (%n) {
    %any = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%false) -> i1 {
      %x = memref.load %a[%k, %i] : memref<?x?xf64>
      %c = arith.cmpf ogt, %x, %zero : f64
      scf.reduce(%c : i1) {
      ^bb0(%l: i1, %r: i1):
        %o = arith.ori %l, %r : i1
        scf.reduce.return %o : i1
      }
    }
    %b = arith.extui %any : i1 to i8
    memref.store %b, %out[%i] : memref<?xi8>
  }
  return
}
