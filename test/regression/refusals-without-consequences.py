# RUN: %python %s
"""What follows from an error is no error of its own, errors of the program are Python's own, and refusals say what to do instead."""
import traceback

import numpy as np

import npcc


def reads(a):
    with open("numbers.txt") as file:
        return file.read()


def coroutine(a):
    async def inner():
        return 1
    return inner()


def writes(a):
    a.tofile("numbers.bin")


def over_axes(a, n):
    for k in range(n):
        a = a.sum(axis=k)
    return a


def refusal(function, *arguments):
    try:
        npcc.jit(function)(*arguments)
    except npcc.CompileError as error:
        return "".join(traceback.format_exception_only(error))
    raise AssertionError("it compiles")


a = np.ones((2, 3))
for function, words in [(reads, "io.open cannot be compiled"), (coroutine, "async def"), (writes, "write files outside")]:
    text = refusal(function, a)
    assert words in text and text.count("CompileError") == 1, text
assert "write it as a constant" in refusal(over_axes, a, 2)


def none_and_array(a):
    nothing = None
    return a * nothing


def joined(a):
    return np.concatenate(a, np.ones(3))


def list_attribute(a):
    numbers = [1, 2]
    numbers.push(3)
    return numbers


def string_attribute(a):
    return f"{a.sum()}".spilt()


for function in (none_and_array, joined, list_attribute, string_attribute):
    texts = []
    for one in (function, npcc.jit(function)):
        try:
            one(a)
        except Exception as error:
            texts.append((type(error).__name__, str(error)))
    assert len(texts) == 2 and texts[0] == texts[1], texts
