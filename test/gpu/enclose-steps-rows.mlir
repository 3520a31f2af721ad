// A loop whose iterations need only what their own row holds is run by rows: no team waits for another one.
// RUN: npcc-opt %s --npcc-enclose-steps | FileCheck %s
// RUN: npcc-opt %s --npcc-enclose-steps --npcc-classify-kernels --npcc-map-kernels | FileCheck %s --check-prefix=LAUNCH

// CHECK-LABEL: func.func @ensemble
// CHECK:       np.alternatives "steps by rows"
// CHECK:         %[[BUFFER:.*]] = np.alloc
// CHECK:         np.kernel steps (%[[ROW:.*]]) = (%{{.*}}) by rows {
// CHECK-NEXT:      scf.for
// CHECK:             scf.parallel (%[[J:.*]]) =
// CHECK:               memref.load %arg0[%[[ROW]], %[[J]]]
// CHECK:               memref.store %{{.*}}, %[[BUFFER]][%[[ROW]], %[[J]]]
// CHECK:             scf.parallel (%[[J2:.*]]) =
// CHECK:               memref.store %{{.*}}, %arg0[%[[ROW]], %[[J2]]]
// CHECK:       np.alternatives "steps in one block"
// CHECK:       np.alternatives "steps on the grid"

// Several rows to a block, each a team's.
// LAUNCH-LABEL: func.func @ensemble
// LAUNCH:       gpu.launch
// LAUNCH:         scf.for
// LAUNCH:           gpu.barrier
func.func @ensemble(%x: memref<?x?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf64>
  %n = memref.dim %x, %c1 : memref<?x?xf64>
  %last = arith.subi %n, %c1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %t = np.alloc(%rows, %n) : memref<?x?xf64>
    np.kernel (%i, %j) = (%rows, %n) {
      %mirrored = arith.subi %last, %j : index
      %a = memref.load %x[%i, %j] : memref<?x?xf64>
      %b = memref.load %x[%i, %mirrored] : memref<?x?xf64>
      %s = arith.addf %a, %b : f64
      memref.store %s, %t[%i, %j] : memref<?x?xf64>
    }
    np.kernel (%i, %j) = (%rows, %n) {
      %a = memref.load %t[%i, %j] : memref<?x?xf64>
      memref.store %a, %x[%i, %j] : memref<?x?xf64>
    }
    np.release %t : memref<?x?xf64>
  }
  return
}

// Rows that read what others wrote are not on their own.
// CHECK-LABEL: func.func @neighbours
// CHECK-NOT:   "steps by rows"
// CHECK:       np.alternatives "steps in one block"
func.func @neighbours(%x: memref<?x?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf64>
  %n = memref.dim %x, %c1 : memref<?x?xf64>
  %last = arith.subi %rows, %c1 : index
  scf.for %k = %c0 to %steps step %c1 {
    %t = np.alloc(%rows, %n) : memref<?x?xf64>
    np.kernel (%i, %j) = (%rows, %n) {
      %mirrored = arith.subi %last, %i : index
      %a = memref.load %x[%mirrored, %j] : memref<?x?xf64>
      memref.store %a, %t[%i, %j] : memref<?x?xf64>
    }
    np.kernel (%i, %j) = (%rows, %n) {
      %a = memref.load %t[%i, %j] : memref<?x?xf64>
      memref.store %a, %x[%i, %j] : memref<?x?xf64>
    }
    np.release %t : memref<?x?xf64>
  }
  return
}

// Numbers that the host reads of what the loop writes are of no row.
// CHECK-LABEL: func.func @first_decides
// CHECK-NOT:   "steps by rows"
func.func @first_decides(%x: memref<?x?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf64>
  %n = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %k = %c0 to %steps step %c1 {
    %first = memref.load %x[%c0, %c0] : memref<?x?xf64>
    np.kernel (%i, %j) = (%rows, %n) {
      %a = memref.load %x[%i, %j] : memref<?x?xf64>
      %s = arith.addf %a, %first : f64
      memref.store %s, %x[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// A row of a product needs its own row of the left matrix and all of the right one, which the loop does not write.
// CHECK-LABEL: func.func @mixed
// CHECK:       np.alternatives "steps by rows"
// CHECK:         np.kernel steps (%[[ROW:.*]]) = (%{{.*}}) by rows {
// CHECK-NEXT:      scf.for
// CHECK:             scf.parallel (%[[J:.*]]) =
// CHECK:               memref.load %arg0[%[[ROW]], %[[K:.*]]]
// CHECK:               memref.load %arg1[%[[K]], %[[J]]]
func.func @mixed(%x: memref<?x?xf64>, %w: memref<?x?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf64>
  %n = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %k = %c0 to %steps step %c1 {
    %t = np.alloc(%rows, %n) : memref<?x?xf64>
    np.call_matmul %x, %w into %t {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
    np.kernel (%i, %j) = (%rows, %n) {
      %a = memref.load %t[%i, %j] : memref<?x?xf64>
      memref.store %a, %x[%i, %j] : memref<?x?xf64>
    }
    np.release %t : memref<?x?xf64>
  }
  return
}

// A right matrix that the loop writes is all rows'.
// CHECK-LABEL: func.func @mixing
// CHECK-NOT:   "steps by rows"
// CHECK:       np.alternatives "steps in one block"
func.func @mixing(%x: memref<?x?xf64>, %w: memref<?x?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf64>
  %n = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %k = %c0 to %steps step %c1 {
    %t = np.alloc(%rows, %n) : memref<?x?xf64>
    np.call_matmul %w, %x into %t {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
    np.kernel (%i, %j) = (%rows, %n) {
      %a = memref.load %t[%i, %j] : memref<?x?xf64>
      memref.store %a, %x[%i, %j] : memref<?x?xf64>
    }
    np.release %t : memref<?x?xf64>
  }
  return
}

// So is a matrix that is multiplied by itself.
// CHECK-LABEL: func.func @squared
// CHECK-NOT:   "steps by rows"
// CHECK:       np.alternatives "steps in one block"
func.func @squared(%x: memref<?x?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  scf.for %k = %c0 to %steps step %c1 {
    %t = np.alloc(%n, %n) : memref<?x?xf64>
    np.call_matmul %x, %x into %t {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
    np.kernel (%i, %j) = (%n, %n) {
      %a = memref.load %t[%i, %j] : memref<?x?xf64>
      memref.store %a, %x[%i, %j] : memref<?x?xf64>
    }
    np.release %t : memref<?x?xf64>
  }
  return
}

// Rows that disagree on whether they are stored into would wait for each other where some of them do not come.
// CHECK-LABEL: func.func @disagree
// CHECK-NOT:   "steps by rows"
// CHECK:       return
// LAUNCH-LABEL: func.func @disagree
func.func @disagree(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %t = %c0 to %steps step %c1 {
    np.kernel (%i) = (%n) {
      %a = memref.load %x[%i] : memref<?xf64>
      %is = arith.cmpf olt, %a, %zero : f64
      scf.if %is {
        %b = memref.load %y[%t] : memref<?xf64>
        memref.store %b, %x[%i] : memref<?xf64>
      }
    }
  }
  return
}
