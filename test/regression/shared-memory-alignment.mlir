// Two results of a reduction meet in shared memory, one of single bytes: the other's vectors are aligned all the same.
// RUN: npcc-opt %s --npcc-outline-launches | FileCheck %s
// CHECK: gpu.func @{{.*}} workgroup(%{{.*}} : memref<8xi1, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %{{.*}} : memref<8xf64, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
func.func @f(%x: i1, %y: f64) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%a, %b, %c) in (%ga = %c1, %gb = %c1, %gc = %c1) threads(%d, %e, %f) in (%ba = %c256, %bb = %c1, %bc = %c1)
      workgroup(%s : memref<8xi1, #gpu.address_space<workgroup>>, %t : memref<8xf64, #gpu.address_space<workgroup>>) {
    memref.store %x, %s[%c0] : memref<8xi1, #gpu.address_space<workgroup>>
    memref.store %y, %t[%c0] : memref<8xf64, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
