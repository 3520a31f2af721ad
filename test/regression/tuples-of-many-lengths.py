# RUN: %python %s
"""Tuples whose length is known at run time only were refused as items of lists and sets, as keys and as results."""
import npcc


@npcc.jit(target="cpu")
def windows(text, n):
    """In a list, and as results, which share what is one object."""
    rows = [(text[0],)]
    for i in range(n):
        rows.append(tuple([text[j] for j in range(i % 3)]))
    rows.append(rows[1])
    return rows


given = windows.py_func([5, 6, 7], 7)
found = windows([5, 6, 7], 7)
assert found == given and all(type(row) is tuple for row in found)
assert found[-1] is found[1]


@npcc.jit(target="cpu")
def visited(start, n):
    """In a set that begins with a tuple made of a given list."""
    seen = {tuple(start)}
    order = []
    for i in range(n):
        state = tuple([j for j in range(i % 4)])
        if state not in seen:
            seen.add(state)
            order.append(len(state))
    return order, len(seen)


assert visited([1, 2, 3], 9) == visited.py_func([1, 2, 3], 9)


@npcc.jit(target="cpu")
def groups(words):
    """As keys of a dict, and grown by +=."""
    found = {}
    for word in words:
        key = tuple(sorted(word))
        if key in found:
            found[key] += (len(word),)
        else:
            found[key] = (0,)
    return sorted(found.items())


words = ["tea", "eat", "bat", "tab", "ate", "x", ""]
assert groups(words) == groups.py_func(words)


@npcc.jit(target="cpu")
def refused(n):
    rows = [tuple(range(n)), (1, 2)]
    rows[0][0] = 1
    return rows


try:
    refused(3)
except TypeError as error:
    assert "'tuple' object does not support item assignment" in str(error), error
else:
    raise AssertionError("a tuple was changed")
