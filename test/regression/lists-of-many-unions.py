# RUN: %python %s
# A function that gets a list of which every item may be one of several types was compiled once for each combination of
# these: an import of 2 ** 40 parts, which did not end.
import npcc


def missing(limit):
    values = [
        [0 if limit > row * 5 + column else None for column in (0, 1, 2, 3, 4)] for row in (0, 1, 2, 3, 4, 5, 6, 7)
    ]
    widest = sorted(values, key=lambda row: sum(one is None for one in row))[0]
    return widest, len(values)


expected = missing(12)
assert npcc.jit(missing)(12) == expected, (npcc.jit(missing)(12), expected)
