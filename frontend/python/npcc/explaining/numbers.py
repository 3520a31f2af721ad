"""The compiler's counts are expressions of a call's arguments: what they are for a call."""
import functools
import types

MOST_ITERATIONS = 1000  # of a loop whose iterations differ that are added up one by one; of more, so many of them
SAMPLES = 64


class Extents(types.SimpleNamespace):
    """An array, as far as counts ask for it."""


class Values(dict):
    """Names of numbers, with those that are expressions of others."""

    def __init__(self, values, named):
        super().__init__(values)
        self.named = named

    def __missing__(self, name):
        text = self.named.get(name)
        if not text:
            raise KeyError(name)
        return eval(_code(text), {"__builtins__": {}, "max": max, "min": min}, self)

    def names_in(self, text):
        """All names that a count depends on."""
        found, open_ = set(), [text]
        while open_:
            for name in _code(open_.pop()).co_names:
                if name not in found:
                    found.add(name)
                    open_ += [self.named[name]] if self.named.get(name) else []
        return found

    def within(self, variable, value):
        return Values({**self, variable: value}, self.named)


class Numbers:
    """What is known of a call: the arrays' extents and the integers, by the names of the parameters."""

    def __init__(self, values):
        self.values = values

    @classmethod
    def of_call(cls, parameters, given, texts, named):
        """`given`: of each parameter, the extents and the address of an array, or the value of an integer; floats are left out (Options::firstCall).
        `named`: expressions by their names."""
        values = Values({}, named)
        for name, numbers, text in zip(parameters, given or (), texts):
            if name is not None and numbers and text not in ("float", "float64"):
                values[name] = Extents(shape=tuple(numbers[:-1])) if "[" in text else numbers[0]
        return cls(values)

    def value(self, text, loops=()):
        """The sum of a count over all iterations of the loops around; None if the call does not say it."""
        return _total(text, tuple(loops), self.values)


@functools.cache
def _code(text):
    return compile(text, "<count>", "eval")


def _value(text, values):
    if text is None:
        return None
    try:
        return int(eval(_code(text), {"__builtins__": {}, "max": max, "min": min}, values))
    except (NameError, ZeroDivisionError, IndexError, AttributeError):
        return None


def _texts(loop):
    return [text for text in (loop["count"], loop.get("first"), loop.get("step")) if text]


def _total(text, loops, values):
    if not loops:
        return _value(text, values)
    outer, *inner = loops
    count = _value(outer["count"], values)
    if count is None or count == 0:
        return count
    variable = outer["variable"]
    changes = any(variable in values.names_in(other) for other in [text] + [t for loop in inner for t in _texts(loop)])
    if not changes:
        once = _total(text, inner, values)
        return None if once is None else count * once
    first, step = _value(outer["first"], values), _value(outer["step"], values)
    if first is None or step is None:
        return None
    numbers = range(count) if count <= MOST_ITERATIONS else [k * (count - 1) // (SAMPLES - 1) for k in range(SAMPLES)]
    found = [_total(text, inner, values.within(variable, first + number * step)) for number in numbers]
    return None if None in found else sum(found) * count // len(found)
