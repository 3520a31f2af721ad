// Fields of records are memory of their own type at an address among the bytes, whose accesses say how little they are aligned; functions of libdevice are calls,
// with slots for what they store through pointers; views that a loop carries begin at their own address.
// RUN: npcc-opt %s --npcc-launch-threads --canonicalize | FileCheck %s
// RUN: npcc-opt %s --npcc-launch-threads --npcc-loops-to-kernels | FileCheck %s --check-prefix=CALLS

// CHECK-LABEL: func.func @launch
// CHECK:         gpu.launch
// CHECK:           llvm.getelementptr
// CHECK:           memref.load %{{.*}} {alignment = 2 : i64} : memref<f64>
// CHECK-NOT:       np.field
// CHECK-NOT:       np.rebase

// CALLS:  llvm.func @__nv_sincos(f64, !llvm.ptr, !llvm.ptr)
// CALLS:  %[[SINE:.*]] = llvm.alloca %{{.*}} x f64
// CALLS:  %[[COSINE:.*]] = llvm.alloca %{{.*}} x f64
// CALLS:  llvm.call @__nv_sincos(%{{.*}}, %[[SINE]], %[[COSINE]])
func.func private @fields.threads0(%records: memref<?x14xi8>, %out: memref<?xf64>) attributes {np.thread = "fields"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = gpu.thread_id x
  %field = np.field %records[%t, %c4] as [] {alignment = 2 : i64} : memref<?x14xi8> -> memref<f64>
  %x = memref.load %field[] : memref<f64>
  %s:2 = np.libdevice "sincos"(%x) : (f64) -> (f64, f64)
  %sum = arith.addf %s#0, %s#1 : f64
  %n = memref.dim %out, %c0 : memref<?xf64>
  %tail = memref.subview %out[%t] [%c1] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %own = np.rebase %tail : memref<?xf64, strided<[1], offset: ?>> -> memref<?xf64>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %own) -> (memref<?xf64>) {
    scf.yield %out : memref<?xf64>
  }
  memref.store %sum, %last[%c0] : memref<?xf64>
  return
}
func.func @launch(%records: memref<?x14xi8>, %out: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.launch @fields.threads0 grid(%n, %c1, %c1) block(%c1, %c1, %c1) shared(%c0)(%records, %out) : memref<?x14xi8>, memref<?xf64>
  return
}
