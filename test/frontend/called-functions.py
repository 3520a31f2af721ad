# RUN: npcc %s --emit=import --target=cpu | FileCheck %s
# RUN: npcc %s --emit=import --target=cuda | FileCheck %s --check-prefix=CUDA
"""What finds and adds keys is a function of the module, for each type of keys. A GPU runs loops that look for keys as kernels, in which nothing is called."""
import numpy as np

import npcc


# Lists go in as an array and a length, and come back where they are changed. What looks for a key does not get the values; two dicts share it.
# CHECK-LABEL: func.func @counted
# CHECK:         call @counted.found(%{{.*}}) : (i64, !np.array<?xi64>, !np.array<?xi64>, i64) -> i64
# CHECK:         call @counted.stored(%{{.*}}) : (i64, !np.array<?xi64>, i64, !np.array<?xi64>, i64, !np.array<?xi64>, i64)
# CHECK-SAME:      -> (!np.array<?xi64>, !np.array<?xi64>, i64, !np.array<?xi64>, i64)
# CHECK:         call @counted.found(
# CHECK:         call @counted.stored1(%{{.*}}) : (i64, !np.array<?xi64>, f64, !np.array<?xf64>, i64,
# CHECK-LABEL: func.func private @counted.found
# CHECK-NOT: func.func private @counted.found
# CUDA-NOT: call @
def counted(keys: npcc.i64[:], more: npcc.i64[:]):
    counts = {}
    firsts = {}
    for k in range(len(keys)):
        key = int(keys[k])
        counts[key] = counts.get(key, 0) + 1
        if key not in firsts:
            firsts[key] = k / 2
    total = 0.0
    for k in range(len(more)):
        key = int(more[k])
        if key in counts:
            total += counts[key] * firsts[key]
    return total
