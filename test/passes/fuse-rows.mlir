// Kernels that go over the same rows become one kernel, which is chosen where rows are many or short.
// RUN: npcc-opt %s --npcc-fuse-rows | FileCheck %s
// RUN: sed 's/"cpu"/"cuda"/' %s | npcc-opt --npcc-fuse-rows | FileCheck %s --check-prefix=CUDA

// A GPU's kernels are told that their rows are few.
// CUDA-LABEL: func.func @softmax
// CUDA:       } or {
// CUDA-COUNT-4: cut always

// The maximum is forwarded, the exponentials are written to the result's array; where rows are few and long all stays as it was.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME:    %[[X:.*]]: memref<?x?xf64>
// CHECK:       %[[Y:.*]] = np.alloc
// CHECK:       arith.cmpi sge, %{{.*}}, %c64
// CHECK:       arith.cmpi sle, %{{.*}}, %c4096
// CHECK:       np.alternatives {{.*}}
// CHECK-NOT:     np.alloc
// CHECK:         np.kernel (%[[I:.*]]) =
// CHECK:           %[[MAX:.*]] = scf.parallel
// CHECK:           scf.parallel (%[[K:.*]]) =
// CHECK:             arith.subf %{{.*}}, %[[MAX]]
// CHECK:             memref.store %{{.*}}, %[[Y]][%[[I]], %[[K]]]
// CHECK:           %[[SUM:.*]] = scf.parallel
// CHECK:             memref.load %[[Y]]
// CHECK:           scf.parallel
// CHECK:             arith.divf %{{.*}}, %[[SUM]]
// CHECK:             memref.store %{{.*}}, %[[Y]]
// CHECK:       } or {
// CHECK-COUNT-3: np.alloc
// CHECK-COUNT-4: np.kernel
// CHECK:       return %[[Y]]
func.func @softmax(%x: memref<?x?xf64>) -> memref<?x?xf64> attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %low = arith.constant 0xFFF0000000000000 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %l = memref.dim %x, %c1 : memref<?x?xf64>
  %max = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %m = scf.parallel (%k) = (%c0) to (%l) step (%c1) init (%low) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.maximumf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %m, %max[%i] : memref<?xf64>
  }
  %e = np.alloc(%n, %l) : memref<?x?xf64>
  np.kernel (%i, %k) = (%n, %l) {
    %u = memref.load %x[%i, %k] : memref<?x?xf64>
    %m = memref.load %max[%i] : memref<?xf64>
    %d = arith.subf %u, %m : f64
    %v = math.exp %d : f64
    memref.store %v, %e[%i, %k] : memref<?x?xf64>
  }
  %sum = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %m = scf.parallel (%k) = (%c0) to (%l) step (%c1) init (%z) -> f64 {
      %u = memref.load %e[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %m, %sum[%i] : memref<?xf64>
  }
  %y = np.alloc(%n, %l) : memref<?x?xf64>
  np.kernel (%i, %k) = (%n, %l) {
    %u = memref.load %e[%i, %k] : memref<?x?xf64>
    %m = memref.load %sum[%i] : memref<?xf64>
    %d = arith.divf %u, %m : f64
    memref.store %d, %y[%i, %k] : memref<?x?xf64>
  }
  return %y : memref<?x?xf64>
}

// What the first writes in one row the second reads in all: two kernels.
// CHECK-LABEL: func.func @all_rows
// CHECK-NOT:   scf.if
// CHECK:       return
func.func @all_rows(%x: memref<?x?xf64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %s = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %m = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %m, %s[%i] : memref<?xf64>
  }
  np.kernel (%i, %k) = (%n, %n) {
    %u = memref.load %x[%i, %k] : memref<?x?xf64>
    %m = memref.load %s[%k] : memref<?xf64>
    %d = arith.divf %u, %m : f64
    memref.store %d, %y[%i, %k] : memref<?x?xf64>
  }
  return
}

// Arguments of the general version may overlap.
// CHECK-LABEL: func.func @overlap
// CHECK-NOT:   scf.if
// CHECK:       return
func.func @overlap(%x: memref<?x?xf64>, %y: memref<?x?xf64>) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %l = memref.dim %x, %c1 : memref<?x?xf64>
  %s = np.alloc(%n) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %m = scf.parallel (%k) = (%c0) to (%l) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %m, %s[%i] : memref<?xf64>
  }
  np.kernel (%i, %k) = (%n, %l) {
    %u = memref.load %x[%i, %k] : memref<?x?xf64>
    %m = memref.load %s[%i] : memref<?xf64>
    %d = arith.divf %u, %m : f64
    memref.store %d, %y[%i, %k] : memref<?x?xf64>
  }
  return
}
