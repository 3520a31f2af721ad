// A counter that a loop compares with other conditions needs one register: what is compared is the next one.
// RUN: npcc-opt %s --npcc-launches-to-images | FileCheck %s

// CHECK:      np.ptx = "{{.*}}.visible .entry count_kernel_0
// CHECK-SAME: add.s32 [[K:%r[0-9]+]], [[K]], 1;
// CHECK-SAME: setp.lt.u32 {{[^;]*}}, [[K]], 100000;
// CHECK-SAME: st.global.b32 {{[^;]*}}, [[K]];
func.func @count(%p: !llvm.ptr<1>, %c: f32) attributes {np.target = "cuda"} {
  %one = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %d) in (%gx = %one, %gy = %one, %gz = %one) threads(%t, %e, %g) in (%bx = %one, %by = %one, %bz = %one) {
    %zero = arith.constant 0.0 : f32
    %four = arith.constant 4.0 : f32
    %k0 = arith.constant 0 : i32
    %k1 = arith.constant 1 : i32
    %limit = arith.constant 100000 : i32
    %r:2 = scf.while (%x = %zero, %k = %k0) : (f32, i32) -> (f32, i32) {
      %below = arith.cmpi slt, %k, %limit : i32
      %small = arith.cmpf ole, %x, %four : f32
      %goes = arith.andi %below, %small : i1
      scf.condition(%goes) %x, %k : f32, i32
    } do {
    ^bb0(%x: f32, %k: i32):
      %s = arith.mulf %x, %x : f32
      %y = arith.addf %s, %c : f32
      %n = arith.addi %k, %k1 : i32
      scf.yield %y, %n : f32, i32
    }
    llvm.store %r#1, %p : i32, !llvm.ptr<1>
    gpu.terminator
  }
  return
}
