# RUN: not npcc %s -o %t.so 2>&1 | FileCheck %s
"""Ahead of time there is no call that could hand a global matrix over."""
import scipy.sparse

WEIGHTS = scipy.sparse.eye_array(3, format="csr")


# npcc export weighted(float64[:])
def weighted(x):
    return WEIGHTS @ x


# CHECK: line 10
# CHECK: return WEIGHTS @ x
# CHECK: a sparse matrix that is no argument cannot be compiled here
# CHECK: pass it as an argument
