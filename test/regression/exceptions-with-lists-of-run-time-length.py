# RUN: %python %s
# An exception whose attribute is a list of a length known at run time only could not leave a compiled function.
import npcc


class CycleError(Exception):
    def __init__(self, members, lengths, pairs):
        super().__init__("cycle: " + ", ".join(members))
        self.members = members
        self.lengths = lengths
        self.pairs = pairs


def checked(names, most):
    lengths = [len(name) / 2 for name in names]
    long = [name for name in names if len(name) > most]
    if len(long) > 0:
        raise CycleError(sorted(long), [x for x in lengths if x > 0.5], tuple((k, name) for k, name in enumerate(long)))
    return lengths


def outcome(function, *args):
    try:
        return function(*args)
    except CycleError as error:
        return str(error), error.members, error.lengths, error.pairs, type(error.pairs)


compiled = npcc.jit(checked)
names = ["it's", "b", "cc", "d\n"]
for most in 1, 3, 9:
    assert outcome(compiled, names, most) == outcome(checked, names, most), outcome(compiled, names, most)
