# RUN: %python %s
# A comprehension over a known list whose items differ by path gives one of several lists, of which zip() and enumerate()
# made as many iterators, which no loop could go over.
import npcc


def signs(limit):
    flags = ["<" if value < limit else "" for value in [0.25, 0.75]]
    text = ""
    for value, flag in zip([0.25, 0.75], flags):
        text += f"{value}{flag};"
    for k, flag in enumerate(flags):
        text += str(k) + flag
    for flag in reversed(flags):
        text += flag + "."
    return text


compiled = npcc.jit(signs)
for limit in (0.0, 0.5, 1.0):
    assert compiled(limit) == signs(limit), (compiled(limit), signs(limit))


def either(flag):
    values = [1, 2] if flag else ["a", "b", "c"]
    return [(k, value) for k, value in enumerate(values)], [pair for pair in zip(values, "xyz")]


compiled = npcc.jit(either)
for flag in (False, True):
    assert compiled(flag) == either(flag), (compiled(flag), either(flag))
