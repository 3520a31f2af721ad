// RUN: npcc-opt %s --npcc-move-selections | FileCheck %s

// s = x[m]; return s.sum() / len(s) if c: the sum is of all elements, and the name s needs no array.
// CHECK-LABEL: func.func @branch
// CHECK:       %[[M:.*]] = np.load %arg1
// CHECK:       scf.if
// CHECK:         %[[CHOSEN:.*]] = np.ufunc "where"(%[[M]], %{{.*}}, %{{.*}}) : (tensor<?xi1>, tensor<?xf64>, f64)
// CHECK:         np.reduce "add" %[[CHOSEN]] axes [0]
// CHECK:       else
func.func @branch(%x: !np.array<?xf64>, %m: !np.array<?xi1>, %c: i1) -> (tensor<f64>, index) {
  %value = np.load %x : !np.array<?xf64> -> tensor<?xf64>
  %mask = np.load %m : !np.array<?xi1> -> tensor<?xi1>
  %selected = np.compress %value, %mask : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  %s = np.new %selected : tensor<?xf64> -> !np.array<?xf64>
  %count = np.dim %s, 0 : !np.array<?xf64>
  %r = scf.if %c -> (tensor<f64>) {
    %read = np.load %s : !np.array<?xf64> -> tensor<?xf64>
    %sum = np.reduce "add" %read axes [0] : tensor<?xf64> -> tensor<f64>
    scf.yield %sum : tensor<f64>
  } else {
    %zero = arith.constant 0.0 : f64
    %full = np.full %zero extents[] : f64 -> tensor<f64>
    scf.yield %full : tensor<f64>
  }
  return %r, %count : tensor<f64>, index
}

// a[m] = a[m] - v: a store of a selection through its own mask.
// CHECK-LABEL: func.func @update
// CHECK:       %[[D:.*]] = np.ufunc "subtract"(%{{.*}}, %{{.*}}) : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
// CHECK:       np.store_masked %[[D]], %{{.*}}, %arg0 : tensor<?x?xf64>
func.func @update(%a: !np.array<?x?xf64>, %m: !np.array<?xi1>, %v: tensor<?xf64>) {
  %value = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %mask = np.load %m : !np.array<?xi1> -> tensor<?xi1>
  %selected = np.compress %value, %mask : tensor<?x?xf64>, tensor<?xi1> -> tensor<?x?xf64>
  %difference = np.ufunc "subtract"(%selected, %v) : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  np.store_masked %difference, %mask, %a selected : tensor<?x?xf64>, tensor<?xi1>, !np.array<?x?xf64>
  return
}

// Two masks select different elements, and a sorted name needs its array.
// CHECK-LABEL: func.func @stays
// CHECK:       %[[P:.*]] = np.compress %[[X:.*]], %[[M:.*]] :
// CHECK:       %[[Q:.*]] = np.compress %[[X]], %[[N:.*]] :
// CHECK:       np.ufunc "add"(%[[P]], %[[Q]])
// CHECK:       %[[S:.*]] = np.new %[[P]]
// CHECK:       %[[READ:.*]] = np.load %[[S]]
// CHECK:       np.sort %[[READ]]
// CHECK:       np.reduce "add" %[[READ]]
func.func @stays(%value: tensor<?xf64>, %m: tensor<?xi1>, %n: tensor<?xi1>) -> (tensor<?xf64>, tensor<?xf64>, tensor<f64>) {
  %p = np.compress %value, %m : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  %q = np.compress %value, %n : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  %sum = np.ufunc "add"(%p, %q) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %s = np.new %p : tensor<?xf64> -> !np.array<?xf64>
  %read = np.load %s : !np.array<?xf64> -> tensor<?xf64>
  %sorted = np.sort %read positions false : tensor<?xf64> -> tensor<?xf64>
  %total = np.reduce "add" %read axes [0] : tensor<?xf64> -> tensor<f64>
  return %sum, %sorted, %total : tensor<?xf64>, tensor<?xf64>, tensor<f64>
}

// s = x[m]; for k in range(n): total += s.sum() * k: few elements may be left, which are read n times.
// CHECK-LABEL: func.func @again
// CHECK:       np.new
// CHECK:       scf.for
// CHECK:         np.load
// CHECK-NEXT:    np.reduce "add"
func.func @again(%value: tensor<?xf64>, %m: tensor<?xi1>, %n: index) {
  %selected = np.compress %value, %m : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  %s = np.new %selected : tensor<?xf64> -> !np.array<?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %read = np.load %s : !np.array<?xf64> -> tensor<?xf64>
    %sum = np.reduce "add" %read axes [0] : tensor<?xf64> -> tensor<f64>
    %out = np.new %sum : tensor<f64> -> !np.array<f64>
  }
  return
}

// a[i[m]] = x[m] * 2: a store at positions where the mask is true.
// CHECK-LABEL: func.func @positions
// CHECK:       %[[DOUBLE:.*]] = np.ufunc "multiply"(%arg1, %{{.*}}) : (tensor<?xf64>, f64) -> tensor<?xf64>
// CHECK:       np.scatter %[[DOUBLE]], %arg0[%arg2] where %arg3 axes = [0] : tensor<?xf64>, !np.array<?xf64>, tensor<?xi64>, where tensor<?xi1>
// CHECK-NOT:   np.scatter
func.func @positions(%a: !np.array<?xf64>, %x: tensor<?xf64>, %i: tensor<?xi64>, %m: tensor<?xi1>) {
  %two = arith.constant 2.0 : f64
  %places = np.compress %i, %m : tensor<?xi64>, tensor<?xi1> -> tensor<?xi64>
  %selected = np.compress %x, %m : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  %double = np.ufunc "multiply"(%selected, %two) : (tensor<?xf64>, f64) -> tensor<?xf64>
  np.scatter %double, %a[%places] axes = [0] : tensor<?xf64>, !np.array<?xf64>, tensor<?xi64>
  return
}

// Of values that another mask selects, or that are as many as the selected ones, the positions stay selections.
// CHECK-LABEL: func.func @others
// CHECK:       %[[PLACES:.*]] = np.compress %arg2, %arg3
// CHECK:       np.scatter %{{.*}}, %arg0[%[[PLACES]]] axes = [0]
func.func @others(%a: !np.array<?xf64>, %x: tensor<?xf64>, %i: tensor<?xi64>, %m: tensor<?xi1>, %n: tensor<?xi1>) {
  %places = np.compress %i, %m : tensor<?xi64>, tensor<?xi1> -> tensor<?xi64>
  %selected = np.compress %x, %n : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  np.scatter %selected, %a[%places] axes = [0] : tensor<?xf64>, !np.array<?xf64>, tensor<?xi64>
  return
}

// y = x[m]; z = y[y > v]: both masks select at once, and as many elements are counted for all that they select.
// CHECK-LABEL: func.func @twice
// CHECK:       %[[LARGE:.*]] = np.ufunc "greater"(%arg0, %arg2)
// CHECK:       %[[BOTH:.*]] = np.ufunc "bitwise_and"(%arg1, %[[LARGE]])
// CHECK:       np.compress %arg0, %[[BOTH]]
// CHECK:       %[[COUNTED:.*]] = np.compress %arg1, %arg1
// CHECK:       np.dim %[[COUNTED]], 0
func.func @twice(%x: tensor<?xf64>, %m: tensor<?xi1>, %v: f64) -> (tensor<?xf64>, index) {
  %y = np.compress %x, %m : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  %large = np.ufunc "greater"(%y, %v) : (tensor<?xf64>, f64) -> tensor<?xi1>
  %z = np.compress %y, %large : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
  %n = np.dim %y, 0 : tensor<?xf64>
  return %z, %n : tensor<?xf64>, index
}
