# RUN: %python %s
# The attributes of a global object or class were watched where the code that names it reads them, but not where its methods or a helper do, which it is given
# to: compiled code went on with what they were at first. A class that is an argument was not watched at all.
import npcc


class Settings:
    factor = 1


class Model:
    shift = 0

    def __init__(self):
        self.rate, self.inner = 5, Settings()

    def value(self):
        return self.rate + self.shift


model = Model()


def rate_of(what):
    return what.rate


def factor_of(settings):
    return settings.factor


def by_method():
    return model.value()


def by_helper():
    return rate_of(model)


def of_class():
    return factor_of(Settings)


def of_inner():
    return factor_of(model.inner)


def of_argument(settings):
    return factor_of(settings)


def check():
    for function, compiled, arguments in zip(functions, all_compiled, [()] * 4 + [(Settings,)]):
        assert compiled(*arguments) == function(*arguments), (function, compiled(*arguments))


functions = (by_method, by_helper, of_class, of_inner, of_argument)
all_compiled = [npcc.jit(target="cpu")(function) for function in functions]
check()
model.rate = 6
check()
Settings.factor = 2.5
check()
Model.shift = 10
check()
model.inner.factor = 7
check()
model.inner = Settings()
check()
Model.value = lambda self: self.rate * 100
check()


def of_pair(pair):
    return factor_of(pair[0]) * pair[1]


compiled = npcc.jit(target="cpu")(of_pair)
for Settings.factor in (1, 2.0):
    assert compiled((Settings, 3)) == 3 * Settings.factor
