// RUN: npcc-opt %s --npcc-version-extents --canonicalize | FileCheck %s

// Slices of other ends in every iteration: compared once. What meets their common extent then meets itself.
// CHECK-LABEL: func.func @slices
// CHECK:       %[[FIRST:.*]] = arith.cmpi eq, %arg3, %arg4
// CHECK:       %[[SECOND:.*]] = arith.cmpi eq, %arg4, %arg5
// CHECK:       %[[BOTH:.*]] = arith.andi %[[FIRST]], %[[SECOND]]
// CHECK:       np.alternatives "extents that are equal" %[[BOTH]]
// CHECK:         scf.for
// CHECK-NOT:       np.broadcast_extent
// CHECK:           np.view %arg0 {{.*}} extents[%arg5]
// CHECK:           np.view %arg0 {{.*}} extents[%arg5]
// CHECK:           np.broadcast %{{.*}} extents[%arg5]
// CHECK:       } or {
// CHECK:         scf.for
// CHECK-COUNT-2:   np.broadcast_extent
func.func @slices(%a: !np.array<?x?xf64>, %out: !np.array<?x?xf64>, %rows: index, %n: index, %m: index, %l: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %rows step %c1 {
    %v = np.view %a offsets[%j, %c0] axes [1] extents[%n] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %w = np.view %a offsets[%j, %c1] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %x = np.load %v : !np.array<?xf64> -> tensor<?xf64>
    %y = np.load %w : !np.array<?xf64> -> tensor<?xf64>
    %e = np.broadcast_extent "ufunc" %n, %m shapes[%n, %m] lhs_rank 1
    %xe = np.broadcast %x extents[%e] : tensor<?xf64> -> tensor<?xf64>
    %ye = np.broadcast %y extents[%e] : tensor<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%xe, %ye) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %f = np.broadcast_extent "store" %e, %l shapes[%e, %l] lhs_rank 1
    %se = np.broadcast %s extents[%f] : tensor<?xf64> -> tensor<?xf64>
    %to = np.view %out offsets[%j, %c0] axes [1] extents[%l] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %se, %to : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// An extent of the iteration's own.
// CHECK-LABEL: func.func @own
// CHECK-NOT:   np.choice
// CHECK:       return
func.func @own(%a: !np.array<?x?xf64>, %rows: index, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %rows step %c1 {
    %e = np.broadcast_extent "ufunc" %n, %j shapes[%n, %j] lhs_rank 1
    %v = np.view %a offsets[%j, %c0] axes [1] extents[%e] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %x = np.load %v : !np.array<?xf64> -> tensor<?xf64>
    np.store %x, %v : tensor<?xf64>, !np.array<?xf64>
  }
  return
}
