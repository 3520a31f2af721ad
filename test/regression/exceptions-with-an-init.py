# RUN: %python %s
"""The __init__() and __str__() of an exception's class were passed over: its text was that of its arguments, and it could not be raised in Python. One that
left the compiled function had none of its attributes."""
import npcc


class OutOfStock(Exception):
    def __init__(self, name, wanted, available=0):
        super().__init__(f"{name}: wanted {wanted}, only {available}")
        self.name = name
        self.missing = wanted - available


class Limit(ValueError):
    def __init__(self, value):
        self.value = value

    def __str__(self):
        return f"beyond {self.value:.1f}"


class Plain(Limit):
    pass


def take(stock, wanted):
    if wanted > stock:
        raise OutOfStock("bolt", wanted, available=stock)
    if wanted < 0:
        raise Plain(wanted)
    return stock - wanted


@npcc.jit(target="cpu")
def caught(stock, wanted):
    try:
        return take(stock, wanted)
    except OutOfStock as error:
        return str(error), error.name, error.missing, f"{error}", error.args
    except ValueError as error:
        return str(error), f"{error!s:>12}"


for wanted in (3, 7, -2):
    assert caught(5, wanted) == caught.py_func(5, wanted), (caught(5, wanted), caught.py_func(5, wanted))


@npcc.jit(target="cpu")
def uncaught(stock, wanted):
    return take(stock, wanted)


try:
    uncaught(5, 7)
except OutOfStock as error:
    assert str(error) == "bolt: wanted 7, only 5" and error.args == (str(error),)
    assert (error.name, error.missing) == ("bolt", 2)
else:
    raise AssertionError("no error")


@npcc.jit(target="cpu")
def refused(x):
    raise Plain(x)


try:
    refused(1.0)
except Plain as error:
    assert str(error) == "beyond 1.0" and error.value == 1.0
else:
    raise AssertionError("no error")


class Place(Exception):
    def __init__(self, words, found, *values):
        super().__init__(words, *values)
        self.found = found


def leaves(kind, words, x):
    """What leaves a function holds what Python's would: numbers, strings, and tuples and lists of these."""
    for k, word in enumerate(words):
        if len(word) > 3 and kind == 0:
            raise Place(word, (k, words[:k], None, x), True)
        if len(word) > 3 and kind == 1:
            raise Place("infinite", [x * float("inf"), k / 4])
        if len(word) > 3 and kind == 2:
            raise ValueError(word, k)
        if len(word) > 3:
            raise KeyError(word, k)
    return x


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return repr((type(error), str(error), error.args, vars(error)))


for kind in range(4):
    for x in (2.5, 3):
        expected = outcome(leaves, kind, ["a", "bc", "defg"], x)
        given = outcome(npcc.jit(target="cpu")(leaves), kind, ["a", "bc", "defg"], x)
        assert given == expected, (kind, given, expected)


class Length:
    def __init__(self, x):
        self.x = x

    def __abs__(self):
        return abs(self.x)

    def __round__(self, digits=0):
        return round(self.x, digits)

    def __float__(self):
        return float(self.x)

    def __int__(self):
        return int(self.x)


@npcc.jit(target="cpu")
def numbers(x):
    length = Length(x)
    return abs(length), round(length, 1), float(length), int(length)


assert numbers(-2.25) == numbers.py_func(-2.25)
