// Places of short sorted lines are minima and maxima of their elements, of which there are no more than the places need.
// RUN: npcc-opt %s --npcc-expand-sorts --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @median
// CHECK-SAME:    (%[[X:.*]]: tensor<?x3xf64>)
// CHECK-DAG:     %[[A:.*]] = np.view %[[X]] offsets[%c0, %c0] axes [0]
// CHECK-DAG:     %[[B:.*]] = np.view %[[X]] offsets[%c0, %c1] axes [0]
// CHECK-DAG:     %[[C:.*]] = np.view %[[X]] offsets[%c0, %c2] axes [0]
// CHECK:         %[[AB:.*]] = np.ufunc "fmin"(%[[A]], %[[B]])
// CHECK:         %[[BA:.*]] = np.ufunc "maximum"(%[[A]], %[[B]])
// CHECK:         %[[ABC:.*]] = np.ufunc "maximum"(%[[AB]], %[[C]])
// CHECK:         %[[M:.*]] = np.ufunc "fmin"({{.*}}%[[ABC]]
// CHECK-NOT:     np.ufunc
// CHECK-NOT:     np.sort
// CHECK:         return
func.func @median(%x: tensor<?x3xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %x, 0 : tensor<?x3xf64>
  %s = np.sort %x positions false : tensor<?x3xf64> -> tensor<?x3xf64>
  %m = np.view %s offsets[%c0, %c1] axes [0] extents[%n] steps[%c1] : tensor<?x3xf64> -> tensor<?xf64>
  return %m : tensor<?xf64>
}

// The least integer needs no maxima.
// CHECK-LABEL: func.func @least
// CHECK-COUNT-3: np.ufunc "minimum"
// CHECK-NOT:     np.ufunc
func.func @least(%x: tensor<?x4xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %x, 0 : tensor<?x4xi32>
  %s = np.sort %x positions false : tensor<?x4xi32> -> tensor<?x4xi32>
  %m = np.view %s offsets[%c0, %c0] axes [0] extents[%n] steps[%c1] : tensor<?x4xi32> -> tensor<?xi32>
  return %m : tensor<?xi32>
}

// All places of each line, a place that is not known, positions, and lines of an unknown length stay sorted in memory.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: np.sort
// CHECK-NOT:     np.ufunc
func.func @others(%x: tensor<?x4xf64>, %y: tensor<?x?xf64>, %k: index) -> (tensor<?x4xf64>, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %x, 0 : tensor<?x4xf64>
  %all = np.sort %x positions false : tensor<?x4xf64> -> tensor<?x4xf64>
  %r = np.ufunc "negative"(%x) : (tensor<?x4xf64>) -> tensor<?x4xf64>
  %s = np.sort %r positions false : tensor<?x4xf64> -> tensor<?x4xf64>
  %m = np.view %s offsets[%c0, %k] axes [0] extents[%n] steps[%c1] : tensor<?x4xf64> -> tensor<?xf64>
  %p = np.sort %x positions true : tensor<?x4xf64> -> tensor<?x4xi64>
  %q = np.view %p offsets[%c0, %c0] axes [0] extents[%n] steps[%c1] : tensor<?x4xi64> -> tensor<?xi64>
  %t = np.sort %y positions false : tensor<?x?xf64> -> tensor<?x?xf64>
  %u = np.view %t offsets[%c0, %c0] axes [0] extents[%n] steps[%c1] : tensor<?x?xf64> -> tensor<?xf64>
  return %all, %m, %q, %u : tensor<?x4xf64>, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>
}
