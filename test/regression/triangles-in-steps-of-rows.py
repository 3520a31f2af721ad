# RUN: npcc %s --target=cuda --emit=gpu | FileCheck %s
"""A loop over each row's elements, of which every iteration leaves one less. It is one kernel: the powers of its counter are computed once, and a row has as
many threads as its first iteration has elements, not a block."""
import numpy as np

from npcc import f64


# CHECK-LABEL: func.func @extrapolate
# CHECK:         math.powf
# CHECK:         {np.class = "map"}
# CHECK:         gpu.launch
# CHECK-NOT:     math.powf
# CHECK-NOT:     step %c256
# CHECK:         {np.class = "rows", nvvm.maxntid = array<i32: 256>}
def extrapolate(values: f64[:, :], levels: int):
    r = values
    for k in range(1, levels):
        r = (4.0 ** k * r[:, 1:] - r[:, :-1]) / (4.0 ** k - 1)
    return r[:, 0]
