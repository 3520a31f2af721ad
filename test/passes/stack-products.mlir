// Products of a loop's own matrices are made before it, as one product of stacks, where the target is a device.
// RUN: npcc-opt %s --npcc-stack-products --canonicalize --cse | FileCheck %s

// The other operand is the same in all iterations: a stack that does not move. What the loop carries stays.
// CHECK-LABEL: func.func @own
// CHECK:       scf.for %[[BEGIN:.*]] = %c0 to %{{.*}} step %{{.*}} iter_args
// CHECK:         %[[FIRST:.*]] = arith.maxsi %[[BEGIN]], %c0
// CHECK:         %[[XS:.*]] = np.view %arg0 offsets[%[[FIRST]], %c0, %c0] axes [0, 1, 2] extents[%[[COUNT:.*]], %{{.*}}, %{{.*}}] steps[%c1, %c1, %c1]
// CHECK:         %[[X:.*]] = np.load %[[XS]]
// CHECK:         %[[WS:.*]] = np.view %arg2 offsets[%c0, %c0] axes [-1, 0, 1] extents[%[[COUNT]], %{{.*}}, %{{.*}}] steps[%c1, %c1, %c1]
// CHECK:         %[[W:.*]] = np.load %[[WS]]
// CHECK:         %[[P:.*]] = np.matmul %[[X]], %[[W]] : tensor<?x?x?xf32>, tensor<?x?x?xf32> -> tensor<?x?x?xf32>
// CHECK:         scf.for %[[T:.*]] = %[[BEGIN]] to
// CHECK-NEXT:      %[[AT:.*]] = arith.subi %[[T]], %[[BEGIN]]
// CHECK:           np.view %[[P]] offsets[%[[AT]], %c0, %c0] axes [1, 2]
// CHECK:           np.matmul
// CHECK-NOT:       np.matmul
// CHECK:           np.new
func.func @own(%x: !np.array<?x?x?xf32>, %h: !np.array<?x?xf32>, %w: !np.array<?x?xf32>) -> !np.array<?x?xf32> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %x, 0 : !np.array<?x?x?xf32>
  %m = np.dim %x, 1 : !np.array<?x?x?xf32>
  %k = np.dim %x, 2 : !np.array<?x?x?xf32>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%old = %h) -> (!np.array<?x?xf32>) {
    %v = np.view %x offsets[%t, %c0, %c0] axes [1, 2] extents[%m, %k] steps[%c1, %c1] : !np.array<?x?x?xf32> -> !np.array<?x?xf32>
    %a = np.load %v : !np.array<?x?xf32> -> tensor<?x?xf32>
    %b = np.load %w : !np.array<?x?xf32> -> tensor<?x?xf32>
    %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    %c = np.load %old : !np.array<?x?xf32> -> tensor<?x?xf32>
    %q = np.matmul %p, %c : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    %new = np.new %q : tensor<?x?xf32> -> !np.array<?x?xf32>
    scf.yield %new : !np.array<?x?xf32>
  }
  return %r : !np.array<?x?xf32>
}

// The call that the code is compiled for has few iterations: one block of all, which the choice function asks for.
// CHECK-LABEL: func.func @few
// CHECK-NOT:   scf.for
// CHECK:       np.matmul {{.*}} : tensor<?x?x?xf32>
// CHECK:       scf.for %{{.*}} = %c0 to %arg3
// CHECK-NOT:   scf.for
// CHECK:       func.func {{.*}}@few.choice
// CHECK:         arith.cmpi sle
func.func @few(%x: !np.array<?x?x?xf32> {np.first = array<i64: 64, 512, 128, 0>}, %w: !np.array<?x?xf32> {np.first = array<i64: 128, 256, 0>}, %out: !np.array<?x?x?xf32> {np.first = array<i64: 64, 512, 256, 0>}, %n: index {np.first = array<i64: 64>}) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = np.dim %x, 1 : !np.array<?x?x?xf32>
  %k = np.dim %x, 2 : !np.array<?x?x?xf32>
  %l = np.dim %w, 1 : !np.array<?x?xf32>
  scf.for %t = %c0 to %n step %c1 {
    %v = np.view %x offsets[%t, %c0, %c0] axes [1, 2] extents[%m, %k] steps[%c1, %c1] : !np.array<?x?x?xf32> -> !np.array<?x?xf32>
    %o = np.view %out offsets[%t, %c0, %c0] axes [1, 2] extents[%m, %l] steps[%c1, %c1] : !np.array<?x?x?xf32> -> !np.array<?x?xf32>
    %a = np.load %v : !np.array<?x?xf32> -> tensor<?x?xf32>
    %b = np.load %w : !np.array<?x?xf32> -> tensor<?x?xf32>
    %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    np.store %p, %o : tensor<?x?xf32>, !np.array<?x?xf32>
  }
  return
}

// The loop writes what it multiplies.
// CHECK-LABEL: func.func @written
// CHECK:       scf.for
// CHECK-NOT:   scf.for
// CHECK:       np.matmul {{.*}} : tensor<?x?xf32>
func.func @written(%x: !np.array<?x?x?xf32>, %w: !np.array<?x?xf32>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %x, 0 : !np.array<?x?x?xf32>
  %m = np.dim %x, 1 : !np.array<?x?x?xf32>
  scf.for %t = %c0 to %n step %c1 {
    %v = np.view %x offsets[%t, %c0, %c0] axes [1, 2] extents[%m, %m] steps[%c1, %c1] : !np.array<?x?x?xf32> -> !np.array<?x?xf32>
    %a = np.load %v : !np.array<?x?xf32> -> tensor<?x?xf32>
    %b = np.load %w : !np.array<?x?xf32> -> tensor<?x?xf32>
    %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    np.store %p, %v : tensor<?x?xf32>, !np.array<?x?xf32>
  }
  return
}

// A host calls at once.
// CHECK-LABEL: func.func @host
// CHECK:       scf.for
// CHECK-NOT:   scf.for
// CHECK:       np.matmul {{.*}} : tensor<?x?xf32>
func.func @host(%x: !np.array<?x?x?xf32>, %w: !np.array<?x?xf32>, %out: !np.array<?x?x?xf32>) attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %x, 0 : !np.array<?x?x?xf32>
  %m = np.dim %x, 1 : !np.array<?x?x?xf32>
  scf.for %t = %c0 to %n step %c1 {
    %v = np.view %x offsets[%t, %c0, %c0] axes [1, 2] extents[%m, %m] steps[%c1, %c1] : !np.array<?x?x?xf32> -> !np.array<?x?xf32>
    %o = np.view %out offsets[%t, %c0, %c0] axes [1, 2] extents[%m, %m] steps[%c1, %c1] : !np.array<?x?x?xf32> -> !np.array<?x?xf32>
    %a = np.load %v : !np.array<?x?xf32> -> tensor<?x?xf32>
    %b = np.load %w : !np.array<?x?xf32> -> tensor<?x?xf32>
    %p = np.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    np.store %p, %o : tensor<?x?xf32>, !np.array<?x?xf32>
  }
  return
}
