# RUN: npcc run --target cpu --after 0.05 --report %s > %t 2>&1
# RUN: FileCheck %s < %t
"""`npcc run`: loops of the top level, and methods, are compiled when they have run long."""
import numpy as np

a = np.arange(12.0).reshape(3, 4)
k, x, total = 0, 0.5, 0.0
while True:
    k += 1
    x = 3.7 * x * (1 - x)
    if k % 5 == 0:
        continue
    a[k % 3, k % 4] += x
    if k >= 30_000_000:
        break

words = []
for k in range(3):
    words.append(str(k))
else:
    words.append("end")
print(words, k, round(float(a.sum())) > 10**7)


class Walker:
    def __init__(self):
        self.steps = 0

    def length(self, n):
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            self.steps += 1
        return self.steps


def main():
    y, states = 0.25, np.zeros(7)
    for k in range(30_000_000):
        y = 3.9 * y * (1 - y)
        states[k % 7] = y
    return round(states.max() + y) < 3


if __name__ == "__main__":
    print(main())
    for n in range(1, 300_000):
        w = Walker()
        w.length(n)
    print(n, w.steps)

# CHECK: ['0', '1', '2', 'end'] 2 True
# CHECK: True
# CHECK: 299999 225
# CHECK: npcc: Walker.length ({{.*}}run-hot-loops.py:29)
# CHECK: npcc: the loop of line 8 ({{.*}}run-hot-loops.py:8) was compiled ({{.*}} s in Python, {{.*}} s compiled)
# CHECK-NOT: the loop of line 19
# CHECK: npcc: the loop of line 46
# CHECK: npcc: the loop of line 38 ({{.*}}run-hot-loops.py:38) was compiled
