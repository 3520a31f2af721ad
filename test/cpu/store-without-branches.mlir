// RUN: npcc-opt %s --npcc-store-without-branches --mlir-print-local-scope | FileCheck %s

// x[x > 0]: the element that is stored was loaded before. What is not selected goes into a place of its own.
// CHECK-LABEL: func.func @selected
// CHECK:       np.kernel map (%[[I:.*]]) =
// CHECK-NEXT:    %[[NOWHERE:.*]] = memref.alloca() : memref<1xf64>
// CHECK-NEXT:    %[[X:.*]] = memref.load %{{.*}}[%[[I]]] : memref<?xf64>
// CHECK:         %[[C:.*]] = arith.cmpf ogt
// CHECK-NOT:     scf.if
// CHECK-DAG:     %[[OTHER:.*]] = memref.cast %[[NOWHERE]]
// CHECK-DAG:     %[[TARGET:.*]] = arith.select %[[C]], %{{.*}}, %[[OTHER]] : memref<?xf64, strided<[?], offset: ?>>
// CHECK-DAG:     %[[P:.*]] = arith.select %[[C]], %{{.*}}, %{{.*}} : index
// CHECK:         memref.store %[[X]], %[[TARGET]][%[[P]]]
func.func @selected(%x: memref<?xf64>, %counts: memref<?xindex>, %a: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel map (%i) = (%n) {
    %v = memref.load %x[%i] : memref<?xf64>
    %p = memref.load %counts[%i] : memref<?xindex>
    %c = arith.cmpf ogt, %v, %zero : f64
    scf.if %c {
      %again = memref.load %x[%i] : memref<?xf64>
      memref.store %again, %a[%p] : memref<?xf64>
    }
  }
  return
}

// x[mask]: there may be no element to load where the mask is false.
// CHECK-LABEL: func.func @by_mask
// CHECK:       np.kernel map (%[[I:.*]]) =
// CHECK:         %[[C:.*]] = memref.load %{{.*}} : memref<?xi1>
// CHECK:         %[[FROM:.*]] = arith.select %[[C]], {{.*}} : memref<?xf64
// CHECK:         %[[AT:.*]] = arith.select %[[C]], %[[I]]
// CHECK:         %[[V:.*]] = memref.load %[[FROM]][%[[AT]]]
// CHECK:         memref.store %[[V]]
func.func @by_mask(%x: memref<?xf64>, %mask: memref<?xi1>, %counts: memref<?xindex>, %a: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel map (%i) = (%n) {
    %c = memref.load %mask[%i] : memref<?xi1>
    %p = memref.load %counts[%i] : memref<?xindex>
    scf.if %c {
      %v = memref.load %x[%i] : memref<?xf64>
      memref.store %v, %a[%p] : memref<?xf64>
    }
  }
  return
}

// At the iteration's own position vectors store parts of themselves; a border is guessed; and what takes long is not
// done in vain.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: scf.if
func.func @others(%x: memref<?xf64>, %mask: memref<?xi1>, %counts: memref<?xindex>, %a: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel map (%i) = (%n) {
    %c = memref.load %mask[%i] : memref<?xi1>
    %v = memref.load %x[%i] : memref<?xf64>
    %p = memref.load %counts[%i] : memref<?xindex>
    scf.if %c {
      memref.store %v, %a[%i] : memref<?xf64>
    }
    %border = arith.cmpi ult, %i, %n : index
    scf.if %border {
      memref.store %v, %a[%p] : memref<?xf64>
    }
    scf.if %c {
      %s = scf.for %k = %c0 to %n step %p iter_args(%t = %v) -> (f64) {
        %u = arith.addf %t, %v : f64
        scf.yield %u : f64
      }
      memref.store %s, %a[%p] : memref<?xf64>
    }
  }
  return
}
