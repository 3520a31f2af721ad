# RUN: npcc %s --sig "shifted(int64[:], int)" --target cuda --emit=loops | FileCheck %s
# A part of a reshape has other axes than the array: the array was asked for one that it does not have.
# CHECK: func.func @shifted


def shifted(a, steps):
    for _ in range(steps):
        column = a.reshape(-1, 1)
        column[:-1] = column[1:]
        column[1::2, -1] += 1
    return a
