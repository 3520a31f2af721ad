# REQUIRES: x86
# RUN: npcc %s --target=cpu --cpu=znver4 --emit=llvm | FileCheck %s
# Code that runs once a call, around kernels, is not searched for vectors: of the stores that fill descriptors of arrays that took longer than all else.
import npcc


# CHECK:     define {{.*}}.entry(
# CHECK-NOT: <{{[0-9]+}} x
# CHECK:     define {{.*}}_body.kernel
# CHECK:     fmul <8 x double>
# CHECK-NOT: noimplicitfloat
def straight(a: npcc.f64[:, :], b: npcc.f64[:, :], c: npcc.f64[:, :], k: float):
    return a * k, b + k, c - k
