# RUN: %python %s
"""A method of a set that takes as many sets as a list has at run time could not be compiled."""
import npcc


def merged(pairs):
    groups = []
    for a, b in pairs:
        touching = [group for group in groups if a in group or b in group]
        groups = [group for group in groups if group not in touching] + [{a, b}.union(*touching)]
    return sorted(sorted(group) for group in groups)


def updated(count):
    sets = [{k, 2 * k, 50} for k in range(count)]
    result = {100, 1}
    result.update(*sets)
    result.difference_update(*sets[1:2])
    return result, set(range(60)).intersection(*sets)


assert npcc.jit(merged, target="cpu")([(1, 2), (3, 4), (2, 3), (7, 8)]) == [[1, 2, 3, 4], [7, 8]]
assert npcc.jit(updated, target="cpu")(4) == updated(4)
