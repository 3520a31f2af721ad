# RUN: npcc %s --emit=ast | FileCheck %s --check-prefix=AST
# RUN: npcc %s --emit=np | FileCheck %s --check-prefix=NP
# RUN: npcc %s --emit=kernels | FileCheck %s --check-prefix=LOOPS
# RUN: npcc %s --emit=gpu | FileCheck %s --check-prefix=GPU
# RUN: npcc %s --emit=llvm | FileCheck %s --check-prefix=LLVM
# RUN: npcc %s --emit=ptx | FileCheck %s --check-prefix=PTX
# RUN: npcc --version | FileCheck %s --check-prefix=VERSION
"""--emit stops the driver at any phase."""
import npcc


def double(x: npcc.f64[:]):
    return x + x


# AST: FunctionDef(
# AST: name='double'
# NP: func.func {{.*}}@double
# NP: np.ufunc "add"
# LOOPS: np.kernel
# GPU: gpu.launch
# LLVM: define
# PTX: .visible .entry
# VERSION: npcc {{[0-9]+}}.
