// Arrays of which each iteration selects what the next one goes on with keep all their elements, and a mask goes round.
// RUN: npcc-opt %s --npcc-carry-masks | FileCheck %s

// The numbers of the elements are only selected, and are not handed on at all.
// CHECK-LABEL: func.func @escape(
// CHECK:         %[[IDS:.*]] = np.arange
// CHECK:         %[[ALL:.*]] = np.full %true
// CHECK:         %[[FIRST:.*]] = np.new %[[ALL]]
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[Z:.*]] = %{{.*}}, %[[MASK:.*]] = %[[FIRST]]) -> (!np.array<?xf64>, !np.array<?xi1>)
// CHECK:           %[[LEFT:.*]] = np.load %[[MASK]]
// CHECK:           %[[B:.*]] = np.ufunc "multiply"
// CHECK:           %[[GONE:.*]] = np.ufunc "greater"(%[[B]]
// CHECK:           %[[NOW:.*]] = np.ufunc "bitwise_and"(%[[LEFT]], %[[GONE]])
// CHECK:           np.scatter %{{.*}}, %arg1[%[[IDS]]] where %[[NOW]]
// CHECK:           %[[KEEP:.*]] = np.ufunc "invert"(%[[GONE]])
// CHECK:           np.store_masked %[[B]], %[[LEFT]], %[[NEXT:.*]] : tensor<?xf64>
// CHECK:           np.store_masked %[[KEEP]], %[[LEFT]], %[[MORE:.*]] : tensor<?xi1>
// CHECK:           scf.yield %[[NEXT]], %[[MORE]]
// What is left in the end is summed up of all elements.
// CHECK:         %[[CHOSEN:.*]] = np.ufunc "where"(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK:         np.reduce "add" %[[CHOSEN]]
func.func @escape(%x: !np.array<?xf64>, %out: !np.array<?xi64>, %n: index, %limit: f64) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %length = np.dim %x, 0 : !np.array<?xf64>
  %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
  %z0 = np.new %v : tensor<?xf64> -> !np.array<?xf64>
  %count = np.arange %zero step %one extent %length : i64, i64 -> tensor<?xi64>
  %i0 = np.new %count : tensor<?xi64> -> !np.array<?xi64>
  %last:2 = scf.for %k = %c0 to %n step %c1 iter_args(%z = %z0, %i = %i0) -> (!np.array<?xf64>, !np.array<?xi64>) {
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %b = np.ufunc "multiply"(%a, %a) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %gone = np.ufunc "greater"(%b, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %p = np.load %i : !np.array<?xi64> -> tensor<?xi64>
    %q = np.compress %p, %gone : tensor<?xi64>, tensor<?xi1> -> tensor<?xi64>
    %number = arith.index_cast %k : index to i64
    np.scatter %number, %out[%q] axes = [0] : i64, !np.array<?xi64>, tensor<?xi64>
    %keep = np.ufunc "invert"(%gone) : (tensor<?xi1>) -> tensor<?xi1>
    %left = np.compress %b, %keep : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
    %next = np.new %left : tensor<?xf64> -> !np.array<?xf64>
    %ids = np.compress %p, %keep : tensor<?xi64>, tensor<?xi1> -> tensor<?xi64>
    %nexti = np.new %ids : tensor<?xi64> -> !np.array<?xi64>
    scf.yield %next, %nexti : !np.array<?xf64>, !np.array<?xi64>
  }
  %rest = np.load %last#0 : !np.array<?xf64> -> tensor<?xf64>
  %sum = np.reduce "add" %rest axes [0] : tensor<?xf64> -> tensor<f64>
  %s = np.item %sum : tensor<f64> -> f64
  return %s : f64
}

// Elements that look at their neighbours are those that are left.
// CHECK-LABEL: func.func @neighbours(
// CHECK-NOT:     np.full
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (!np.array<?xf64>)
// CHECK:           np.compress
func.func @neighbours(%x: !np.array<?xf64>, %n: index, %limit: f64) -> !np.array<?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%z = %x) -> (!np.array<?xf64>) {
    %length = np.dim %z, 0 : !np.array<?xf64>
    %less = arith.subi %length, %c1 : index
    %part = np.view %z offsets[%c1] axes [0] extents[%less] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %a = np.load %part : !np.array<?xf64> -> tensor<?xf64>
    %keep = np.ufunc "greater"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %left = np.compress %a, %keep : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
    %next = np.new %left : tensor<?xf64> -> !np.array<?xf64>
    scf.yield %next : !np.array<?xf64>
  }
  return %last : !np.array<?xf64>
}

// What is stored to an array would be seen under the caller's name, had it all its elements.
// CHECK-LABEL: func.func @stored(
// CHECK-NOT:     np.full
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %arg0) -> (!np.array<?xf64>)
func.func @stored(%x: !np.array<?xf64>, %n: index, %limit: f64) -> !np.array<?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%z = %x) -> (!np.array<?xf64>) {
    np.store %limit, %z : f64, !np.array<?xf64>
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %keep = np.ufunc "greater"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %left = np.compress %a, %keep : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
    %next = np.new %left : tensor<?xf64> -> !np.array<?xf64>
    scf.yield %next : !np.array<?xf64>
  }
  return %last : !np.array<?xf64>
}

// The CPU goes on with fewer elements.
// CHECK-LABEL: func.func @cpu(
// CHECK-NOT:     np.full
func.func @cpu(%x: !np.array<?xf64>, %n: index, %limit: f64) -> !np.array<?xf64> attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%z = %x) -> (!np.array<?xf64>) {
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %keep = np.ufunc "greater"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %left = np.compress %a, %keep : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
    %next = np.new %left : tensor<?xf64> -> !np.array<?xf64>
    scf.yield %next : !np.array<?xf64>
  }
  return %last : !np.array<?xf64>
}

// What is stored to a selection is what the next iteration begins with.
// CHECK-LABEL: func.func @stored_behind(
// CHECK-NOT:     np.full %true
// CHECK:         np.store %c0_i64
func.func @stored_behind(%n: index, %limit: i64, %length: index) -> !np.array<?xi64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %count = np.arange %zero step %one extent %length : i64, i64 -> tensor<?xi64>
  %first = np.new %count : tensor<?xi64> -> !np.array<?xi64>
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%z = %first) -> (!np.array<?xi64>) {
    %a = np.load %z : !np.array<?xi64> -> tensor<?xi64>
    %keep = np.ufunc "greater"(%a, %limit) : (tensor<?xi64>, i64) -> tensor<?xi1>
    %left = np.compress %a, %keep : tensor<?xi64>, tensor<?xi1> -> tensor<?xi64>
    %next = np.new %left : tensor<?xi64> -> !np.array<?xi64>
    np.store %zero, %next : i64, !np.array<?xi64>
    scf.yield %next : !np.array<?xi64>
  }
  return %last : !np.array<?xi64>
}

// z = z[keep] * c[keep]: the product of all elements, of which as many are left.
// CHECK-LABEL: func.func @computed(
// CHECK:         scf.for {{.*}} iter_args(%[[Z:.*]] = %{{.*}}, %[[MASK:.*]] = %{{.*}}) -> (!np.array<?xf64>, !np.array<?xi1>)
// CHECK:           %[[LEFT:.*]] = np.load %[[MASK]]
// CHECK-NOT:       np.compress
// CHECK:           %[[ALL:.*]] = np.ufunc "multiply"(%{{.*}}, %{{.*}})
// CHECK:           np.store_masked %[[ALL]], %[[LEFT]], %{{.*}} : tensor<?xf64>
// CHECK:           scf.yield
func.func @computed(%x: !np.array<?xf64>, %n: index, %limit: f64) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
  %z0 = np.new %v : tensor<?xf64> -> !np.array<?xf64>
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%z = %z0) -> (!np.array<?xf64>) {
    %a = np.load %z : !np.array<?xf64> -> tensor<?xf64>
    %keep = np.ufunc "less"(%a, %limit) : (tensor<?xf64>, f64) -> tensor<?xi1>
    %left = np.compress %a, %keep : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
    %named = np.new %left : tensor<?xf64> -> !np.array<?xf64>
    %b = np.load %named : !np.array<?xf64> -> tensor<?xf64>
    %product = np.ufunc "multiply"(%b, %left) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %next = np.new %product : tensor<?xf64> -> !np.array<?xf64>
    scf.yield %next : !np.array<?xf64>
  }
  %rest = np.load %last : !np.array<?xf64> -> tensor<?xf64>
  %sum = np.reduce "add" %rest axes [0] : tensor<?xf64> -> tensor<f64>
  %s = np.item %sum : tensor<f64> -> f64
  return %s : f64
}
