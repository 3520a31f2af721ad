# RUN: %python %s
"""An int to the power of a negated int, as in `10 ** -digits`, was a NotImplementedError, and of a function with defaults it was said how many
arguments it takes at most only."""
import npcc


def scaled(x, digits):
    return x * 10**-digits, 2**-digits


def other(x=1):
    pass


def too_many(x):
    return other(x, x)


def outcome(function, *arguments):
    try:
        return repr(function(*arguments))
    except TypeError as error:
        return str(error)


compiled = npcc.jit(scaled, target="cpu")
for arguments in ((3, 2), (3, -2), (2.5, 0), (7, 1)):
    assert outcome(compiled, *arguments) == outcome(scaled, *arguments), arguments
assert outcome(npcc.jit(too_many, target="cpu"), 1) == outcome(too_many, 1)
