# RUN: npcc run --target cpu --after 0.05 --report %s > %t 2>&1
# RUN: FileCheck %s < %t
"""`npcc run`: functions begin in Python; what has run long is compiled meanwhile, and is the same object before and after."""
import time


def length(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def once(n):
    return n + 1


def squares(n):
    for k in range(n):
        yield k * k


names = {length: "length"}

if __name__ == "__main__":
    found, end = set(), time.monotonic() + 60
    while "<npcc function" not in repr(length.__code__.co_consts) and time.monotonic() < end:  # what its code calls in the end
        found.add(length(837799))
    print(found)
    print(length(27), names[length], length.__name__, once(1), sum(squares(3)))

# CHECK: {524}
# CHECK: 111 length length 2 5
# CHECK: npcc: length ({{.*}}run-hot-functions.py:7) was compiled ({{.*}} s in Python, {{.*}} s compiled)
# CHECK: npcc: once ({{.*}}) stayed in Python: it did not run long
# CHECK: npcc: squares
