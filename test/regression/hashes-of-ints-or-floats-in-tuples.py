# RUN: %python %s
"""The hash of a tuple one of whose numbers is an int on one path and a float on another did not end."""
import npcc

TABLE = (("a", 1.5), (3, 2), ("b", 1))
NUMBERS = ((1, 1.5), (3, 2))


def distinct(n):
    found, numbers = set(), set()
    for k in range(n):
        found.add(TABLE[k % 3])
        numbers.add(NUMBERS[k % 2])
    return len(found), (3, 2.0) in numbers, (1, 1) in numbers, ("b", 1) in found


def equal(k):
    return hash(NUMBERS[k]) == hash((3, 2.0))


compiled, same = npcc.jit(distinct), npcc.jit(equal)
for n in range(5):
    assert compiled(n) == distinct(n), n
assert [same(k) for k in (0, 1)] == [False, True]
