# RUN: %python %s
# The analysis of ranges followed sums around loops in loops, one step after the other, and did not come to an end.

import npcc


def program(i, j, c):
    n = 3
    while n > 0:
        n -= 1
        for k in range(-j % 5 % 5):
            j = j
        for m in range((j if c else k) % 5):
            i = i = (i - 6) // 4
            j = (i - 6) // 4
            for i in range(6, 0, -2):
                j = (j + i) % 7
    return i, j


for arguments in [(0, 1, True), (5, 2, False), (-3, 4, True)]:
    assert npcc.jit(program, target="cpu")(*arguments) == program(*arguments), arguments
