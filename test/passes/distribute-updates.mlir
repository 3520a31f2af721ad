// RUN: npcc-opt %s --npcc-distribute-updates | FileCheck %s

// Two updates of one array and one of another: what is added where first, then updates one by one, a loop for each array.
// CHECK-LABEL: func @deposit
// CHECK:         %[[P:.*]] = np.alloc(%{{.*}}) : memref<?x2xi64>
// CHECK:         %[[V:.*]] = np.alloc(%{{.*}}) : memref<?x2xf64>
// CHECK:         scf.for
// CHECK-NOT:       memref.store %{{.*}}, %arg1
// CHECK:           memref.store %{{.*}}, %[[P]]
// CHECK:           arith.negf
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} = %{{.*}} to %c2
// CHECK:             memref.load %[[P]]
// CHECK:             arith.addf
// CHECK:             memref.store %{{.*}}, %arg1
// CHECK:         scf.for
// CHECK-NOT:       scf.for
// CHECK:           memref.store %{{.*}}, %arg2
func.func @deposit(%bin: memref<?xi64>, %grid: memref<?xf64>, %count: memref<?xf64>, %w: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.load %bin[%i] : memref<?xi64>
    %p = arith.index_cast %b : i64 to index
    %q = arith.addi %p, %c1 : index
    %x = memref.load %w[%i] : memref<?xf64>
    %g = memref.load %grid[%p] : memref<?xf64>
    %h = arith.addf %g, %x : f64
    memref.store %h, %grid[%p] : memref<?xf64>
    %k = memref.load %grid[%q] : memref<?xf64>
    %l = arith.subf %k, %x : f64
    memref.store %l, %grid[%q] : memref<?xf64>
    %m = memref.load %count[%p] : memref<?xf64>
    %o = arith.addf %m, %one : f64
    memref.store %o, %count[%p] : memref<?xf64>
  }
  return
}

// What one array gets depends on the other one: the loop stays.
// CHECK-LABEL: func @coupled
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %arg1
// CHECK:           memref.store %{{.*}}, %arg2
func.func @coupled(%bin: memref<?xi64>, %a: memref<?xf64>, %b: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %bin[%i] : memref<?xi64>
    %p = arith.index_cast %x : i64 to index
    %g = memref.load %a[%p] : memref<?xf64>
    %h = arith.addf %g, %one : f64
    memref.store %h, %a[%p] : memref<?xf64>
    %m = memref.load %b[%p] : memref<?xf64>
    %o = arith.addf %m, %h : f64
    memref.store %o, %b[%p] : memref<?xf64>
  }
  return
}
