"""The live side of a program being written: every statement is run by NumPy as soon as it is drawn.

So the generator always knows each name's dtype, shape and value, and a statement that NumPy refuses, or that leads to
values no comparison could judge, is taken back before the next is drawn.
"""
from __future__ import annotations

import dataclasses
import re
import warnings

import numpy as np

from .program import IMPORT

LARGEST_ARRAY = 20_000
JUMP = re.compile(r"^(\s*)(break|continue)$", re.MULTILINE)


class Unfit(Exception):
    """A value that would make a poor test: too large, not finite, or of a kind programs are not compared on."""


def check_value(value, special=False, depth=0):
    """Raise Unfit unless the value is a number, an array of them, or a short tuple or list of those."""
    if value is None or callable(value) or isinstance(value, (str, slice)):
        return
    if isinstance(value, (tuple, list)) and depth < 2:
        if len(value) > 40:
            raise Unfit("long sequence")
        for item in value:
            check_value(item, special, depth + 1)
        return
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) > 2**31:  # Python's integers do not end; compiled ones are 64 bits wide
            raise Unfit("large Python integer")
        return
    array = np.asarray(value)
    if array.dtype.kind not in "biufc" or array.dtype.itemsize > 16 or array.dtype in (np.longdouble,):
        raise Unfit("dtype")
    if array.size > LARGEST_ARRAY:
        raise Unfit("large array")
    if array.dtype.kind in "fc" and array.size:
        finite = np.isfinite(array)
        if not finite.all() and (not special or finite.mean() < 0.5):
            raise Unfit("not finite")
        size = np.abs(array[finite]).astype(np.float64)
        if size.size and (size.max() > 1e8 or (array.dtype == np.float16 and size.max() > 2e4)):
            raise Unfit("large number")


def kind_of(value):
    """What a static type would say of this value: the Python type, or dtype and rank."""
    if isinstance(value, np.ndarray):
        return ("array", value.dtype.str, value.ndim)
    if isinstance(value, (tuple, list)):
        return (type(value).__name__, *map(kind_of, value))
    return (type(value).__name__,)


def root_of(array):
    """The array whose memory it is a view of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


@dataclasses.dataclass
class Block:
    """A compound statement. While open, its body is run once after `entry` instead of as a whole."""
    header: str
    entry: str = ""
    body: list = dataclasses.field(default_factory=list)
    open: bool = True
    otherwise: "Block | None" = None

    def lines(self):
        yield self.header
        for statement in self.body or ["pass"]:
            for line in statement.lines() if isinstance(statement, Block) else [statement]:
                yield "    " + line
        if self.otherwise:
            yield from self.otherwise.lines()


def text_of(statements, indent=""):
    lines = [line for s in statements for line in (s.lines() if isinstance(s, Block) else [s])]
    return "".join(indent + line + "\n" for line in lines)


class Scope:
    """Names and live values of one function body under construction."""

    def __init__(self, prelude, start, random, special=False):
        """`prelude` is module text run once; `start` is a function that returns fresh values of the parameters."""
        self.random, self.special, self.start = random, special, start
        self.module = {"np": np}
        exec(compile(IMPORT + prelude, "<prelude>", "exec"), self.module)
        self.body, self.open_blocks, self.locked, self.reserved = [], [], {}, set()
        self.reset()

    def reset(self):
        self.env = dict(self.module)
        self.env.update(self.start())
        self.given = [root_of(value) for value in self.env.values() if isinstance(value, np.ndarray)]

    def is_view_in_line(self, array):
        """Whether a line of all its elements is a view in compiled code where it is one in NumPy. What NumPy computes of an array in Fortran's order
        lies in Fortran's order too; what compiled code makes lies in C's."""
        root = root_of(array)
        return root.ndim < 2 or any(root is given for given in self.given)

    def names(self, test=lambda value: True):
        return [n for n, v in self.env.items() if n not in self.module and n != "__builtins__"
                and not n.startswith("_") and n not in self.reserved and test(v)]

    def arrays(self, test=lambda value: True):
        return self.names(lambda v: isinstance(v, np.ndarray) and test(v))

    def evaluate(self, text):
        """Value of a side-effect free expression, or Unfit."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = eval(text, self.env)  # names of comprehensions need one dictionary, hence globals only
        check_value(value, self.special)
        return value

    def _exec(self, text):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            exec(compile(text, "<statement>", "exec"), self.env)

    def _check(self):
        for name in self.names():
            check_value(self.env[name], self.special)
            wanted = self.locked.get(name)
            if wanted and kind_of(self.env[name]) != wanted:
                raise Unfit("a name changes its type in a block")

    def run(self, statement):
        """Append a simple statement to the innermost open block if NumPy runs it; say whether it did."""
        block = self.open_blocks[-1].body if self.open_blocks else self.body
        try:
            self._exec(statement)
            self._check()
        except Exception:
            self.replay()
            return False
        block.append(statement)
        return True

    def replay(self):
        self.reset()
        self._replay(self.body)
        self._check()

    def _replay(self, statements):
        for statement in statements:
            if isinstance(statement, Block) and statement.open:
                self._exec(statement.entry)
                self._replay(statement.body)
            elif isinstance(statement, Block):
                text = text_of([statement])
                self._exec(JUMP.sub(r"\1pass", text) if self.open_blocks else text)
            else:
                self._exec(statement)

    def jump(self, header, word):
        """Append `if …: break` to the open loop. Live, in the loop's first pass, it does nothing."""
        self.evaluate(header.removeprefix("if ").removesuffix(":"))
        self.open_blocks[-1].body.append(Block(header, "pass", [word], open=False))

    def compound(self, header, entry, fill, keep_names=False):
        """Write a compound statement: `fill()` draws its body with the entry's bindings live. False if it came to nothing."""
        before_names, before_locked = set(self.names()), dict(self.locked)
        self.locked.update({n: kind_of(self.env[n]) for n in before_names})
        block = Block(header, entry)
        outer = self.open_blocks[-1].body if self.open_blocks else self.body
        outer.append(block)
        self.open_blocks.append(block)
        done = False
        try:
            self._exec(entry)
            fill()
            done = bool(block.body)
        except Exception:
            done = False
        block.open = False
        self.open_blocks.pop()
        while done:  # the whole loop may fail where its first pass did not: take statements back until it runs
            try:
                self.replay()
                break
            except Exception:
                block.body.pop()
                done = bool(block.body)
        if not done:
            outer.remove(block)
            self.locked = before_locked
            self.replay()
            return False
        self.locked = before_locked
        if not keep_names:  # names first bound inside a block may be unbound after it: do not read them
            self.reserved |= set(self.names()) - before_names
        return True
