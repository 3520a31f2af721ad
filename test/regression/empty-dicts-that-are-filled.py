# RUN: %python %s
"""An empty dict that was given, and got its first keys outside of loops, stayed empty."""
import npcc


def remembered(memo, n):
    if n not in memo:
        memo[n] = n * n
    return memo[n]


def put(table, names, key, value):
    table[key] = value
    names.add(key)


for target in ("cpu", "debug"):
    memo, table, names = {}, {}, set()
    compiled, other = npcc.jit(target=target)(remembered), npcc.jit(target=target)(put)
    assert [compiled(memo, n) for n in (3, 4, 3)] == [9, 16, 9] and memo == {3: 9, 4: 16}
    for k in range(3):
        other(table, names, k, 0.5)
        other(table, names, 0, 1.5)
    assert table == {0: 1.5, 1: 0.5, 2: 0.5} and names == {0, 1, 2}, (table, names)
