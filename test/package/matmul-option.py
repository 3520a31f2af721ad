# RUN: npcc %s --emit kernels --target cpu | FileCheck %s --check-prefix=EXACT
# RUN: npcc %s --emit kernels --target cpu --matmul=tf32 | FileCheck %s --check-prefix=TF32
# RUN: npcc %s --emit kernels --target cpu --matmul=bf16 | FileCheck %s --check-prefix=BF16
# RUN: not npcc %s --emit kernels --matmul=fp8 2>&1 | FileCheck %s --check-prefix=BAD
import npcc


# EXACT:     np.call_matmul {{.*}} : memref<?x?xf32>
# EXACT-NOT: tf32
# TF32:      np.call_matmul {{.*}}tf32{{.*}} : memref<?x?xf32>
# BF16:      np.call_matmul {{.*}} : memref<?x?xbf16>, memref<?x?xbf16>, memref<?x?xf32>
# BAD:       invalid choice: 'fp8'
def product(x: npcc.f32[:, :], y: npcc.f32[:, :]):
    return x @ y
