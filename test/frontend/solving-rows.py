# RUN: npcc %s --emit=kernels --target cuda | FileCheck %s
# Matrices of up to 32 rows are solved where they lie, if they are contiguous; larger ones are put into the order that the library takes.
import numpy as np


# npcc export solutions(f8[:,:,:], f8[:,:,:])
# CHECK-LABEL: func @solutions
# CHECK: %[[ROWS:.*]] = np.call_reshape {{.*}} ravel true
# CHECK-NOT: np.kernel
# CHECK: np.routine "solve_rows"(%[[ROWS]]) to
# CHECK: np.kernel transpose
# CHECK: np.routine "solve"() to
def solutions(a, b):
    return np.linalg.solve(a, b)
