// RUN: npcc-opt %s --npcc-fuse | FileCheck %s
// A Python int beside an array of unsigned integers made the division signed.

// CHECK-LABEL: func @divide
// CHECK: arith.divui
func.func @divide(%a: !np.array<?xui8>) -> !np.array<?xui8> {
  %c4 = arith.constant 4 : i8
  %k = np.cast %c4 : i8 -> ui8
  %x = np.load %a : !np.array<?xui8> -> tensor<?xui8>
  %q = np.ufunc "floor_divide"(%x, %k) : (tensor<?xui8>, ui8) -> tensor<?xui8>
  %r = np.new %q : tensor<?xui8> -> !np.array<?xui8>
  return %r : !np.array<?xui8>
}
