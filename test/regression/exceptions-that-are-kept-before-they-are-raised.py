# RUN: %python %s
# An exception that was made outside of `raise`, or caught, could not be raised later: "exceptions are made in 'raise' statements only".
import npcc


class Bad(ValueError):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Checker:
    def __init__(self):
        self.error = ValueError("not checked", 0)

    def error_of(self, n):
        return KeyError(n)


def made_before(n):
    error = ValueError(f"{n} is too small")
    if n < 1:
        raise error
    return str(error), repr(error), error.args, isinstance(error, ValueError)


def with_code(n):
    error = Bad(n, "bad")
    try:
        if n < 3:
            raise error
    except Bad as caught:
        return caught is error, caught.code
    return error.code


def of_attribute(n):
    checker = Checker()
    if n < 1:
        raise checker.error
    raise checker.error_of(n)


def of_cause(n):
    error = Bad(n, "no number")
    try:
        return 1 // n
    except ZeroDivisionError as cause:
        raise error from cause


def raised_again(d, n):
    try:
        return d[n] if n else 1 // n
    except KeyError as error:
        raise error
    except ArithmeticError as error:
        raise error


def given(n):
    return ValueError("given", n)


def outcome(function, arguments):
    try:
        result = function(*arguments)
        return type(result), repr(result)
    except Exception as error:
        return type(error), error.args, vars(error)


calls = [(made_before, (0,)), (made_before, (2,)), (with_code, (0,)), (with_code, (4,)), (of_attribute, (0,)), (of_attribute, (1,)), (of_cause, (0,)),
         (of_cause, (1,)), (raised_again, ({1: 2}, 1)), (raised_again, ({1: 2}, 3)), (raised_again, ({1: 2}, 0)), (given, (3,))]
for function, arguments in calls:
    compiled = npcc.jit(function, target="cpu", fallback=True)
    assert outcome(compiled, arguments) == outcome(function, arguments), (function.__name__, outcome(compiled, arguments))
    assert not compiled.fallbacks, (function.__name__, compiled.fallbacks)
