// RUN: npcc-opt %s | npcc-opt | FileCheck %s --check-prefixes=CHECK,PRINTED
// RUN: npcc-opt %s --canonicalize --cse | FileCheck %s
// Every form prints as it parses; draws are neither merged nor dropped, and stay in order.

// CHECK-LABEL: func @generators
func.func @generators(%g: !np.generator<"Generator">, %s: !np.array<?xi64>) {
  // CHECK: np.new_generator "PCG64" "entropy" -> !np.generator<"Generator">
  %0 = np.new_generator "PCG64" "entropy" -> !np.generator<"Generator">
  // CHECK: np.new_generator "MT19937" "legacy_array" seed %arg1 : !np.array<?xi64> -> !np.generator<"RandomState">
  %1 = np.new_generator "MT19937" "legacy_array" seed %s : !np.array<?xi64> -> !np.generator<"RandomState">
  // CHECK: np.new_generator "" "spawn" of %arg0 : !np.generator<"Generator"> -> !np.generator<"Generator">
  %2 = np.new_generator "" "spawn" of %g : !np.generator<"Generator"> -> !np.generator<"Generator">
  // CHECK: np.seed_generator "entropy" of %{{.*}} : !np.generator<"RandomState">
  np.seed_generator "entropy" of %1 : !np.generator<"RandomState">
  // CHECK: np.captured_generator 0 : !np.generator<"RandomState">
  %3 = np.captured_generator 0 : !np.generator<"RandomState">
  // CHECK: np.seed_generator "legacy" of %{{.*}} : !np.generator<"RandomState"> seed %arg1 : !np.array<?xi64>
  np.seed_generator "legacy" of %3 : !np.generator<"RandomState"> seed %s : !np.array<?xi64>
  return
}

// CHECK-LABEL: func @draws
func.func @draws(%g: !np.generator<"Generator">, %out: !np.array<?xf64>, %means: !np.array<?xf64>, %x: f64) -> f64 {
  // CHECK: np.draw "standard_normal" "float64" from %arg0 : !np.generator<"Generator"> into %arg1 : !np.array<?xf64>
  np.draw "standard_normal" "float64" from %g : !np.generator<"Generator"> into %out : !np.array<?xf64>
  // CHECK: np.draw "normal" "float64" from %arg0 : !np.generator<"Generator"> of(%arg2, %arg2 : !np.array<?xf64>, !np.array<?xf64>) into %arg1
  np.draw "normal" "float64" from %g : !np.generator<"Generator"> of (%means, %means : !np.array<?xf64>, !np.array<?xf64>) into %out : !np.array<?xf64>
  // CHECK: np.draw_in_turns ["random", "exponential"] ["float64", "float64"] from %arg0 : !np.generator<"Generator"> scalars [0, 1](%arg3 : f64) into %arg1, %arg2 : !np.array<?xf64>, !np.array<?xf64>
  np.draw_in_turns ["random", "exponential"] ["float64", "float64"] from %g : !np.generator<"Generator"> scalars [0, 1] (%x : f64) into %out, %means : !np.array<?xf64>, !np.array<?xf64>
  // CHECK: np.draw_scalar "exponential" "float64" from %arg0 : !np.generator<"Generator">(%arg3 : f64) -> f64
  %0 = np.draw_scalar "exponential" "float64" from %g : !np.generator<"Generator"> (%x : f64) -> f64
  // CHECK: %[[LAST:.*]] = np.draw_scalar "exponential"
  %1 = np.draw_scalar "exponential" "float64" from %g : !np.generator<"Generator"> (%x : f64) -> f64
  // CHECK: return %[[LAST]]
  return %1 : f64
}

// CHECK-LABEL: func @contiguous
func.func @contiguous(%a: !np.array<?x?xf64>, %b: !np.array<?x?xf64, strided>, %line: !np.array<?xf64>) -> (i1, i1, i1, i1) {
  // PRINTED: np.is_contiguous "C" %arg0 : !np.array<?x?xf64>
  %0 = np.is_contiguous "C" %a : !np.array<?x?xf64>
  // PRINTED: np.is_contiguous "F" %arg0
  %1 = np.is_contiguous "F" %a : !np.array<?x?xf64>
  // PRINTED: np.is_contiguous "C" %arg1
  %2 = np.is_contiguous "C" %b : !np.array<?x?xf64, strided>
  // PRINTED: np.is_contiguous "F" %arg2
  %3 = np.is_contiguous "F" %line : !np.array<?xf64>
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
