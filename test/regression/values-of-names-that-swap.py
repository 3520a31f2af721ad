# RUN: %python %s
# A name that was bound to what another name's slot had held was taken for unchanged in a loop.

import npcc


def numbers(i0, i1):
    if i1:
        i0, i1 = (i1, i0)
    i1, i0 = (i0, i1)
    for k in range(2, 5):
        i1 = i0
    return i1


def tuples(a, b, n):
    if n:
        p = (a, b)
    else:
        p = (b, a)
    x, y = p
    p, q = (y, x), p
    for k in range(n):
        p = q
    return p[0], p[1], q[0]


for arguments in [(4, 1), (1, 4), (4, 0)]:
    assert npcc.jit(numbers, target="cpu")(*arguments) == numbers(*arguments), arguments
for arguments in [(1, 2, 3), (1, 2, 0)]:
    assert npcc.jit(tuples, target="cpu")(*arguments) == tuples(*arguments), arguments
