# A function inside another one says that a name is global: it is not the other one's variable of that name.
# RUN: %python %s | FileCheck %s
import npcc
import numpy as np

seen = set()
count = 0


def f(x):
    def inner(v):
        global seen, count
        seen.add(v)
        count += 1
        return count

    def outer():
        def innermost():
            global count
            return count
        return innermost()
    seen = np.zeros(2)
    count = 0.5
    seen[0] = x
    return inner(int(x)) + outer() + count + seen[0]


# CHECK: 7.5 {5} 1
print(f(5.0), seen, count)
# CHECK: 10.5 {5, 6} 2
print(npcc.jit(f)(6.0), sorted(seen) == [5, 6] and "{5, 6}", count)
