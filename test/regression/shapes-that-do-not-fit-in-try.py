# RUN: %python %s
"""Arrays whose shapes do not fit raise an error that a clause takes. Such a `try` was refused, or run by Python."""
import numpy as np

import npcc


def added(a, b):
    try:
        return a + b, "fits"
    except ValueError as error:
        return a, str(error)


def chosen(a, b, c):
    try:
        return np.where(a, b, c).sum(), ""
    except ValueError as error:
        return 0.0, str(error)


def stored(a, b):
    try:
        a[1:] = b
    except ValueError as error:
        return str(error)
    return "stored"


def in_place(a, b):
    done = "nothing"
    try:
        a += b
        done = "added"
    except Exception as error:
        done = type(error).__name__ + ": " + str(error)
    finally:
        a[0] = -1.0
    return done


def rows(parts, width):
    """What does not fit is left out."""
    table, skipped = np.zeros((len(parts), width)), 0
    for k, part in enumerate(parts):
        try:
            table[k] = part * 2
        except ValueError:
            skipped += 1
    return table, skipped


def checked(a, b):
    return a * b


def through_a_function(a, b):
    try:
        x = checked(a, b)
    except (TypeError, ValueError):
        raise RuntimeError("no product") from None
    return x


def outcome(function, *arguments):
    arguments = [[part.copy() for part in one] if isinstance(one, list) else one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
    try:
        given = function(*arguments)
    except (ValueError, RuntimeError) as error:
        given = str(error)
    return repr((given, arguments))


three, four, one = np.arange(3.0), np.arange(4.0), np.ones(1)
square, flat = np.ones((3, 3)), np.ones((3, 1))
CALLS = [(added, three, three), (added, three, four), (added, three, one), (added, square, three), (added, square, four), (added, square, flat),
         (chosen, three > 1, three, flat), (chosen, three > 1, four, three), (stored, four, three), (stored, four, four), (stored, square, square),
         (in_place, three, three), (in_place, three, four), (in_place, one, three), (rows, [three, four, one], 3), (through_a_function, three, four),
         (through_a_function, three, one)]
for target in "cpu", "debug":
    for function, *arguments in CALLS:
        expected, found = outcome(function, *arguments), outcome(npcc.jit(target=target)(function), *arguments)
        assert found == expected, (target, function.__name__, arguments, found, expected)
