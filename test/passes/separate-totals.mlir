// RUN: npcc-opt %s --npcc-separate-totals | FileCheck %s
// On the CPU, sums of floats keep their order.
// RUN: sed 's/"cuda"/"cpu"/' %s | npcc-opt --npcc-separate-totals | FileCheck %s --check-prefix=CPU

// A sum in a branch of a loop inside: both loops are axes of one reduction, whose neutral element is in the place of
// what is carried.
// CHECK-LABEL: func @count
// CHECK:         np.kernel
// CHECK:           scf.parallel (%{{.*}}, %{{.*}}) = {{.*}} init (%c0_i64) -> i64
// CHECK:             scf.if
// CHECK:             scf.reduce
// CHECK:               arith.addi
// CHECK:         %[[SUM:.*]] = memref.load
// CHECK:         arith.addi %{{.*}}, %[[SUM]]
// CPU-LABEL: func @count
// CPU:         scf.parallel
func.func @count(%a: memref<?x?xf64>, %start: i64, %n: index, %m: index) -> i64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %half = arith.constant 0.5 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> i64 {
    %q = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> i64 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %c = arith.cmpf ogt, %x, %half : f64
      %u = scf.if %c -> i64 {
        %v = arith.addi %t, %one : i64
        scf.yield %v : i64
      } else {
        scf.yield %t : i64
      }
      scf.yield %u : i64
    }
    scf.yield %q : i64
  }
  return %r : i64
}

// The greatest change beside what is stored: the loop puts each change into an array. NaN is never the greatest.
// CHECK-LABEL: func @relax
// CHECK:         %[[PARTS:.*]] = np.alloc(%{{.*}}) : memref<?xf64>
// CHECK:         scf.for
// CHECK-NOT:     iter_args
// CHECK:           memref.store %{{.*}}, %{{.*}} : memref<?xf64>
// CHECK:           memref.store %{{.*}}, %[[PARTS]]
// CHECK:         np.kernel
// CHECK:           scf.parallel
// CHECK:             memref.load %[[PARTS]]
// CHECK:             arith.maximumf
// CHECK:         %[[MOST:.*]] = memref.load
// CHECK:         arith.cmpf ogt, %[[MOST]]
func.func @relax(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.mulf %x, %half : f64
    memref.store %y, %b[%i] : memref<?xf64>
    %d = arith.subf %y, %x : f64
    %e = math.absf %d : f64
    %c = arith.cmpf ogt, %e, %s : f64
    %t = arith.select %c, %e, %s : f64
    scf.yield %t : f64
  }
  return %r : f64
}

// A sum of floats is grouped where the target groups sums anyway.
// CHECK-LABEL: func @sum
// CHECK:         scf.parallel
// CPU-LABEL: func @sum
// CPU:         scf.for
func.func @sum(%a: memref<?xf64>, %n: index) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = memref.load %a[%i] : memref<?xf64>
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }
  return %r : f64
}

// What the loop does with its total beside adding to it keeps its iterations in order; so does a condition on it.
// CHECK-LABEL: func @running
// CHECK:         scf.for
// CHECK-LABEL: func @until
// CHECK:         scf.for
func.func @running(%a: memref<?xi64>, %n: index) -> i64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %x = memref.load %a[%i] : memref<?xi64>
    %t = arith.addi %s, %x : i64
    memref.store %t, %a[%i] : memref<?xi64>
    scf.yield %t : i64
  }
  return %r : i64
}
func.func @until(%a: memref<?xi64>, %n: index, %most: i64) -> i64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %x = memref.load %a[%i] : memref<?xi64>
    %t = arith.addi %s, %x : i64
    %c = arith.cmpi slt, %s, %most : i64
    %u = arith.select %c, %t, %s : i64
    scf.yield %u : i64
  }
  return %r : i64
}

// Threads of their own add up what loops inside independent iterations do.
// CHECK-LABEL: func @rows
// CHECK-NOT:     np.kernel
// CHECK:         return
func.func @rows(%a: memref<?x?xf64>, %b: memref<?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %q = scf.for %j = %c0 to %m step %c1 iter_args(%t = %zero) -> f64 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %u = arith.addf %t, %x : f64
      scf.yield %u : f64
    }
    memref.store %q, %b[%i] : memref<?xf64>
  }
  return
}
