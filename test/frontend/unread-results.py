# RUN: npcc %s --emit=np 2>&1 | FileCheck %s
# Routines of linear algebra are called for what is read of their results.
import numpy as np


# npcc export upper(f8[:,:])
# CHECK-LABEL: func @upper
# CHECK: np.routine "qr_raw"
# CHECK-NOT: np.routine
def upper(a):
    return np.linalg.qr(a)[1]


# npcc export sizes(f8[:,:])
# CHECK-LABEL: func @sizes
# CHECK: np.routine "svdvals"
# CHECK: np.routine "eigvalsh"
# CHECK-NOT: np.routine
def sizes(a):
    u, s, v = np.linalg.svd(a)
    w, q = np.linalg.eigh(a)
    return s.sum() + w[0]


# npcc export both(f8[:,:])
# CHECK-LABEL: func @both
# CHECK: np.routine "eigh"
def both(a):
    w, q = np.linalg.eigh(a)
    return w, q


# npcc export nothing(c16[:])
# CHECK-LABEL: func @nothing
# CHECK-NOT: np.routine
def nothing(x):
    y = np.fft.fft(x)
    return x.shape[0]
