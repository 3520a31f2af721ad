# RUN: npcc run --target cpu --after 0 %s one two > %t 2>&1
# RUN: FileCheck %s < %t
# RUN: not npcc run %t.missing.py 2>&1 | FileCheck %s --check-prefix=MISSING
"""`npcc run`: the script's functions are compiled, what ran in Python is listed with the reason."""
import sys

import numpy as np


def fast(x):
    return np.sum(x * 2)


def slow(x):
    return np.array2string(x, formatter={})


if __name__ == "__main__":
    print(type(fast).__name__, fast(np.ones(3)), sys.argv[1:])
    print(slow(np.ones(2)))

# CHECK: Function 6.0 ['one', 'two']
# CHECK: [1. 1.]
# CHECK: npcc: slow ({{.*}}run-a-script.py:14) ran in Python: {{.*}}run-a-script.py:15: {{.*}}array2string
# CHECK-NOT: fast

# MISSING-NOT: Traceback
# MISSING: npcc: {{.*}}No such file or directory: '{{.*}}missing.py'
