// The kernels of a gpu.module, in the LLVM dialect, get PTX for the least architecture and machine code for the greatest.
// REQUIRES: ptxas
// RUN: npcc-opt %s --npcc-compile-kernels=arch=sm_80,sm_90 | FileCheck %s
// RUN: npcc-opt %s --npcc-compile-kernels=arch=sm_80,sm_90 | FileCheck %s --check-prefix=TEAM
// RUN: not npcc-opt %s --npcc-compile-kernels=arch=volta 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: 'volta' is no GPU architecture

// NumPy's bits: products and sums are rounded one by one. libdevice is linked, so nothing is left undefined.
// CHECK:      gpu.module @kernels
// CHECK-SAME: np.arch = "sm_90"
// CHECK-SAME: np.cubin = "
// CHECK-SAME: np.ptx = "{{.*}}.target sm_80
// CHECK-SAME: .visible .entry step
// CHECK-NOT:  .extern .func
// CHECK-SAME: mul.rn.f64
// CHECK-SAME: add.rn.f64
gpu.module @kernels {
  llvm.func @__nv_erf(f64) -> f64
  llvm.func @step(%p: !llvm.ptr<1>, %f: f64) attributes {gpu.kernel, nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %q = llvm.getelementptr %p[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f64
    %v = llvm.load %q : !llvm.ptr<1> -> f64
    %w = llvm.fmul %v, %f : f64
    %x = llvm.fadd %w, %f : f64
    %y = llvm.call @__nv_erf(%x) : (f64) -> f64
    llvm.store %y, %q : f64, !llvm.ptr<1>
    llvm.return
  }
}

// A function of the runtime's (runtime/cuda/kernels/teams.cu) comes along as PTX, alone, and is no declaration any more.
// TEAM:      gpu.module @teams
// TEAM-SAME: np.ptx = "
// TEAM-NOT:  .extern .func
// TEAM-SAME: .visible .func{{.*}} npcc_team_qr_raw_float32(
// TEAM-NOT:  npcc_team_qr_float32(
// TEAM-SAME: .visible .entry factorise
gpu.module @teams {
  llvm.func @npcc_team_qr_raw_float32(!llvm.ptr, i64, i64, i32, i32, i32) -> i32 attributes {convergent}
  llvm.func @factorise(%p: !llvm.ptr, %a: i64, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %status = llvm.call @npcc_team_qr_raw_float32(%p, %a, %a, %n, %n, %n) : (!llvm.ptr, i64, i64, i32, i32, i32) -> i32
    llvm.return
  }
}
