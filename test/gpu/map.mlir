// Elementwise kernels: two f64 a thread where the host's test finds every array aligned; one by one else.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @saxpy
// The shift that aligns the stored array, and the test that the others are aligned with it.
// CHECK-DAG:   %[[X:.*]] = memref.extract_aligned_pointer_as_index %arg1
// CHECK-DAG:   %[[Y:.*]] = memref.extract_aligned_pointer_as_index %arg2
// CHECK:       %[[SHIFT:.*]] = arith.andi %{{.*}}, %c1
// CHECK:       %[[ALIGNED:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK:       gpu.launch {{.*}} threads({{.*}} = %c256
// CHECK:         scf.if
// CHECK-COUNT-2:   llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<2xf64>
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.mulf
// CHECK:           llvm.store {{.*}} {alignment = 16 : i64} : vector<2xf64>
// CHECK:         } else {
// CHECK-NEXT:      scf.for
// CHECK-COUNT-2:     llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> f64
// CHECK:       np.class = "map"
func.func @saxpy(%a: f64, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %v = memref.load %y[%i] : memref<?xf64>
    %p = arith.mulf %a, %u : f64
    %s = arith.addf %p, %v : f64
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// Contiguous arrays of two axes run as one row: decided at run time, since the strides may be those of views.
// CHECK-LABEL: func.func @two_axes
// CHECK:       %[[JOIN:.*]] = arith.cmpi eq, %{{.*}}, %[[M:.*]] : index
// CHECK:       arith.muli %[[N:.*]], %[[M]]
// CHECK:       arith.select %{{.*}}, %c1, %[[N]]
// CHECK:       gpu.launch
func.func @two_axes(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  np.kernel (%i, %j) = (%n, %m) {
    %u = memref.load %x[%i, %j] : memref<?x?xf32>
    memref.store %u, %y[%i, %j] : memref<?x?xf32>
  }
  return
}
// CHECK:       llvm.load {{.*}} -> vector<4xf32>

// A loop of unknown length is the thread's own: one element a thread.
// CHECK-LABEL: func.func @while
// CHECK:       gpu.launch
// CHECK-NOT:   vector<
// CHECK:       scf.while
// CHECK-NOT:   scf.while
func.func @while(%x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %w = scf.while (%v = %u) : (f64) -> f64 {
      %g = arith.cmpf ogt, %v, %one : f64
      scf.condition(%g) %v : f64
    } do {
    ^bb0(%v: f64):
      %s = math.sqrt %v : f64
      scf.yield %s : f64
    }
    memref.store %w, %x[%i] : memref<?xf64>
  }
  return
}

// An axis that the host knows to be broadcast or not: vectors if it is not.
// CHECK-LABEL: func.func @maybe
// CHECK:       gpu.launch
// CHECK:       llvm.load {{.*}} -> vector<2xf64>
func.func @maybe(%x: memref<?xf64>, %y: memref<?xf64>, %is_broadcast: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %p = arith.select %is_broadcast, %c0, %i : index
    %u = memref.load %x[%p] : memref<?xf64>
    memref.store %u, %y[%i] : memref<?xf64>
  }
  return
}

// So is a loop that is as long as the element's position says: it would be there once for each element, unrolled.
// CHECK-LABEL: func.func @lengths_of_elements
// CHECK:       gpu.launch
// CHECK-NOT:   vector<
// CHECK-COUNT-2: scf.for
// CHECK-NOT:   scf.for
// CHECK:       np.class = "map"
func.func @lengths_of_elements(%y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %y, %c0 : memref<?xf64>
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%i) step (%c1) init (%zero) -> f64 {
      %p = arith.index_cast %k : index to i64
      %u = arith.sitofp %p : i64 to f64
      scf.reduce(%u : f64) {
      ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64
      }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// Small elements are moved as words.
// CHECK-LABEL: func.func @bytes
// CHECK:       gpu.launch
// CHECK:         %[[WORDS:.*]] = llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK:         llvm.bitcast %[[WORDS]] : vector<4xi32> to vector<16xi8>
// CHECK:         llvm.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
func.func @bytes(%x: memref<?xi8>, %y: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i8
  %n = memref.dim %x, %c0 : memref<?xi8>
  np.kernel (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xi8>
    %v = arith.xori %u, %one : i8
    memref.store %v, %y[%i] : memref<?xi8>
  }
  return
}

// Small matrices of a stack share a block: it is as wide and as high as they are, and so deep that it is full.
// CHECK-LABEL: func.func @stack
// CHECK:       gpu.launch blocks(%{{[^,]*}}, %{{[^,]*}}, %[[B:[^ )]*]]) in
// CHECK-SAME:  threads(%{{[^,]*}}, %{{[^,]*}}, %[[T:[^ )]*]]) in (%{{.*}}, %{{.*}}, %{{[^ ]*}} = %[[DEPTH:[^ )]*]]) {
// CHECK:         %[[FIRST:.*]] = arith.muli %[[B]], %[[DEPTH]]
// CHECK:         %[[FROM:.*]] = arith.addi %[[FIRST]], %[[T]]
// CHECK:         scf.for %{{.*}} = %[[FROM]] to
func.func @stack(%x: memref<?x4xf32>, %y: memref<?x4x4xf32>, %n: index) {
  %c4 = arith.constant 4 : index
  np.kernel (%s, %i, %j) = (%n, %c4, %c4) {
    %u = memref.load %x[%s, %i] : memref<?x4xf32>
    memref.store %u, %y[%s, %i, %j] : memref<?x4x4xf32>
  }
  return
}
