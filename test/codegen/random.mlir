// RUN: npcc-opt %s --npcc-import-to-np --npcc-np-to-loops --npcc-convert-host-to-llvm | FileCheck %s

// A draw into an array names the distribution by its number, and is given the array's first element and size.
// CHECK-LABEL: llvm.func @fill
// CHECK: llvm.call @npcc_rt_draw(%{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> ()
func.func @fill(%g: !np.generator<"Generator">, %n: i64) -> !np.array<?xf64> attributes {np.target = "cpu"} {
  %0 = arith.index_cast %n : i64 to index
  %out = np.empty(%0) : !np.array<?xf64>
  np.draw "standard_normal" "float64" from %g : !np.generator<"Generator"> into %out : !np.array<?xf64>
  return %out : !np.array<?xf64>
}

// Draws in turns are descriptions that lie one behind the other; the first array's first axis says how many turns.
// CHECK-LABEL: llvm.func @turns
// CHECK: llvm.call @npcc_rt_draw_in_turns(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i32, i64) -> ()
func.func @turns(%g: !np.generator<"Generator">, %n: i64, %x: f64) -> !np.array<?x?xf64> attributes {np.target = "cpu"} {
  %0 = arith.index_cast %n : i64 to index
  %a = np.empty(%0, %0) : !np.array<?x?xf64>
  %b = np.empty(%0) : !np.array<?xf32>
  np.draw_in_turns ["exponential", "random"] ["float64", "float32"] from %g : !np.generator<"Generator"> scalars [1, 0] (%x : f64) into %a, %b : !np.array<?x?xf64>, !np.array<?xf32>
  return %a : !np.array<?x?xf64>
}

// One number comes back in a word.
// CHECK-LABEL: llvm.func @one
// CHECK: llvm.store %{{.*}}, %[[PARAMETERS:.*]] : f64, !llvm.ptr
// CHECK: llvm.call @npcc_rt_draw_scalar
// CHECK: %[[NUMBER:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f64
func.func @one(%g: !np.generator<"Generator">, %x: f64) -> f64 attributes {np.target = "cpu"} {
  %0 = np.draw_scalar "exponential" "float64" from %g : !np.generator<"Generator"> (%x : f64) -> f64
  return %0 : f64
}

// CHECK-LABEL: llvm.func @made
// CHECK: %[[PARENT:.*]] = llvm.call @npcc_rt_captured_generator
// CHECK: llvm.call @npcc_rt_new_generator(%{{.*}}, %{{.*}}, %[[PARENT]], %{{.*}}, %{{.*}})
func.func @made() -> f64 attributes {np.target = "cpu"} {
  %0 = np.captured_generator 0 : !np.generator<"RandomState">
  %1 = np.new_generator "" "share" of %0 : !np.generator<"RandomState"> -> !np.generator<"Generator">
  %2 = np.draw_scalar "random" "float64" from %1 : !np.generator<"Generator"> -> f64
  return %2 : f64
}

// Whether elements lie one behind the other is read off the extents and strides.
// CHECK-LABEL: llvm.func @asked
// CHECK-NOT: llvm.call
// CHECK: llvm.icmp "eq"
// CHECK: llvm.return
func.func @asked(%a: !np.array<?x?xf64, strided>) -> i1 attributes {np.target = "cpu"} {
  %0 = np.is_contiguous "F" %a : !np.array<?x?xf64, strided>
  return %0 : i1
}
