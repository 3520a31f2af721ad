"""A program under test: module text with one entry, `program`, and the statements that build its arguments.

Everything is kept as text plus structured array contents, so that a failure can be printed, stored and shrunk.
"""
from __future__ import annotations

import dataclasses
import math

IMPORT = "import numpy as np\n"
ENTRIES = ("arguments", "later")  # the functions of a program's module that build arguments: of the first call, and of a later one


def literal(value):
    """Text that evaluates to exactly this number, non-finite values included."""
    if isinstance(value, complex):
        return f"complex({literal(value.real)}, {literal(value.imag)})"
    if isinstance(value, float):
        if math.isnan(value):
            return "np.nan"
        if math.isinf(value):
            return "np.inf" if value > 0 else "-np.inf"
    return repr(value)


@dataclasses.dataclass
class Base:
    """Memory that arguments are views of: `values` in C order, or the pattern of `stride` for large arrays."""
    name: str
    dtype: str
    shape: tuple
    values: list | None
    stride: int = 37

    def text(self):
        size = math.prod(self.shape)
        if self.values is None:
            unsigned = self.dtype.startswith(("uint", "bool"))
            pattern = f"(np.arange({size}) * {self.stride} + 11) % 101" + ("" if unsigned else " - 50")
            scale = " / 8" if self.dtype.startswith(("float", "complex")) else " % 7" if unsigned else " // 6"
            return f"(({pattern}){scale}).astype(np.{self.dtype}).reshape({self.shape})"
        if size == 0:
            return f"np.zeros({self.shape}, dtype=np.{self.dtype})"
        return f"np.array({self._nested(self.shape, iter(self.values))}, dtype=np.{self.dtype})"

    def _nested(self, shape, values):
        if not shape:
            return literal(next(values))
        return "[" + ", ".join(self._nested(shape[1:], values) for _ in range(shape[0])) + "]"


@dataclasses.dataclass
class Program:
    """`functions` is the text of module constants, helpers and `program`; `arguments` are (name, text over the bases).

    `later` has the bases and arguments of a later call, where that differs from the first one.
    """
    functions: str
    bases: list
    arguments: list
    seed: str = ""
    later: tuple | None = None

    def argument_lines(self):
        used = " ".join(text for _, text in self.arguments)
        lines = [f"{base.name} = {base.text()}" for base in self.bases if base.name in used]
        return lines + [f"{name} = {text}" for name, text in self.arguments]

    def source(self):
        names = ", ".join(name for name, _ in self.arguments)
        lines = "".join(f"    {line}\n" for line in self.argument_lines())
        text = f"{IMPORT}\n{self.functions}\n\ndef arguments():\n{lines}    return [{names}]\n"
        if not self.later:
            return text
        lines = "".join(f"    {line}\n" for line in self.in_later_call().argument_lines())
        return f"{text}\n\ndef later():\n{lines}    return [{names}]\n"

    def in_later_call(self):
        """The program with the later call's arguments as its own."""
        return self.replace(bases=self.later[0], arguments=self.later[1], later=None)

    def replace(self, **changes):
        return dataclasses.replace(self, **changes)
