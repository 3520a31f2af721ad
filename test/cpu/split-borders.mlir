// RUN: npcc-opt %s --npcc-outline-kernels --npcc-split-borders --canonicalize --mlir-print-local-scope | FileCheck %s

// A gradient along the row: the inside neither asks nor is masked.
// CHECK-LABEL: func.func private @gradient.kernel0
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK: scf.for
// CHECK: scf.if
// CHECK: vectorize = <disable = true>
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: arith.subf
// CHECK: memref.store
// CHECK: vectorize = <disable = false>
func.func @gradient(%a: memref<?xf64>, %out: memref<?xf64>, %n: index, %last: index, %before: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%j) = (%n) {
    %d = arith.subi %j, %last : index
    %end = arith.cmpi eq, %d, %c0 : index
    %v = scf.if %end -> (f64) {
      %x = memref.load %a[%last] : memref<?xf64>
      %y = memref.load %a[%before] : memref<?xf64>
      %s = arith.subf %x, %y : f64
      scf.yield %s : f64
    } else {
      %start = arith.cmpi eq, %j, %c0 : index
      %w = scf.if %start -> (f64) {
        %x = memref.load %a[%c1] : memref<?xf64>
        %y = memref.load %a[%c0] : memref<?xf64>
        %s = arith.subf %x, %y : f64
        scf.yield %s : f64
      } else {
        %l = arith.subi %j, %c1 : index
        %r = arith.addi %j, %c1 : index
        %x = memref.load %a[%r] : memref<?xf64>
        %y = memref.load %a[%l] : memref<?xf64>
        %s = arith.subf %x, %y : f64
        scf.yield %s : f64
      }
      scf.yield %w : f64
    }
    memref.store %v, %out[%j] : memref<?xf64>
  }
  return
}

// A region: what is outside may be long and is vectorised too. A condition on data says nothing.
// CHECK-LABEL: func.func private @region.kernel0
// CHECK: vectorize = <disable = false>
// CHECK: scf.for
// CHECK: scf.if
// CHECK: vectorize = <disable = false>
func.func @region(%a: memref<?xf64>, %n: index, %from: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%j) = (%n) {
    %d = arith.subi %j, %from : index
    %inside = arith.cmpi ult, %d, %m : index
    scf.if %inside {
      %x = memref.load %a[%j] : memref<?xf64>
      %positive = arith.cmpf ogt, %x, %zero : f64
      scf.if %positive {
        memref.store %zero, %a[%j] : memref<?xf64>
      }
    }
  }
  return
}

// A roll: few positions take from the other end, on either side. What only they ask is not asked inside.
// CHECK-LABEL: func.func private @roll.kernel0
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK: scf.if
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: arith.addf
// CHECK: memref.store
// CHECK: vectorize = <disable = false>
func.func @roll(%a: memref<?xf64>, %out: memref<?xf64>, %n: index, %last: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %rest = arith.subi %n, %c3 : index
  np.kernel (%j) = (%n) {
    %before = arith.cmpi ult, %j, %rest : index
    %x = scf.if %before -> (f64) {
      %p = arith.addi %j, %c3 : index
      %v = memref.load %a[%p] : memref<?xf64>
      scf.yield %v : f64
    } else {
      %q = arith.subi %j, %rest : index
      %some = arith.cmpi ult, %q, %c3 : index
      %v = scf.if %some -> (f64) {
        %w = memref.load %a[%q] : memref<?xf64>
        scf.yield %w : f64
      } else {
        scf.yield %zero : f64
      }
      scf.yield %v : f64
    }
    %first = arith.cmpi ult, %j, %c1 : index
    %y = scf.if %first -> (f64) {
      %v = memref.load %a[%last] : memref<?xf64>
      scf.yield %v : f64
    } else {
      %p = arith.subi %j, %c1 : index
      %v = memref.load %a[%p] : memref<?xf64>
      scf.yield %v : f64
    }
    %s = arith.addf %x, %y : f64
    memref.store %s, %out[%j] : memref<?xf64>
  }
  return
}

// Parts put one behind the other: each has a loop of its own, and so has what lies in none.
// CHECK-LABEL: func.func private @parts.kernel0
// CHECK:       %[[LENGTHS:.*]] = arith.andi
// CHECK:       scf.if %[[LENGTHS]]
// CHECK:         scf.for
// CHECK-NOT:     scf.if
// CHECK:         memref.load
// CHECK:         scf.for %{{.*}} = %c0 to %c2
// CHECK:           scf.if
// CHECK:             scf.for
// CHECK-NOT:         scf.if
// CHECK:             memref.load
// CHECK:             scf.for %{{.*}} = %c0 to %c2
// CHECK:               scf.if
// CHECK:                 scf.for
// CHECK-NOT:               {{scf.if|memref.load}}
// CHECK:                   memref.store %cst
// CHECK:       } else {
func.func @parts(%a: memref<?xf64>, %b: memref<?xf64>, %out: memref<?xf64>, %n: index, %m: index, %both: index) {
  %zero = arith.constant 0.0 : f64
  np.kernel map (%j) = (%both) {
    %d = arith.subi %j, %n : index
    %second = arith.cmpi ult, %d, %m : index
    %v = scf.if %second -> (f64) {
      %x = memref.load %b[%d] : memref<?xf64>
      scf.yield %x : f64
    } else {
      %first = arith.cmpi ult, %j, %n : index
      %w = scf.if %first -> (f64) {
        %x = memref.load %a[%j] : memref<?xf64>
        scf.yield %x : f64
      } else {
        scf.yield %zero : f64
      }
      scf.yield %w : f64
    }
    memref.store %v, %out[%j] : memref<?xf64>
  }
  return
}
