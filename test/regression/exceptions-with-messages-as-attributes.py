# RUN: %python %s
# An attribute of the program's exception that was called `message` was the exception's text, in compiled code and behind the call. An exception that was
# returned was an object of a class of its own, which only looked like the program's.
import npcc


class Failure(Exception):
    def __init__(self, message, code=3):
        super().__init__("failed: " + message)
        self.message, self.code = message, code


def raised(n):
    raise Failure("here", n)


def read(n):
    try:
        raised(n)
    except Failure as failure:
        return failure.message, str(failure), failure.code


def returned(n):
    try:
        raised(n)
    except Failure as failure:
        return failure


def plain(n):
    try:
        raise ValueError(f"{n} is wrong")
    except ValueError as error:
        return [error]


def keys(n):
    try:
        if n:
            raise KeyError(n)
        raise KeyError("x")
    except KeyError as error:
        return error


def outcome(function, n):
    try:
        result = function(n)
    except Failure as failure:
        result = failure
    one = result[0] if type(result) is list else result
    return type(one), repr(one), getattr(one, "args", None), getattr(one, "__dict__", None)


for function in (raised, read, returned, plain, keys):
    compiled = npcc.jit(function, target="cpu", fallback=True)
    for n in (0, 2):
        assert outcome(compiled, n) == outcome(function, n), (function.__name__, outcome(compiled, n))
    assert not compiled.fallbacks, (function.__name__, compiled.fallbacks)
