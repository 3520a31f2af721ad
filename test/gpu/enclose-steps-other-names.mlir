// What a loop begins with has another name: one kernel would go on with a copy of it.
// RUN: npcc-opt %s --npcc-enclose-steps | FileCheck %s

// The loop gives the array itself where no iteration takes another.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:   np.kernel steps
func.func @kept(%x: memref<?xf64>, %c: memref<?xi8>, %count: index) -> memref<?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant 0 : i8
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.retain %x : memref<?xf64>
  %last = scf.for %k = %c0 to %count step %c1 iter_args(%a = %x) -> (memref<?xf64>) {
    %asked = memref.load %c[%k] : memref<?xi8>
    %isTrue = arith.cmpi ne, %asked, %no : i8
    %next = scf.if %isTrue -> (memref<?xf64>) {
      %b = np.alloc(%n) : memref<?xf64>
      np.kernel map (%i) = (%n) {
        %v = memref.load %x[%i] : memref<?xf64>
        memref.store %v, %b[%i] : memref<?xf64>
      }
      scf.yield %b : memref<?xf64>
    } else {
      np.retain %a : memref<?xf64>
      scf.yield %a : memref<?xf64>
    }
    np.release %a : memref<?xf64>
    scf.yield %next : memref<?xf64>
  }
  return %last : memref<?xf64>
}

// The first iteration reads what it has stored.
// CHECK-LABEL: func.func @changed
// CHECK-NOT:   np.kernel steps
func.func @changed(%x: memref<?xf64>, %count: index) -> memref<?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.retain %x : memref<?xf64>
  %last = scf.for %k = %c0 to %count step %c1 iter_args(%a = %x) -> (memref<?xf64>) {
    np.kernel map (%i) = (%c1) {
      memref.store %one, %x[%i] : memref<?xf64>
    }
    %b = np.alloc(%n) : memref<?xf64>
    np.kernel map (%i) = (%n) {
      %v = memref.load %a[%i] : memref<?xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %b[%i] : memref<?xf64>
    }
    np.release %a : memref<?xf64>
    scf.yield %b : memref<?xf64>
  }
  return %last : memref<?xf64>
}
