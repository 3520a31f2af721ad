// RUN: npcc-opt %s --npcc-expand-selections | FileCheck %s

// x[m] that needs an array: elements go to the places that a running count of the mask gives them.
// CHECK-LABEL: func.func @array
// CHECK:       %[[COUNTS:.*]] = np.scan "add" %{{.*}} axis 0
// CHECK:       %[[LAST:.*]] = np.item
// CHECK:       %[[TRUE:.*]] = arith.index_cast %[[LAST]] : i64 to index
// CHECK:       %[[COUNT:.*]] = arith.minsi %[[TRUE]], %{{.*}} : index
// CHECK:       %[[REST:.*]] = arith.index_cast %[[COUNT]] : index to i64
// CHECK:       %[[PLACES:.*]] = np.ufunc "where"(%arg1, %{{.*}}, %[[REST]])
// CHECK:       %[[ARRAY:.*]] = np.empty(%[[COUNT]])
// CHECK:       np.scatter %arg0, %[[ARRAY]][%[[PLACES]]] axes = [0] distinct
// CHECK:       return %[[ARRAY]], %[[COUNT]]
func.func @array(%x: tensor<?xf64>, %m: tensor<?xi1>) -> (!np.array<?xf64>, index) {
  %s = np.compress %x, %m : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  %count = np.dim %s, 0 : tensor<?xf64>
  %a = np.new %s : tensor<?xf64> -> !np.array<?xf64>
  return %a, %count : !np.array<?xf64>, index
}

// len(x[m])
// CHECK-LABEL: func.func @count
// CHECK-NOT:   np.scan
// CHECK:       %[[SUM:.*]] = np.reduce "add" %{{.*}} axes [0] : tensor<?xi64>
// CHECK:       np.item %[[SUM]]
// CHECK-NOT:   np.empty
func.func @count(%x: tensor<?xf64>, %m: tensor<?xi1>) -> index {
  %s = np.compress %x, %m : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  %count = np.dim %s, 0 : tensor<?xf64>
  return %count : index
}

// a[m] = v: at the positions where the mask is true, as many as the value has.
// CHECK-LABEL: func.func @store
// CHECK:       np.scan "add"
// CHECK:       np.scatter %{{.*}}, %[[ROOM:.*]][%{{.*}}] axes = [0] distinct
// CHECK:       %[[PLACES:.*]] = np.load %[[ROOM]]
// CHECK:       np.assert %{{.*}}, "ValueError" "NumPy boolean array indexing assignment cannot assign {0} input values
// CHECK:       %[[VALUES:.*]] = np.broadcast %arg2
// CHECK:       np.scatter %[[VALUES]], %arg0[%[[PLACES]]] axes = [0] distinct
func.func @store(%a: !np.array<?xf64>, %m: tensor<?xi1>, %v: tensor<?xf64>) {
  np.store_masked %v, %m, %a selected : tensor<?xf64>, tensor<?xi1>, !np.array<?xf64>
  return
}

// x[m] and x[~m]: one running count; up to element k there are k + 1 of both.
// CHECK-LABEL: func.func @opposites
// CHECK:       %[[UPTO:.*]] = np.scan "add" %{{.*}} axis 0
// CHECK:       np.scatter %arg0, %{{.*}} distinct
// CHECK-NOT:   np.scan
// CHECK:       %[[BOTH:.*]] = np.arange %[[ONE:.*]] step %[[ONE]] extent %{{.*}} : i64, i64 -> tensor<?xi64>
// CHECK:       %[[REST:.*]] = np.ufunc "subtract"(%[[BOTH]], %[[UPTO]])
// CHECK:       np.ufunc "subtract"(%[[REST]], %{{.*}})
// CHECK:       np.scatter %arg0, %{{.*}} distinct
// CHECK-NOT:   np.scan
func.func @opposites(%x: tensor<?xf64>, %m: tensor<?xi1>) -> (tensor<?xf64>, tensor<?xf64>) {
  %chosen = np.compress %x, %m : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  %not = np.ufunc "logical_not"(%m) : (tensor<?xi1>) -> tensor<?xi1>
  %others = np.compress %x, %not : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  return %chosen, %others : tensor<?xf64>, tensor<?xf64>
}
