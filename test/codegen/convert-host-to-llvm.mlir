// What is left in functions of the host goes to the LLVM dialect at once: arithmetic, memory, calls of the runtime.
// RUN: npcc-opt %s --npcc-convert-host-to-llvm --reconcile-unrealized-casts | FileCheck %s

// CHECK:       llvm.func @npcc_rt_alloc
// CHECK-LABEL: llvm.func @copy
// CHECK:         llvm.call @npcc_rt_alloc
// CHECK:         llvm.br
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f64
// CHECK:         %[[Y:.*]] = llvm.fadd %[[X]], %[[X]] : f64
// CHECK:         llvm.store %[[Y]], %{{.*}} : f64, !llvm.ptr
// CHECK:         llvm.return
// CHECK-NOT:   memref.
func.func @copy(%a: memref<?xf64>, %n: index) -> memref<?xf64> attributes {np.target = "cpu"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = np.alloc(%n) : memref<?xf64>
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %x = memref.load %a[%i] : memref<?xf64>
  %y = arith.addf %x, %x : f64
  memref.store %y, %b[%i] : memref<?xf64>
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %next, %n : index
  cf.cond_br %more, ^loop(%next : index), ^end
^end:
  return %b : memref<?xf64>
}
