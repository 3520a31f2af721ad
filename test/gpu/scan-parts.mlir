// A scan by the whole grid: blocks take parts of the line, and hand on their totals through memory.
// RUN: npcc-opt %s --npcc-map-kernels --canonicalize --cse | FileCheck %s

// The chain's memory is cleared by a launch of its own: 4,096 elements are a part, 32 parts a group, 1,024 a section.
// CHECK-LABEL: func.func @cumsum
// CHECK:       %[[PARTS:.*]] = arith.maxsi
// CHECK:       %[[CHAIN:.*]] = np.alloc(%{{.*}}) : memref<?xi64>
// CHECK:       gpu.launch
// CHECK:       np.class = "map"
// CHECK:       gpu.launch {{.*}} threads({{.*}}%c256
// The number of the first part; then all wait for it, and the part's elements are summed up.
// CHECK:         llvm.atomicrmw add %{{.*}} syncscope("device") monotonic
// CHECK:         scf.while
// CHECK:           gpu.barrier
// CHECK-COUNT-8:   llvm.load {{.*}} vector<2xf64>
// CHECK:           gpu.shuffle
// Two words for 64 bits, each with its flag.
// CHECK-COUNT-2:   llvm.store {{.*}} atomic syncscope("device") monotonic
// What comes before the part before it: its elements again, then the totals before, at once those of parts, of groups,
// and of all before the section.
// CHECK-COUNT-8:   llvm.load {{.*}} vector<2xf64>
// CHECK-COUNT-40:  gpu.shuffle up
// CHECK:           scf.while
// CHECK-COUNT-6:     llvm.load {{.*}} atomic syncscope("device") monotonic
// CHECK:           gpu.barrier
// CHECK:           llvm.atomicrmw add
// CHECK-COUNT-8:   llvm.store {{.*}} vector<2xf64>
// CHECK:       np.class = "scan"
// CHECK:       np.release %[[CHAIN]]
func.func @cumsum(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel scan (%i) = (%c1) by grid {
    np.fold any neutral %n init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%k] : memref<?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %s = arith.addf %t, %u : f64
      np.yield %s : f64
    } each {
    ^bb0(%k: index, %s: f64):
      memref.store %s, %y[%k] : memref<?xf64>
      np.yield
    } : f64
  }
  return
}
