# RUN: %python %s
"""A row of a list of lists that was put into another list, too, was a copy: what was stored into it there was not seen in the first one."""
import npcc


def merged(intervals):
    intervals.sort(key=lambda one: one[0])
    result = [intervals[0]]
    for one in intervals[1:]:
        last = result[-1]
        if one[0] <= last[1]:
            last[1] = max(last[1], one[1])
        else:
            result.append(one)
    return result


def changed_later(rows):
    kept = []
    for row in rows:
        kept.append(row)
    for row in rows:
        row[0] = 9
    return kept


def read_only(rows):
    kept = []
    for row in rows:
        if row[0] > 1:
            kept.append(row)
    return [sum(row) for row in kept]


def turned(rows):
    top, bottom = rows[:1], rows[1:]
    top[0][0] = 8
    return bottom + top


def extended(rows):
    longer = []
    longer.extend(rows)
    longer[0][0] = 12
    return longer


for function in (merged, changed_later, read_only, turned, extended):
    compiled = npcc.jit(target="cpu")(function)
    for _ in range(2):
        mine, theirs = [[1, 3], [2, 6], [8, 10]], [[1, 3], [2, 6], [8, 10]]
        assert compiled(theirs) == function(mine) and mine == theirs, (function, theirs)
