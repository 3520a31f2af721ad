// Full reductions: a kernel over parts, a kernel that combines them and holds the code around; a walk is a kernel of its own.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-split-launches --cse | FileCheck %s
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-split-launches --npcc-plan-alternatives --canonicalize | FileCheck %s --check-prefix=PLANNED
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-split-launches --cse --canonicalize | FileCheck %s --check-prefix=CUT

// CHECK-LABEL: func.func @standardize
// CHECK:       %[[P1:.*]] = np.alloc(%c1, %[[PARTS:.*]]) : memref<?x?xf64>
// CHECK:       np.kernel rows (%{{.*}}, %{{.*}}) = (%c1, %[[PARTS]]) cut never
// CHECK:         %[[START:.*]] = arith.muli %{{.*}}, %[[LENGTH:.*]] overflow
// CHECK:         scf.parallel {{.*}} init
// CHECK:         memref.store %{{.*}}, %[[P1]]
// CHECK:       %[[SUM:.*]] = np.alloc(%c1) : memref<?xf64>
// CHECK:       np.kernel (%{{.*}}) = (%c1) cut never
// CHECK:         memref.load %[[P1]]
// CHECK:         memref.store %{{.*}}, %[[SUM]]
// CHECK-NOT:     math.sqrt
// The walk computes the mean again from the sum.
// CHECK:       np.kernel (%[[O:.*]], %[[K:.*]]) =
// CHECK:         %[[S:.*]] = memref.load %[[SUM]][%[[O]]]
// CHECK:         %[[MEAN:.*]] = arith.divf %[[S]]
// CHECK:         %[[U:.*]] = memref.load %arg0[%[[K]]]
// CHECK:         arith.subf %[[U]], %[[MEAN]]
// CHECK:       np.release %[[P1]]
// CHECK:       np.release %[[SUM]]
func.func @standardize(%x: memref<?xf64>, %y: memref<?xf64>, %count: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%o) = (%c1) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k] : memref<?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %mean = arith.divf %s, %count : f64
    scf.parallel (%k) = (%c0) to (%n) step (%c1) {
      %u = memref.load %x[%k] : memref<?xf64>
      %d = arith.subf %u, %mean : f64
      memref.store %d, %y[%k] : memref<?xf64>
      scf.reduce
    }
  }
  return
}

// In a loop of the host a short reduction is one launch.
// CHECK-LABEL: func.func @in_a_loop
// CHECK:       scf.for
// CHECK:         arith.cmpi sgt, %{{.*}}, %c16384
// CHECK:         np.alternatives {{.*}}
// CHECK:           np.alloc
// CHECK:         } or {
// CHECK-NOT:       np.alloc
// CHECK:           np.kernel
func.func @in_a_loop(%x: memref<?xf64>, %y: memref<f64>, %times: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %t = %c0 to %times step %c1 {
    np.kernel (%i) = (%c1) {
      %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
        %u = memref.load %x[%k] : memref<?xf64>
        scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
          %r = arith.addf %a, %b : f64
          scf.reduce.return %r : f64 }
      }
      memref.store %s, %y[] : memref<f64>
    }
  }
  return
}

// Where rows are few and long already, they are cut without a question.
// CHECK-LABEL: func.func @few_rows
// CHECK-NOT:   scf.if
// CHECK:       np.alloc(%{{.*}}, %{{.*}}) : memref<?x?xf64>
// CHECK-COUNT-2: scf.parallel {{.*}} init
// CHECK-NOT:   init
// CHECK:       return
func.func @few_rows(%x: memref<?x?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %l = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%n) cut always {
    %s = scf.parallel (%k) = (%c0) to (%l) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %r = arith.addf %a, %b : f64
        scf.reduce.return %r : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// Two reductions down columns, one of which needs the other: a kernel for each, if columns are few and long.
// CHECK-LABEL: func.func @deviations
// CHECK:       %[[TWICE:.*]] = arith.muli %{{.*}}, %c2
// CHECK:       %[[FEW:.*]] = arith.cmpi sle, %[[TWICE]], %c262144
// CHECK:       %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %c256
// CHECK:       %[[BOTH:.*]] = arith.andi %[[FEW]], %[[LONG]]
// CHECK:       np.alternatives "rows in parts" %[[BOTH]]
// CHECK-COUNT-4: np.kernel
// CHECK:       } or {
// CHECK:         np.kernel map
// CHECK-COUNT-2:   scf.parallel
func.func @deviations(%x: memref<?x?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%m) {
    %most = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.maximumf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      %d = arith.subf %u, %most : f64
      scf.reduce(%d : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// One of the two is short: the long one alone would leave the few columns with a thread each.
// CHECK-LABEL: func.func @short_and_long
// CHECK:       %[[LONGEST:.*]] = arith.maxsi %{{.*}}, %{{.*}}
// CHECK:       arith.cmpi sge, %[[LONGEST]], %c256
// CHECK:       np.alternatives "rows in parts"
func.func @short_and_long(%x: memref<?x?xf64>, %w: memref<?x?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  %few = memref.dim %w, %c0 : memref<?x?xf64>
  np.kernel (%i) = (%m) {
    %s = scf.parallel (%k) = (%c0) to (%few) step (%c1) init (%z) -> f64 {
      %u = memref.load %w[%k, %i] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %t = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    %q = arith.divf %s, %t : f64
    memref.store %q, %y[%i] : memref<?xf64>
  }
  return
}

// Where the first call has a short row, code for that is one kernel; code for all calls chooses when it runs.
// PLANNED-LABEL: func.func @known_to_be_short
// PLANNED:       np.kernel
// PLANNED-NOT:   np.kernel
// PLANNED:       func.func @known_to_be_short.choice
// PLANNED:       arith.cmpi sle, %{{.*}}, %c16384
func.func @known_to_be_short(%x: memref<?xf64> {np.first = array<i64: 100, 0>}, %y: memref<f64>)
    attributes {np.entry = "known_to_be_short.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%o) = (%c1) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k] : memref<?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[] : memref<f64>
  }
  return
}

// PLANNED-LABEL: func.func @for_all_calls
// PLANNED:       %[[LONG:.*]] = arith.cmpi sgt, %{{.*}}, %c16384
// PLANNED:       scf.if %[[LONG]] {
// PLANNED:         np.alloc
// PLANNED:         np.kernel
// PLANNED:         np.kernel
// PLANNED:       } else {
// PLANNED-NOT:     np.alloc
// PLANNED:         np.kernel
func.func @for_all_calls(%x: memref<?xf64>, %y: memref<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%o) = (%c1) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%k] : memref<?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[] : memref<f64>
  }
  return
}

// A first axis of three iterations is not enough to be cut, nor is a last one of eight, so the axis between them is cut too. 25 million
// elements are more parts than a device has blocks at once.
// CUT-LABEL: func.func @short_ends
// CUT:       np.alloc(%c1, %c1536) : memref<?x?xf64>
// CUT:       np.kernel rows (%[[FIRST:.*]], %[[PART:.*]]) = (%c3, %c512) cut never
// CUT:         %[[START:.*]] = arith.muli %[[PART]], %c2048 overflow<nsw>
// CUT:         scf.parallel
// CUT:       np.kernel (%{{.*}}) = (%c1) cut never
// CUT:         scf.parallel {{.*}} to (%c1536)
func.func @short_ends(%x: memref<3x1048576x16xf64, strided<[67108864, 32, 1]>>, %y: memref<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 1048576 : index
  %z = arith.constant 0.0 : f64
  np.kernel (%o) = (%c1) {
    %s = scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%c3, %n, %c8) step (%c1, %c1, %c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %j, %k] : memref<3x1048576x16xf64, strided<[67108864, 32, 1]>>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[] : memref<f64>
  }
  return
}
