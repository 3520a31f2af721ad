# RUN: not %python %s 2>&1 | FileCheck %s
"""A name that is not there, and one that is very like it."""
import npcc


@npcc.jit(cache=False)
def mean(values):
    total = 0.0
    for value in values:
        total += value
    return totl / len(values)


mean([1.0, 2.0])
# CHECK: line 11
# CHECK: return totl / len(values)
# CHECK: NameError: name 'totl' is not defined
# CHECK: did you mean 'total'?
