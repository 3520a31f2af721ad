# RUN: npcc %s --emit=import | FileCheck %s
# RUN: npcc %s --emit=import --sig 'f(float32[::,1], int or float)' | FileCheck %s --check-prefix=SIG
# RUN: not npcc %s --emit=import --sig 'f(float64[:' 2>&1 | FileCheck %s --check-prefix=OPEN
# RUN: not npcc %s --emit=import --sig 'f(string, int)' 2>&1 | FileCheck %s --check-prefix=NAME
"""Declarations: export comments in both spellings, several signatures, alternatives, strides, axes of extent 1, scalars of both kinds."""

# CHECK: func.func @f({{.*}}: !np.array<?x?xf64> {np.name = "x"}, {{.*}}: i64 {np.name = "n", np.weak})
# CHECK: func.func @f{{.*}}({{.*}}: !np.array<?x1xf32> {np.name = "x"}, {{.*}}: i64 {np.name = "n", np.weak})
# CHECK: func.func @f{{.*}}({{.*}}: !np.array<?x1xf32> {np.name = "x"}, {{.*}}: f64 {np.name = "n", np.weak})
# CHECK: func.func @g({{.*}}: !np.array<?xcomplex<f64>, strided> {np.name = "z"}, {{.*}}: f32 {np.name = "s"}, {{.*}}: !np.array<ui8> {np.name = "t"})
# SIG: func.func @f({{.*}}: !np.array<?x1xf32, strided> {np.name = "x"}, {{.*}}: i64 {np.name = "n", np.weak})
# SIG: func.func @f{{.*}}({{.*}}: !np.array<?x1xf32, strided> {np.name = "x"}, {{.*}}: f64 {np.name = "n", np.weak})
# OPEN: ']' expected
# NAME: 'string' is not a type that can be compiled

# npcc export f(float64[:, :], int), f(f32[:,1], int or float)


def f(x, n):
    return x * n


#pythran export g(complex128[::], float32, uint8[()])
def g(z, s, t):
    return z * s + t
