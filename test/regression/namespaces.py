# RUN: %python %s
"""types.SimpleNamespace could not be made in compiled code, and one that was given was shown and compared as an object of any class."""
from types import SimpleNamespace

import numpy as np

import npcc


class Settings(SimpleNamespace):
    def area(self):
        return self.width * self.height


def model(n, step):
    made = SimpleNamespace(n=n, x=np.arange(n) * step, name="grid")
    made.total = made.x.sum()
    return made


def shown(one):
    other = SimpleNamespace(a=1, b=[one.b, 2.5])
    return str(one), f"{other}", repr(SimpleNamespace()), repr(Settings(width=2, height=3)), Settings(width=2, height=3).area()


def equal(one, b):
    return one == SimpleNamespace(b=b, a="x"), one == SimpleNamespace(a="x"), one != one, one == 3, Settings(a=1) == Settings(a=1)


def many(n):
    made = [SimpleNamespace(k=k, square=k * k) for k in range(n)]
    for one in made[::-1]:
        if one.k % 2:
            one.odd = one.k
    return sum(one.square for one in made), [getattr(one, "odd", None) for one in made], made


def seen(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(seen, value))
    return (type(value), {key: repr(one) for key, one in vars(value).items()}) if isinstance(value, SimpleNamespace) else repr(value)


def given():
    return SimpleNamespace(a="x", b=2)


for f, arguments in ((model, (4, 0.5)), (shown, (given(),)), (equal, (given(), 2)), (equal, (given(), 3)), (many, (5,))):
    expected, found = f(*arguments), npcc.jit(target="cpu")(f)(*arguments)
    assert seen(expected) == seen(found), (f.__name__, expected, found)
