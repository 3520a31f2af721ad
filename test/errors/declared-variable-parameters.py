# RUN: not npcc %s -o %t.so 2>&1 | FileCheck %s
"""The parameters of a function that is declared are fixed."""

# npcc export total(float64[:])
def total(*arrays):
    return arrays[0]


# CHECK: the parameters of a function that is declared are fixed
# CHECK: name the parameters
