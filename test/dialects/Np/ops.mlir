// RUN: npcc-opt %s | npcc-opt | FileCheck %s
// Every form prints as it parses.

// CHECK-LABEL: func @arrays
// CHECK-SAME: !np.array<?x1xf64>
// CHECK-SAME: !np.array<?xui8, strided>
func.func @arrays(%a: !np.array<?x1xf64>, %b: !np.array<?xui8, strided>, %n: index, %i: index) {
  // CHECK: np.load %{{.*}} : !np.array<?x1xf64> -> tensor<?x1xf64>
  %0 = np.load %a : !np.array<?x1xf64> -> tensor<?x1xf64>
  // CHECK: np.new %{{.*}} : tensor<?x1xf64> -> !np.array<?x1xf64>
  %1 = np.new %0 : tensor<?x1xf64> -> !np.array<?x1xf64>
  // CHECK: np.empty(%{{.*}}) : !np.array<?x1xf64>
  %2 = np.empty(%n) : !np.array<?x1xf64>
  // CHECK: np.store
  np.store %0, %2 : tensor<?x1xf64>, !np.array<?x1xf64>
  // CHECK: np.check_index %{{.*}} of %{{.*}} axis 0
  %3 = np.check_index %i of %n axis 0
  // CHECK: np.view %{{.*}} offsets[%{{.*}}] axes [] extents[] steps[] : !np.array<?xui8, strided> -> !np.array<ui8, strided>
  %4 = np.view %b offsets [%3] axes [] extents [] steps [] : !np.array<?xui8, strided> -> !np.array<ui8, strided>
  return
}

// CHECK-LABEL: func @values
func.func @values(%x: tensor<?x?xf64>, %m: tensor<?x?xi1>, %k: f64) -> tensor<f64> {
  // CHECK: np.ufunc "add"(%{{.*}}, %{{.*}}) : (tensor<?x?xf64>, f64) -> tensor<?x?xf64>
  %0 = np.ufunc "add"(%x, %k) : (tensor<?x?xf64>, f64) -> tensor<?x?xf64>
  // CHECK: np.ufunc "where"
  %1 = np.ufunc "where"(%m, %0, %x) : (tensor<?x?xi1>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  // CHECK: np.reduce "add" %{{.*}} axes [0, 1] : tensor<?x?xf64> -> tensor<f64>
  %2 = np.reduce "add" %1 axes [0, 1] : tensor<?x?xf64> -> tensor<f64>
  return %2 : tensor<f64>
}

// CHECK-LABEL: func @positions
func.func @positions(%x: tensor<?x?xf64>, %s: tensor<?xf64>, %key: i64, %n: index) -> tensor<?x?xui64> {
  // CHECK: np.search %{{.*}} in %{{.*}} : tensor<?x?xf64>, tensor<?xf64> -> tensor<?x?xi64>
  %0 = np.search %x in %s : tensor<?x?xf64>, tensor<?xf64> -> tensor<?x?xi64>
  // CHECK: np.search %{{.*}} in %{{.*}} right : tensor<?x?xf64>, tensor<?xf64> -> tensor<?x?xi64>
  %1 = np.search %x in %s right : tensor<?x?xf64>, tensor<?xf64> -> tensor<?x?xi64>
  // CHECK: np.random_bits %{{.*}} from %{{.*}} extents[%{{.*}}, %{{.*}}] : tensor<?x?xui64>
  %2 = np.random_bits %key from %key extents [%n, %n] : tensor<?x?xui64>
  return %2 : tensor<?x?xui64>
}

// CHECK-LABEL: func @effects
func.func @effects(%c: i1, %n: index, %x: f64) {
  // CHECK: np.assert %{{.*}}, "ValueError" "empty"()
  np.assert %c, "ValueError" "empty" ()
  // CHECK: np.assert %{{.*}}, "ValueError" "{0} rows"(%{{.*}}) : index
  np.assert %c, "ValueError" "{0} rows" (%n) : index
  // CHECK: np.print ["x ", [0, ".3f"]](%{{.*}}) : f64
  np.print ["x ", [0, ".3f"]] (%x) : f64
  // CHECK: %[[T:.*]] = np.text ["x ", [0, ".3f"]](%{{.*}}) : f64
  %t = np.text ["x ", [0, ".3f"]] (%x) : f64
  // CHECK: np.text_function "at"(%[[T]], %[[T]])
  %k = np.text_function "at" (%t, %t)
  // CHECK: np.python "python {}:oi>o"(%[[T]], %[[T]])
  %o = np.python "python {}:oi>o" (%t, %t)
  return
}

// An extent that a pass found out for the operand alone.
// CHECK-LABEL: func.func @known_operand
// CHECK: np.ufunc "negative"(%{{.*}}) : (tensor<?x1xf64>) -> tensor<?x?xf64>
func.func @known_operand(%x: tensor<?x1xf64>) -> tensor<?x?xf64> {
  %0 = np.ufunc "negative"(%x) : (tensor<?x1xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}
