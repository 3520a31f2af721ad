# RUN: not %python %s 2>&1 | FileCheck %s
"""The parameters of a compiled function are fixed."""
import npcc


@npcc.jit
def total(*arrays):
    return arrays[0]


# CHECK: line 6
# CHECK: CompileError: *arrays of total: the parameters of a compiled function are fixed
# CHECK-NEXT: name the parameters
