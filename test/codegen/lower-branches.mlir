// A branch becomes blocks: both of its regions go on behind it, with what they yield. The last branch of a block is
// lowered first, and what stands in loops too.
// RUN: npcc-opt %s --npcc-lower-branches | FileCheck %s

// CHECK-LABEL: func.func @two
// CHECK:         cf.cond_br %{{.*}}, ^[[THEN:.*]], ^[[ELSE:.*]]
// CHECK:       ^[[THEN]]:
// CHECK:         %[[SUM:.*]] = arith.addf
// CHECK:         cf.br ^[[BEHIND:.*]](%[[SUM]] : f64)
// CHECK:       ^[[ELSE]]:
// CHECK:         cf.br ^[[BEHIND]](%{{.*}} : f64)
// CHECK:       ^[[BEHIND]](%[[X:.*]]: f64):
// CHECK:         cf.cond_br %{{.*}}, ^[[STORE:.*]], ^[[END:.*]]
// CHECK:       ^[[STORE]]:
// CHECK:         memref.store %[[X]]
// CHECK:         cf.br ^[[END]]
// CHECK:       ^[[END]]:
// CHECK:         return %[[X]] : f64
func.func @two(%a: memref<?xf64>, %i: index, %x: f64, %c: i1, %d: i1) -> f64 {
  %r = scf.if %c -> f64 {
    %y = arith.addf %x, %x : f64
    scf.yield %y : f64
  } else {
    scf.yield %x : f64
  }
  scf.if %d {
    memref.store %r, %a[%i] : memref<?xf64>
  }
  return %r : f64
}

// CHECK-LABEL: func.func @nested
// CHECK-NOT:     scf.
// CHECK:         arith.cmpi slt
// CHECK:         cf.cond_br
// CHECK:         cf.cond_br
// CHECK:         cf.cond_br
// CHECK-NOT:     scf.
// CHECK:         return
func.func @nested(%a: memref<?xf64>, %n: index, %x: f64, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      scf.if %d {
        memref.store %x, %a[%i] : memref<?xf64>
      }
    }
  }
  return
}
