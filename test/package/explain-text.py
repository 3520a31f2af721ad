# RUN: npcc explain --target cuda --device H100 --sig "fused(float64[:,:], float)" %s | FileCheck %s --check-prefix=FUSED
# RUN: npcc explain --target cuda --sig "overwritten(float64[:])" %s | FileCheck %s --check-prefix=OVERWRITTEN
# RUN: npcc explain --target cuda --sig "extents(float64[:], float64[:])" %s | FileCheck %s --check-prefix=EXTENTS
# RUN: npcc explain --target cuda --sig "centred(float64[:])" %s | FileCheck %s --check-prefix=CENTRED
# RUN: npcc explain --target cuda --sig "loops(float64[:], float64[:], int)" %s | FileCheck %s --check-prefix=LOOPS
# RUN: npcc explain --target cuda --sig "elements(float64[:], float64[:])" %s | FileCheck %s --check-prefix=ELEMENTS
# RUN: npcc explain --target cuda --sig "serial(float64[:])" %s | FileCheck %s --check-prefix=SERIAL
# RUN: npcc explain --target cuda --sig "product(float64[:,:], float64[:,:])" %s | FileCheck %s --check-prefix=PRODUCT
"""What `npcc explain` says of kernels, of what is not one kernel, and of loops. Extents are names here: nothing is called."""
import numpy as np


# FUSED: fused(float64[:,:], float), cuda
# FUSED-NEXT: kernel 1: map over u.shape[0] x u.shape[1] [explain-text.py:[[#]], line [[#]] in it]
# FUSED: reads u 8 * u.shape[0] * u.shape[1] bytes
# FUSED-NOT: kernel 2
def fused(u, k):
    v = u.copy()
    v[1:-1] = u[1:-1] + k * (u[2:] + u[:-2])
    return v * 2


# OVERWRITTEN: kernel 2
# OVERWRITTEN: why:
# OVERWRITTEN-NEXT: line [[LINE:[0-9]+]]: in memory: line [[LINE]] stores it to an array that it reads at other positions
def overwritten(x):
    x[1:] = x[:-1] * 2
    return x


# EXTENTS: kernel 1: map over x.shape[0]
# EXTENTS: kernel 2: map over y.shape[0]
# EXTENTS: not one kernel with line [[#]]: it goes over other extents
def extents(x, y):
    a = x + 1
    b = y * 2
    return a, b


# CENTRED: kernel [[#]]: rows
# CENTRED: line [[#]]: in memory: positions other than its own read the reduction, and each would compute it again
def centred(x):
    m = x.mean()
    return x - m


# One kernel where a step is little work, or not much; else a launch for each statement.
# LOOPS: kernel 1: steps, a block of threads
# LOOPS: kernel 2: steps over {{.*}}, a loop of the host run by all blocks
# LOOPS: loop of the host, max(steps, 0) iterations
# LOOPS: why a loop of steps: one kernel where a step is little work, else a launch for each of its kernels
# LOOPS: kernel 3: map over
# LOOPS: kernel 4: map over
def loops(u, v, steps):
    for _ in range(steps):
        v[1:-1] = u[2:] + u[:-2]
        u[1:-1] = v[2:] - v[:-2]
    return u


# ELEMENTS: if x.shape[0] <= y.shape[0]:
# ELEMENTS-NEXT: kernel 1: map over x.shape[0]
# ELEMENTS: a loop that is a kernel: its iterations do not need each other
def elements(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] * x[i]


# SERIAL: a loop over elements in which an iteration needs the one before
def serial(x):
    s = 0.0
    for i in range(x.shape[0]):
        s = s * 0.5 + x[i]
    return s


# PRODUCT: kernel 1: product, a call of a library
# PRODUCT: reads a 8 * a.shape[0] * a.shape[1] bytes, b 8 * b.shape[0] * b.shape[1] bytes
def product(a, b):
    return a @ b
