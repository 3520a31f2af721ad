// RUN: npcc-opt %s --npcc-fuse | FileCheck %s

// A view and a part of a name that no path has bound: nobody reads them, and they are of an array of no elements.
// CHECK-LABEL: func.func @part
// CHECK:       %[[NONE:.*]] = np.alloc(%c0{{.*}}, %c0{{.*}})
// CHECK:       np.part "diagonal"
func.func @part(%n: index) -> !np.array<f64> {
  %none = ub.poison : !np.array<?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %view = np.view %none offsets[%c0, %c0] axes [1, 0] extents[%n, %n] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
  %part = np.part "diagonal" %view extents[%n] : !np.array<?x?xf64, strided> -> !np.array<?xf64, strided>
  %v = np.load %part : !np.array<?xf64, strided> -> tensor<?xf64>
  %s = np.reduce "add" %v axes [0] : tensor<?xf64> -> tensor<f64>
  %r = np.new %s : tensor<f64> -> !np.array<f64>
  return %r : !np.array<f64>
}
