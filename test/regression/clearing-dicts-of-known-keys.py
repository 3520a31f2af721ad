# RUN: %python %s
"""clear() and popitem() of a dict whose keys are known when the function is compiled."""
import npcc

calls = {}


def counted(names):
    calls.clear()
    calls["all"] = len(names)
    for name in names:
        calls[name] = calls.get(name, 0) + 1
    return calls


def emptied(x):
    table = {"a": x, "b": 2 * x}
    last = table.popitem()
    if x > 1:
        table.clear()
    return last, table, len(table)


assert npcc.jit(counted)(["a", "b", "a"]) == {"all": 3, "a": 2, "b": 1} and calls == {"all": 3, "a": 2, "b": 1}
for x in (1.0, 2.0):
    assert npcc.jit(emptied)(x) == emptied(x)
