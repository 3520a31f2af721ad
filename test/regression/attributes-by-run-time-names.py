# RUN: %python %s
"""getattr() of a module with a name of run time: one of those that the function's text has."""
import math

import npcc


@npcc.jit
def evaluated(words):
    stack = []
    for word in words.split():
        if word in ("sin", "cos", "sqrt"):
            stack.append(getattr(math, word)(stack.pop()))
        elif word == "+":
            stack.append(stack.pop() + stack.pop())
        else:
            stack.append(float(word))
    return stack


@npcc.jit
def mixed(words):
    tokens, stack = [], []
    for word in words.split():
        tokens.append(word if word.isalpha() else float(word))
    for token in tokens:
        if token in ("sin", "cos"):
            stack.append(getattr(math, token)(stack.pop()))
        else:
            stack.append(token)
    return stack


assert evaluated("2 sqrt 0.5 sin + cos 1") == evaluated.py_func("2 sqrt 0.5 sin + cos 1")
try:
    assert evaluated.py_func("2 foo") is None
except ValueError as error:
    try:
        evaluated("2 foo")
    except ValueError as other:
        assert str(error) == str(other)
assert mixed("0.5 sin cos 2") == mixed.py_func("0.5 sin cos 2")
