// Numbers that follow from a loop's counter alone, and take long, are computed once for each iteration.
// RUN: npcc-opt %s --npcc-tabulate-iterations --canonicalize --cse | FileCheck %s

// The check goes with the power: there is no other.
// CHECK-LABEL: func.func @powers
// CHECK-SAME:  (%[[X:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[M:.*]]: index, %[[BASE:.*]]: f64)
// CHECK:         %[[TABLE:.*]] = np.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         np.kernel (%[[K:.*]]) = (%{{.*}}) {
// CHECK:           arith.addi %[[K]], %c2
// CHECK:           %[[POWER:.*]] = math.powf %[[BASE]]
// CHECK:           np.assert
// CHECK:           %[[SHORT:.*]] = arith.truncf %[[POWER]]
// CHECK:           memref.store %[[SHORT]], %[[TABLE]][%[[K]]]
// CHECK:         np.kernel (%{{.*}}) = (%[[N]]) {
// CHECK:           scf.for %[[T:.*]] = %c2 to %[[M]]
// CHECK:             %[[AT:.*]] = arith.subi %[[T]], %c2
// CHECK:             memref.load %[[TABLE]][%[[AT]]]
// CHECK-NOT:         math.powf
// CHECK-NOT:         np.assert
func.func @powers(%x: memref<?xf32>, %n: index, %m: index, %base: f64) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %most = arith.constant 1.0e+300 : f64
  np.kernel (%i) = (%n) {
    scf.for %t = %c2 to %m step %c1 {
      %t64 = arith.index_cast %t : index to i64
      %tf = arith.sitofp %t64 : i64 to f64
      %p = math.powf %base, %tf : f64
      %fits = arith.cmpf olt, %p, %most : f64
      np.assert %fits, "OverflowError" "too large"()
      %short = arith.truncf %p : f64 to f32
      %u = memref.load %x[%i] : memref<?xf32>
      %v = arith.mulf %u, %short : f32
      memref.store %v, %x[%i] : memref<?xf32>
    }
  }
  return
}

// What takes no time, what needs an element, and a check beside one that needs an element stay.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-1: np.kernel
// CHECK-NOT:     np.kernel
func.func @others(%x: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%n) {
    scf.for %t = %c0 to %m step %c1 {
      %t64 = arith.index_cast %t : index to i64
      %tf = arith.sitofp %t64 : i64 to f64
      %u = memref.load %x[%i] : memref<?xf64>
      %a = arith.mulf %u, %tf : f64
      %b = math.exp %a : f64
      memref.store %b, %x[%i] : memref<?xf64>
    }
  }
  return
}

// A host's loop around it would make a table in each of its iterations.
// CHECK-LABEL: func.func @inside
// CHECK-COUNT-1: np.kernel
// CHECK-NOT:     np.kernel
func.func @inside(%x: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %m step %c1 {
    np.kernel (%i) = (%n) {
      scf.for %t = %c0 to %m step %c1 {
        %t64 = arith.index_cast %t : index to i64
        %tf = arith.sitofp %t64 : i64 to f64
        %b = math.exp %tf : f64
        %u = memref.load %x[%i] : memref<?xf64>
        %a = arith.mulf %u, %b : f64
        memref.store %a, %x[%i] : memref<?xf64>
      }
    }
  }
  return
}
