# RUN: not npcc %s --sig 'missing(float)' 2>&1 | FileCheck %s --check-prefix=MISSING
# RUN: not npcc %s --sig 'f(float)' 2>&1 | FileCheck %s --check-prefix=COUNT
# RUN: not npcc %s --sig 'f(flot, int)' 2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: not npcc %s 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: not npcc %s --emit=np 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: not npcc %t.does-not-exist.py 2>&1 | FileCheck %s --check-prefix=FILE
# RUN: not npcc %s --target tpu 2>&1 | FileCheck %s --check-prefix=TARGET
"""Declarations that do not fit the script."""


def f(a, b):
    return a + b


# MISSING: npcc: --sig 'missing(float)': {{.*}} has no function 'missing'
# COUNT: npcc: --sig 'f(float)': f has 2 parameters, the signature 1
# TYPE: npcc: 'flot' is not a type that can be compiled
# NONE: declares no signatures
# FILE: npcc: {{.*}}No such file
# TARGET: npcc: --target is a list of cpu, cuda and debug, not tpu
