# RUN: %python %s
"""A list of known items that a jump carried away saw what was appended to it afterwards; a union that was narrowed on one side of a branch was
numbered anew behind it, which a loop did not carry."""
import npcc


def returned(n):
    items = []
    if n > 0:
        return items, 1
    items.append(3)
    return items, 2


def pick(k):
    if k % 3 == 0:
        return None
    if k % 3 == 1:
        return k
    return k, k + 1


def narrowed(n, m):
    w = pick(m)
    s = 0
    for k in range(n):
        if w is not None:
            s = s + 1
        s = s + 10
    return s, w


for arguments in ((1,), (-1,)):
    assert npcc.jit(returned)(*arguments) == returned(*arguments)
for arguments in ((3, 3), (3, 4), (3, 5)):
    assert npcc.jit(narrowed)(*arguments) == narrowed(*arguments)
