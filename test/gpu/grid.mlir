// A loop of the host by the whole grid: threads wait where one needs what others wrote, and only there.
// RUN: npcc-opt %s --npcc-map-kernels | FileCheck %s
// RUN: npcc-opt %s --npcc-map-kernels=clusters=true | FileCheck %s --check-prefix=CLUSTER

// Where blocks may be one cluster, they ask whether they are, once, and wait as one.
// CLUSTER-LABEL: func.func @stencil
// CLUSTER:       gpu.launch
// CLUSTER:         %[[BLOCKS:.*]] = nvvm.read.ptx.sreg.cluster.nctaid.x
// CLUSTER:         %[[ONE:.*]] = arith.cmpi ugt, %[[BLOCKS]]
// CLUSTER:         scf.for
// CLUSTER:   scf.if %[[ONE]] {
// CLUSTER-NEXT:      nvvm.cluster.arrive
// CLUSTER-NEXT:      nvvm.cluster.wait
// CLUSTER-NEXT:    } else {
// CLUSTER-NEXT:      gpu.barrier
// CLUSTER:           red.release.gpu

// Elements of their own need no waiting; neighbours do, before they are read and before they are overwritten. The ends are other elements than the inside.
// CHECK-LABEL: func.func @stencil
// CHECK:       %[[COUNTER:.*]] = np.alloc() : memref<1xi64>
// CHECK:       memref.store %c0{{.*}}, %[[COUNTER]]
// CHECK:       gpu.launch blocks({{.*}}) in (%{{.*}} = %arg3, {{.*}} threads({{.*}}) in (%{{.*}} = %c512
// CHECK:         scf.for
// CHECK-NOT:       red.release
// Once for %x, of which other threads wrote elements in the iteration before,
// CHECK:           red.release.gpu
// CHECK:           ld.acquire.gpu
// CHECK:           llvm.store
// CHECK-NOT:       red.release
// CHECK:           llvm.store
// and once for %t.
// CHECK:           red.release.gpu
// CHECK-NOT:       red.release
// CHECK:         gpu.terminator
// CHECK-NEXT:  } {np.class = "grid", np.cooperative, np.fitted}
// CHECK:       np.release %[[COUNTER]]
func.func @stencil(%x: memref<?xf64>, %t: memref<?xf64>, %n: index, %blocks: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %m = arith.subi %n, %c2 : index
  np.kernel steps (%b) = (%blocks) by grid {
    scf.for %k = %c0 to %steps step %c1 {
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        %u = memref.load %x[%i] : memref<?xf64>
        %v = arith.mulf %u, %two : f64
        memref.store %v, %x[%i] : memref<?xf64>
        scf.reduce
      }
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        %u = memref.load %x[%i] : memref<?xf64>
        memref.store %u, %t[%i] : memref<?xf64>
        scf.reduce
      }
      scf.parallel (%i) = (%c0) to (%m) step (%c1) {
        %j = arith.addi %i, %c2 : index
        %u = memref.load %t[%i] : memref<?xf64>
        %v = memref.load %t[%j] : memref<?xf64>
        %w = arith.addf %u, %v : f64
        %p = arith.addi %i, %c1 : index
        memref.store %w, %x[%p] : memref<?xf64>
        scf.reduce
      }
      %last = np.check_index %c0 of %n axis 0
      memref.store %z, %x[%last] : memref<?xf64>
    }
  }
  return
}

// A number in memory that the loop makes is every thread's own; parts of a sum meet behind one barrier, and what is computed of it needs none.
// CHECK-LABEL: func.func @norm
// CHECK:       gpu.launch
// What the array was made with, nobody has written.
// CHECK-NOT:     llvm.load %{{.*}} : !llvm.ptr<1>
// CHECK:         llvm.mlir.zero : f64
// CHECK-NOT:     llvm.load %{{.*}} : !llvm.ptr<1>
// CHECK:         scf.while
// CHECK-NOT:       red.release
// CHECK:           gpu.shuffle
// CHECK:           red.release.gpu
// CHECK:           gpu.shuffle
// CHECK-NOT:       red.release
// CHECK:           scf.yield
// The number for the end.
// CHECK:         red.release.gpu
// CHECK-NOT:     red.release
// CHECK:       np.class = "grid"
func.func @norm(%x: memref<?xf64>, %n: index, %blocks: index, %least: f64) -> memref<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %e = np.alloc() : memref<f64>
  np.kernel steps (%b) = (%blocks) by grid {
    scf.while : () -> () {
      %now = memref.load %e[] : memref<f64>
      %more = arith.cmpf oge, %now, %least : f64
      scf.condition(%more)
    } do {
      %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
        %u = memref.load %x[%i] : memref<?xf64>
        scf.reduce(%u : f64) { ^bb0(%l: f64, %r: f64):
          %q = arith.addf %l, %r : f64
          scf.reduce.return %q : f64 }
      }
      memref.store %s, %e[] : memref<f64>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        %u = memref.load %x[%i] : memref<?xf64>
        %v = arith.divf %u, %s : f64
        memref.store %v, %x[%i] : memref<?xf64>
        scf.reduce
      }
      scf.yield
    }
  }
  return %e : memref<f64>
}

// A sum of few elements every block computes for itself: no parts, and nobody waits for them. What is behind the last element is not added.
// CHECK-LABEL: func.func @few
// CHECK:       np.choice "several warps for an iteration"
// CHECK:       gpu.launch
// CHECK:         scf.for %{{.*}} = %c0 to %arg3
// CHECK-NOT:       red.release
// CHECK:           %[[AFTER:.*]] = arith.cmpi slt, %{{.*}}, %c1000
// CHECK:           arith.select %[[AFTER]], %{{.*}}, %{{.*}} : f64
// CHECK-NOT:       red.release
// CHECK:           gpu.shuffle
// What teams stored in the iteration before, other threads may store now.
// CHECK:           red.release.gpu
// A long row is one team's, of several warps where there are threads for it, which meet in shared memory.
// CHECK:           gpu.shuffle
// CHECK:           gpu.barrier
// CHECK-NOT:       red.release
// CHECK:         gpu.terminator
func.func @few(%x: memref<?xf64>, %a: memref<?x?xf64>, %blocks: index, %steps: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %z = arith.constant 0.0 : f64
  %y = np.alloc(%n) : memref<?xf64>
  np.kernel steps (%b) = (%blocks) by grid {
    scf.for %k = %c0 to %steps step %c1 {
      %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
        %u = memref.load %x[%i] : memref<?xf64>
        scf.reduce(%u : f64) { ^bb0(%l: f64, %r: f64):
          %q = arith.addf %l, %r : f64
          scf.reduce.return %q : f64 }
      }
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        %t = scf.parallel (%j) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
          %u = memref.load %a[%i, %j] : memref<?x?xf64>
          scf.reduce(%u : f64) { ^bb0(%l: f64, %r: f64):
            %q = arith.addf %l, %r : f64
            scf.reduce.return %q : f64 }
        }
        %v = arith.mulf %t, %s : f64
        memref.store %v, %y[%i] : memref<?xf64>
        scf.reduce
      }
    }
  }
  return %y : memref<?xf64>
}
