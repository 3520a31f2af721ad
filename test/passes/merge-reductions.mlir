// RUN: npcc-opt %s --npcc-merge-reductions | FileCheck %s

// What one kernel stores the other one adds up: the sum takes the value, and the loop stores.
// CHECK-LABEL: func.func @total
// CHECK:       np.kernel (%{{.*}}) = (%{{.*}}) {
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = {{.*}} to (%arg3, %arg4)
// CHECK:           %[[X:.*]] = memref.load %arg0[%[[I]], %[[J]]]
// CHECK:           %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NOT:       memref.load
// CHECK:           memref.store %[[Y]], %arg1[%[[I]], %[[J]]]
// CHECK-NEXT:      scf.reduce(%[[Y]] : f64)
// CHECK:         memref.store %{{.*}}, %arg2[]
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @total(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %sum: memref<f64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%i, %j) = (%n, %m) {
    %a = memref.load %x[%i, %j] : memref<?x?xf64>
    %b = arith.addf %a, %a : f64
    memref.store %b, %y[%i, %j] : memref<?x?xf64>
  }
  np.kernel (%k) = (%c1) {
    %s = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%z) -> f64 {
      %a = memref.load %y[%i, %j] : memref<?x?xf64>
      scf.reduce(%a : f64) { ^bb0(%p: f64, %q: f64):
        %t = arith.addf %p, %q : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %sum[] : memref<f64>
  }
  return
}

// Columns, with the reduction first; kernels between the two and a number that the host stores touch neither array.
// CHECK-LABEL: func.func @columns
// CHECK:       np.kernel (%[[J:.*]]) = (%arg4) {
// CHECK:         scf.parallel (%[[I:.*]]) = {{.*}} to (%arg3)
// CHECK:           memref.load %arg0[%[[I]], %[[J]]]
// CHECK:           %[[Y:.*]] = arith.mulf
// CHECK:           memref.store %[[Y]], %[[NEW:.*]][%[[I]], %[[J]]]
// CHECK:       memref.store %{{.*}}, %arg5[]
// CHECK:       np.kernel
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @columns(%x: memref<?x?xf64>, %sums: memref<?xf64>, %other: memref<?xf64>, %n: index, %m: index, %number: memref<f64>) -> memref<?x?xf64>
    attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%j) = (%m) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %a = memref.load %x[%i, %j] : memref<?x?xf64>
      scf.reduce(%a : f64) { ^bb0(%p: f64, %q: f64):
        %t = arith.addf %p, %q : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %sums[%j] : memref<?xf64>
  }
  memref.store %z, %number[] : memref<f64>
  np.kernel (%i) = (%n) {
    memref.store %z, %other[%i] : memref<?xf64>
  }
  %new = np.alloc(%n, %m) : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %a = memref.load %x[%i, %j] : memref<?x?xf64>
    %b = arith.mulf %a, %a : f64
    memref.store %b, %new[%i, %j] : memref<?x?xf64>
  }
  return %new : memref<?x?xf64>
}

// A stencil's change: the reduction goes over the inside, the other kernel over all; beyond the inside it adds nothing.
// CHECK-LABEL: func.func @inside
// CHECK:       np.kernel
// CHECK:         scf.parallel (%[[I:.*]]) = {{.*}} to (%arg3)
// CHECK:           %[[OLD:.*]] = memref.load %arg0[%[[I]]]
// CHECK:           %[[OWN:.*]] = arith.addi %[[I]], %c-1
// CHECK:           %[[FROM:.*]] = arith.cmpi sge, %[[OWN]], %{{.*}}
// CHECK:           %[[TO:.*]] = arith.cmpi slt, %[[OWN]], %{{.*}}
// CHECK:           %[[IS:.*]] = arith.andi %[[FROM]], %[[TO]]
// CHECK:           %[[TERM:.*]] = scf.if %[[IS]] -> (f64) {
// CHECK:             %[[AT:.*]] = arith.addi %[[OWN]], %{{.*}}
// CHECK:             memref.load %arg0[%[[AT]]]
// CHECK:           } else {
// CHECK:             scf.yield %[[NOTHING:.*]] : f64
// CHECK:           }
// CHECK:           memref.store %[[OLD]], %arg1[%[[I]]]
// CHECK:           scf.reduce(%[[TERM]] : f64)
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @inside(%x: memref<?xf64>, %y: memref<?xf64>, %most: memref<f64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %less = arith.constant -2 : index
  %z = arith.constant 0xFFF0000000000000 : f64
  %in = arith.addi %n, %less : index
  np.kernel (%i) = (%n) {
    %a = memref.load %x[%i] : memref<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
  }
  np.kernel (%k) = (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%in) step (%c1) init (%z) -> f64 {
      %at = arith.addi %i, %c1 : index
      %a = memref.load %x[%at] : memref<?xf64>
      scf.reduce(%a : f64) { ^bb0(%p: f64, %q: f64):
        %t = arith.maximumf %p, %q : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %most[] : memref<f64>
  }
  return
}

// The other way round: the map goes over the inside of what is added up.
// CHECK-LABEL: func.func @around
// CHECK:       np.kernel
// CHECK:         scf.parallel (%[[I:.*]]) = {{.*}} to (%arg3)
// CHECK:           memref.load %arg0[%[[I]]]
// CHECK:           %[[OWN:.*]] = arith.addi %[[I]], %c-1
// CHECK:           scf.if %{{.*}} {
// CHECK:             %[[AT:.*]] = arith.addi %[[OWN]], %{{.*}}
// CHECK:             memref.load %arg0[%[[AT]]]
// CHECK:             memref.store %{{.*}}, %arg1[%[[OWN]]]
// CHECK:           }
// CHECK:           scf.reduce
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @around(%x: memref<?xf64>, %y: memref<?xf64>, %sum: memref<f64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %less = arith.constant -2 : index
  %z = arith.constant 0.0 : f64
  %in = arith.addi %n, %less : index
  np.kernel (%k) = (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %a = memref.load %x[%i] : memref<?xf64>
      scf.reduce(%a : f64) { ^bb0(%p: f64, %q: f64):
        %t = arith.addf %p, %q : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %sum[] : memref<f64>
  }
  np.kernel (%i) = (%in) {
    %at = arith.addi %i, %c1 : index
    %a = memref.load %x[%at] : memref<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
  }
  return
}

// The map needs the total; it stores what other positions of the reduction read; nothing is common; other extents.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-8: np.kernel
// CHECK:       return
func.func @apart(%x: memref<?xf64>, %y: memref<?xf64>, %sum: memref<f64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%k) = (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %a = memref.load %x[%i] : memref<?xf64>
      scf.reduce(%a : f64) { ^bb0(%p: f64, %q: f64):
        %t = arith.addf %p, %q : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %sum[] : memref<f64>
  }
  np.kernel (%i) = (%n) {
    %a = memref.load %x[%i] : memref<?xf64>
    %s = memref.load %sum[] : memref<f64>
    %b = arith.divf %a, %s : f64
    memref.store %b, %y[%i] : memref<?xf64>
  }
  func.call @barrier() : () -> ()
  np.kernel (%i) = (%n) {
    %a = memref.load %x[%i] : memref<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
  }
  np.kernel (%k) = (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %a = memref.load %x[%i] : memref<?xf64>
      %at = arith.addi %i, %c1 : index
      %b = memref.load %y[%at] : memref<?xf64>
      %c = arith.addf %a, %b : f64
      scf.reduce(%c : f64) { ^bb0(%p: f64, %q: f64):
        %t = arith.addf %p, %q : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %sum[] : memref<f64>
  }
  func.call @barrier() : () -> ()
  np.kernel (%k) = (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %a = memref.load %x[%i] : memref<?xf64>
      scf.reduce(%a : f64) { ^bb0(%p: f64, %q: f64):
        %t = arith.addf %p, %q : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %sum[] : memref<f64>
  }
  np.kernel (%i) = (%n) {
    memref.store %z, %y[%i] : memref<?xf64>
  }
  func.call @barrier() : () -> ()
  np.kernel (%k) = (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %a = memref.load %x[%i] : memref<?xf64>
      scf.reduce(%a : f64) { ^bb0(%p: f64, %q: f64):
        %t = arith.addf %p, %q : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %sum[] : memref<f64>
  }
  np.kernel (%i) = (%m) {
    %a = memref.load %x[%i] : memref<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
  }
  return
}
func.func private @barrier()

// The reduction needs what stands between the two, so the map comes to the reduction; a product between them touches
// neither.
// CHECK-LABEL: func.func @waits
// CHECK:       np.kernel
// CHECK:       memref.store %{{.*}}, %[[MEAN:.*]][] : memref<f64>
// CHECK:       np.call_matmul
// CHECK-NEXT:  np.kernel (%{{.*}}) = (%c1)
// CHECK:         scf.parallel
// CHECK:           memref.store %{{.*}}, %[[Y:.*]][%{{.*}}] : memref<?xf64>
// CHECK:           scf.reduce
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @waits(%x: memref<?xf64>, %z: memref<?xf64>, %n: index, %p: memref<?x?xf64>, %q: memref<?x?xf64>) -> (memref<?xf64>, memref<f64>)
    attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %y = np.alloc(%n) : memref<?xf64>
  %mean = np.alloc() : memref<f64>
  %sum = np.alloc() : memref<f64>
  %product = np.alloc(%n, %n) : memref<?x?xf64>
  np.kernel (%i) = (%n) {
    %a = memref.load %x[%i] : memref<?xf64>
    %b = math.sqrt %a : f64
    memref.store %b, %y[%i] : memref<?xf64>
  }
  np.kernel (%k) = (%c1) {
    %a = memref.load %z[%c0] : memref<?xf64>
    memref.store %a, %mean[] : memref<f64>
  }
  np.call_matmul %p, %q into %product {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
  np.kernel (%k) = (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
      %a = memref.load %y[%i] : memref<?xf64>
      %b = memref.load %mean[] : memref<f64>
      %c = arith.subf %a, %b : f64
      scf.reduce(%c : f64) { ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %sum[] : memref<f64>
  }
  return %y, %sum : memref<?xf64>, memref<f64>
}
