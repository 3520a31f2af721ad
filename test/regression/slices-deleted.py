# RUN: %python %s
"""`del l[::2]` was a ValueError of an assignment."""
import npcc


def thinned(n, given):
    known = [1, 2, 3, 4]
    del known[::2]
    made = list(range(n))
    del made[1::2], made[:1]
    other = given
    del given[::-2]
    del given[5:9:3]
    return known, made, other is given


for n in (7, 1):
    for given in ([1, 2, 3, 4, 5], ["a", "b"], []):
        mine, theirs = given[:], given[:]
        assert npcc.jit(thinned, target="cpu")(n, mine) == thinned(n, theirs) and mine == theirs, (n, given, mine, theirs)
