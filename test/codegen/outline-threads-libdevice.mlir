// On the CPU functions of libdevice are the runtime's, and fields of records memory at an address.
// RUN: npcc-opt %s --npcc-outline-threads --canonicalize | FileCheck %s

// CHECK-LABEL: func.func private @both.threads0
// CHECK:         %[[SLOT:.*]] = llvm.alloca %{{.*}} x i32
// CHECK:         memref.load %{{.*}} {alignment = 4 : i64} : memref<2xf64>
// CHECK:         %[[FRACTION:.*]] = llvm.call @npcc_rt_nv_frexp(%{{.*}}, %[[SLOT]]) : (f64, !llvm.ptr) -> f64
// CHECK:         %[[EXPONENT:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> i32
// CHECK-NOT:     np.field
func.func private @both.threads0(%record: memref<20xi8>, %fractions: memref<?xf64>, %exponents: memref<?xi32>) attributes {np.thread = "both"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %field = np.field %record[%c4] as [2] {alignment = 4 : i64} : memref<20xi8> -> memref<2xf64>
  %x = memref.load %field[%c1] : memref<2xf64>
  %r:2 = np.libdevice "frexp"(%x) : (f64) -> (f64, i32)
  memref.store %r#0, %fractions[%c0] : memref<?xf64>
  memref.store %r#1, %exponents[%c0] : memref<?xi32>
  return
}
func.func @launch(%record: memref<20xi8>, %fractions: memref<?xf64>, %exponents: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.launch @both.threads0 grid(%c1, %c1, %c1) block(%c1, %c1, %c1) shared(%c0)(%record, %fractions, %exponents) : memref<20xi8>, memref<?xf64>, memref<?xi32>
  return
}
