"""Call forms: the text of a function for one call, with parameters for what arrays and numbers it is called with.

`np.sum(x, axis=(0, 1), dtype="f4")` has the form `lambda a0: np.sum(a0, axis=(0, 1), dtype='f4')` and one argument. What a user writes as a literal
is one here: keywords, shapes, axes, dtypes, strings. Operands of operators and ufuncs are arguments, Python's numbers too.
"""

from __future__ import annotations

import builtins
import math
import operator

import numpy as np

MOST_ITEMS = 64  # of a list or tuple that is written into the form; a longer one is an argument


def names_of_numpy():
    """What NumPy calls its functions and types: {id: (name, object)}."""
    found = {}
    for prefix, module in (("np", np), ("np.linalg", np.linalg), ("np.fft", np.fft), ("np.random", np.random)):
        for name in sorted(dir(module), key=lambda n: (len(n), n)):
            if name.startswith("_") or name in ("bool", "long", "ulong"):
                continue
            value = getattr(module, name)
            if callable(value):
                found.setdefault(id(value), (f"{prefix}.{name}", value))
    return found


NAMES = names_of_numpy()
BUILTINS = {getattr(builtins, name): name for name in "abs len sum min max any all round divmod pow bool int float complex".split()}
OPERATORS = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
    operator.matmul: "@",
    operator.and_: "&",
    operator.or_: "|",
    operator.xor: "^",
    operator.lshift: "<<",
    operator.rshift: ">>",
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}


class Form:
    """The text of one call, while it is written. `arguments` are the objects for `parameters`."""

    def __init__(self, function):
        self.function = function  # what is counted: "np.sum", "ndarray.sum", "operator +"
        self.text = ""
        self.arguments = []
        self.statement = False  # a statement that gives nothing
        self.ids = {}

    @property
    def parameters(self):
        return [f"a{k}" for k in range(len(self.arguments))]

    @property
    def source(self):
        head = ", ".join(self.parameters)
        return f"def form({head}):\n    {self.text}\n" if self.statement else f"lambda {head}: {self.text}\n"

    def argument(self, value):
        """One array in two places is one parameter."""
        if isinstance(value, np.ndarray) and id(value) in self.ids:
            return self.ids[id(value)]
        self.arguments.append(value)
        name = f"a{len(self.arguments) - 1}"
        self.ids[id(value)] = name
        return name

    def expression(self, value, literal=True):
        """The text of a value; `literal`: of Python's numbers too."""
        kind = type(value)
        if kind in (bool, int, float, complex):
            return number(value) if literal else self.argument(value)
        if value is None or value is Ellipsis or kind in (str, bytes):
            return repr(value)
        if kind in (tuple, list) and count(value) <= MOST_ITEMS:
            items = [self.expression(item) for item in value]
            if kind is list:
                return f"[{', '.join(items)}]"
            return f"({', '.join(items)}{',' * (len(items) == 1)})"
        if kind is slice:
            return f"slice({', '.join(self.expression(part) for part in (value.start, value.stop, value.step))})"
        if kind is range:
            return repr(value)
        if isinstance(value, np.dtype) and value.isnative and value.isbuiltin == 1 and value.char != "O" and value.itemsize:
            return f"np.dtype('{value.name}')"
        if value in (bool, int, float, complex, object, str) if isinstance(value, type) else False:
            return value.__name__
        known = NAMES.get(id(value))
        if known and known[1] is value:
            return known[0]
        return self.argument(value)

    def index(self, value):
        """The text between brackets."""
        if type(value) is tuple and value and count(value) <= MOST_ITEMS:
            return ", ".join(map(self.part, value)) + "," * (len(value) == 1)
        return self.part(value)

    def part(self, value):
        if type(value) is slice:
            bounds = ["" if b is None else self.expression(b) for b in (value.start, value.stop, value.step)]
            return f"{bounds[0]}:{bounds[1]}" + (f":{bounds[2]}" if bounds[2] else "")
        return self.expression(value)


def number(value):
    if isinstance(value, complex) and not (math.isfinite(value.real) and math.isfinite(value.imag) and str(value.real)[0] != "-"):
        return f"complex({number(value.real)}, {number(value.imag)})"
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if value != value else "np.inf" if value > 0 else "-np.inf"
    return repr(value)


def count(value):
    """Items of a nested list."""
    return sum(count(item) for item in value) if type(value) in (tuple, list) else 1


def is_array(value):
    return isinstance(value, (np.ndarray, np.generic))


def holds_array(value):
    return is_array(value) or type(value) in (tuple, list) and any(map(holds_array, value))


def of_call(function, arguments, keywords):
    """The form of a call, or None where what is called is none of NumPy's (nor of Python's, of an array)."""
    if isinstance(function, type) and function not in BUILTINS and not issubclass(function, np.generic):
        return None
    try:
        if function in OPERATORS and len(arguments) == 2 and not keywords:
            return of_operator(OPERATORS[function], *arguments) if any(map(is_array, arguments)) else None
        if function in BUILTINS:
            if not any(map(holds_array, arguments)) or len(arguments) == 0:
                return None
            return written(Form(f"builtins.{BUILTINS[function]}"), BUILTINS[function], arguments, keywords, literal=False)
    except TypeError:  # no hash
        return None
    known = NAMES.get(id(function))
    if known and known[1] is function:
        is_ufunc = isinstance(function, (np.ufunc, type))
        return written(Form(known[0]), known[0], arguments, keywords, literal=not is_ufunc)
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(owner, np.ufunc):
        known = NAMES.get(id(owner))
        return written(Form(f"{known[0]}.{name}"), f"{known[0]}.{name}", arguments, keywords) if known else None
    if is_array(owner) and not isinstance(function, type) and callable(function):
        if name.startswith("__"):
            return None
        form = Form(f"ndarray.{name}" if isinstance(owner, np.ndarray) else f"generic.{name}")
        return written(form, f"{form.argument(owner)}.{name}", arguments, keywords)
    return None


def written(form, name, arguments, keywords, literal=True):
    parts = [form.expression(value, literal) for value in arguments]
    parts += [f"{key}={form.expression(value)}" for key, value in keywords.items() if value is not np._NoValue]
    form.text = f"{name}({', '.join(parts)})"
    return form


def of_operator(sign, left, right):
    form = Form(f"operator {sign}")
    form.text = f"{form.expression(left, False)} {sign} {form.expression(right, False)}"
    return form


def of_unary(sign, operand):
    form = Form(f"operator {sign}x")
    form.text = f"{sign}{form.argument(operand)}"
    return form


def of_attribute(value, name):
    form = Form(f"ndarray.{name}")
    form.text = f"{form.argument(value)}.{name}"
    return form


def of_item(value, index):
    form = Form("operator []")
    form.text = f"{form.argument(value)}[{form.index(index)}]"
    return form


def of_store(value, index, item, sign=""):
    form = Form(f"operator []{sign}=")
    form.statement = True
    form.text = f"{form.argument(value)}[{form.index(index)}] {sign}= {form.expression(item, False)}"
    return form


def of_update(sign, value, operand):
    """`value` is given back, as an augmented assignment binds the name to it."""
    form = Form(f"operator {sign}=")
    form.statement = True
    name = form.argument(value)
    form.text = f"{name} {sign}= {form.expression(operand, False)}\n    return {name}"
    return form
