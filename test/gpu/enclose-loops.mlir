// RUN: npcc-opt %s --npcc-enclose-loops | FileCheck %s

// A loop over elements without kernels runs on the device, in one thread.
// CHECK-LABEL: func.func @running
// CHECK:       np.kernel (%{{.*}}) = (%c1
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      memref.load
func.func @running(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %z) -> (f64) {
    %v = memref.load %x[%k] : memref<?xf64>
    %t = arith.addf %a, %v : f64
    memref.store %t, %y[%k] : memref<?xf64>
    scf.yield %t : f64
  }
  return
}

// So does the code that depends on its result. What the host needs of it goes through memory that it reads.
// CHECK-LABEL: func.func @root
// CHECK:       %[[M:.*]] = np.alloc() : memref<i8>
// CHECK:       np.kernel
// CHECK-NEXT:    %[[S:.*]]:2 = scf.for
// CHECK:         %[[R:.*]] = math.sqrt %[[S]]#0
// CHECK-NEXT:    memref.store %[[R]], %{{.*}}[]
// CHECK:         %[[BYTE:.*]] = arith.extui %[[S]]#1
// CHECK:         memref.store %[[BYTE]], %[[M]][]
// CHECK:       %[[READ:.*]] = memref.load %[[M]][]
// CHECK-NEXT:  %[[ANY:.*]] = arith.trunci %[[READ]]
// CHECK-NEXT:  np.release %[[M]]
// CHECK-NEXT:  return %[[ANY]]
func.func @root(%x: memref<?xf64>, %y: memref<f64>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %no = arith.constant false
  %n = memref.dim %x, %c0 : memref<?xf64>
  %s:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %z, %any = %no) -> (f64, i1) {
    %v = memref.load %x[%k] : memref<?xf64>
    %t = arith.addf %a, %v : f64
    %b = arith.cmpf olt, %v, %z : f64
    %o = arith.ori %any, %b : i1
    scf.yield %t, %o : f64, i1
  }
  %r = math.sqrt %s#0 : f64
  memref.store %r, %y[] : memref<f64>
  return %s#1 : i1
}

// A loop that launches kernels stays with the host.
// CHECK-LABEL: func.func @launches
// CHECK:       scf.for
// CHECK-NEXT:    np.kernel
func.func @launches(%x: memref<?xf64>, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %k = %c0 to %count step %c1 {
    np.kernel (%i) = (%n) {
      %v = memref.load %x[%i] : memref<?xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %x[%i] : memref<?xf64>
    }
  }
  return
}

// A store into an array of the host stays with it: the kernel leaves the number where the host reads it.
// CHECK-LABEL: func.func @into_the_host
// CHECK:       np.kernel
// CHECK:         memref.store %{{.*}}, %[[RESULT:.*]][] : memref<f64>
// CHECK:       }
// CHECK:       %[[READ:.*]] = memref.load %[[RESULT]][]
// CHECK:       memref.store %[[READ]], %{{.*}} : memref<?xf64, "host">
func.func @into_the_host(%x: memref<?xf64>, %list: memref<?xf64, "host">, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %s = scf.for %k = %c0 to %count step %c1 iter_args(%t = %zero) -> (f64) {
    %v = memref.load %x[%k] : memref<?xf64>
    %q = arith.divf %v, %t : f64
    scf.yield %q : f64
  }
  memref.store %s, %list[%c0] : memref<?xf64, "host">
  return
}
