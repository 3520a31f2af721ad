# REQUIRES: x86
# RUN: npcc %s --target=cpu --cpu=znver4 --emit=llvm | FileCheck %s
# What vectors of 8 leave of a row goes by shorter vectors, as 38 elements are 4 vectors of 8 and 3 of 2.
import npcc


# CHECK:         fadd <8 x double>
# CHECK-COUNT-3: fadd <{{[24]}} x double>
def neighbours(x: npcc.f64[:, :], y: npcc.f64[:, :]):
    y[1:-1, 1:-1] = (x[2:, 1:-1] - 2 * x[1:-1, 1:-1] + x[:-2, 1:-1]) * 0.125 + (x[1:-1, 2:] - 2 * x[1:-1, 1:-1] + x[1:-1, :-2]) * 0.25 \
        + (x[2:, 2:] - 2 * x[1:-1, 1:-1] + x[:-2, :-2]) * 0.5
