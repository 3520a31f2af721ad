# RUN: %python %s
"""A list whose length is known at run time only matched no sequence pattern, so `case _` was taken where Python takes another one."""
import npcc


def of_numbers(n):
    match [k for k in range(n)]:
        case []:
            return "none"
        case [0]:
            return "one"
        case [0, 1]:
            return "two"
        case [a, *rest, b]:
            return f"{a} {rest} {b}"


def of_pair(n):
    match sorted([k % 2 for k in range(n)], reverse=True), n > 2:
        case [0], _:
            return "one"
        case [1, 0], False:
            return "two"
        case ([1, *zeros], True) if len(zeros) == 2:
            return "three"
    return "other"


def of_words(lines):
    found = []
    for line in lines:
        match line.split():
            case ["v", *numbers]:
                found.append((len(numbers), "v"))
            case ["f", a, b]:
                found.append((2, a + b))
            case [_, "x" | "y"]:
                found.append((1, "x"))
            case [_] | []:
                found.append((0, ""))
    return found


LINES = ["v 1 2 3", "f a b", "", "q", "v", "q x", "q z", "f a"]
for target in ("cpu", "debug"):
    for function in (of_numbers, of_pair):
        compiled = npcc.jit(target=target)(function)
        for n in range(6):
            assert compiled(n) == function(n), (function.__name__, n, compiled(n))
    assert npcc.jit(target=target)(of_words)(LINES) == of_words(LINES)


def of_parts(n):
    match [(k, k) for k in range(n)]:
        case [(a, b), _]:
            return a + b
    return -1


try:
    assert npcc.jit(target="cpu")(of_parts)(2) == of_parts(2)
except npcc.CompileError as error:
    assert "names inside of an item of a list" in str(error), error
