# RUN: %python %s
# 2**63 - 1 as a constant position ended the compiler: it was the mark of an empty place in a table of constants.

import npcc
import numpy as np


@npcc.jit
def ends(a):
    return a[9223372036854775807:], a[:9223372036854775807], a[-9223372036854775807:]


a = np.arange(3)
for part, want in zip(ends(a), (a[3:], a, a)):
    assert np.array_equal(part, want)
