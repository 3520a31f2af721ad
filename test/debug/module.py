# RUN: rm -rf %t && mkdir -p %t
# RUN: npcc %s -o %t/checked.so --target debug --nan
# RUN: cd %t && %python -I %S/Inputs/use_checked.py %t
# RUN: not npcc %s -o %t/both.so --target cpu,debug 2>&1 | FileCheck %s
# RUN: not npcc %s -o %t/nan.so --target cpu --nan 2>&1 | FileCheck %s --check-prefix=NAN
# RUN: not npcc run --nan %s 2>&1 | FileCheck %s --check-prefix=NAN
# RUN: not npcc run --target debug --nan %s 2>&1 | FileCheck %s --check-prefix=RAISED
"""A module for the target "debug"; code for the host is of one kind."""
import numpy as np


# npcc export roots(float64[:])
def roots(x):
    return np.sqrt(x)


if __name__ == "__main__":
    roots(np.array([4.0, -9.0]))

# RAISED: line 14, in compiled code
# RAISED: FloatingPointError: NaN made of operands without one
# NAN: --nan is for --target debug
# CHECK: npcc: --target cpu,debug: a module has one kind of code for each device
