"""Calls whose lists have another length each time, as those of an object that keeps a history of its steps."""
import time

MOST_LENGTHS = 8  # for which code is made one after the other; two, if that takes longer than
MOST_SECONDS = 0.5


class Lengths:
    """Which calls a function had, by the forms of their arguments (structures.py).

    Lists of numbers may have any length. Others are known item by item, so that each length is a form of its own: lists of arrays, of objects, of NumPy's
    numbers. A program that appends to such a list in each call would have each compiled anew. Where several calls on end were, and that took longer than
    Python takes for one, Python runs the next ones, until one of them takes longer. What comes again is compiled.
    """

    def __init__(self):
        self.known = {}  # forms for which there is code -> their _Calls
        self.calls = {}  # forms without lengths -> _Calls

    def call(self, form, compiled, in_python, note):
        """Makes a call by one of two functions; `note` is told why if it is the second one."""
        calls = self.known.get(form)
        if calls is None:
            calls = self.calls.setdefault(tuple(map(without_lengths, form)), _Calls())
            if calls.are_new() and hash(form) not in calls.ran and calls.python <= calls.compiled:
                calls.ran.add(hash(form))
                note("lists of another length in each call", "each call would be compiled anew, which takes longer than Python takes for it")
                begin = time.perf_counter()
                result = in_python()
                calls.python = time.perf_counter() - begin
                return result
            begin = time.perf_counter()
            result = compiled()
            calls.compiled = time.perf_counter() - begin
            calls.seconds += calls.compiled
            calls.new += 1
            self.known[form] = calls
            return result
        calls.new, calls.seconds = 0, 0.0
        return compiled()


class _Calls:
    def __init__(self):
        self.new, self.seconds = 0, 0.0  # how many on end had a form that was new, and what they took
        self.compiled, self.python = 0.0, 0.0  # seconds of the latest one that was compiled, and that Python ran
        self.ran = set()  # the hashes of the forms of those that Python ran

    def are_new(self):
        return self.new >= MOST_LENGTHS or self.new >= 2 and self.seconds > MOST_SECONDS


def without_lengths(form):
    """A form that is equal for those that differ by how many items lists have, and in what order. Lists in a list are taken for one: in the rows of a
    board lie pieces or None, here and there."""
    if form[0] == "same":
        return form[:1]
    if not isinstance(form[-1], tuple) or form[0] in ("known", "opaque"):
        return form
    inner = tuple(map(without_lengths, form[-1]))
    if form[0] != "list":
        return (*form[:-1], inner)
    lists = [one[-1] for one in inner if one[0] == "list"]
    others = frozenset(one for one in inner if one[0] != "list")
    return ("list", others | {("list", frozenset().union(*lists))} if lists else others)
