"""Own ufuncs: `vectorize` makes one of a function of numbers, `guvectorize` one of a function of arrays.

Compiled functions call them too, where what they do fuses with the code around it.
"""
import functools
import hashlib
import inspect
import linecache
import re

import numpy as np

from . import _npcc
from .elementary import is_elementary
from .jit import jit
from .library import own_ufuncs
from .threads import signatures
from .threads.host import IN_PLACE, ON_CPU, host_memory

MOST_AXES = 8  # around the arrays of a guvectorize function


def compiled_as(implementation):
    """The method is `implementation(self, ...)` in compiled code."""

    def mark(method):
        method.__npcc_compiled__ = implementation
        return method

    return mark


def make_function(source, name, scope):
    """The function of a source that the compiler can read again."""
    # The place is part of the name in the cache of compiled code: the same in each run.
    file = f"<own ufunc {hashlib.sha256(source.encode()).hexdigest()[:16]}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope["__name__"] = "own_ufuncs"
    exec(compile(source, file, "exec"), scope)
    return scope[name]


def target_of(target):
    """npcc's target for Numba's."""
    if target not in (None, "cpu", "parallel", "cuda"):
        raise ValueError(f"target is 'cpu', 'parallel' or 'cuda', not {target!r}")
    if target in ("cpu", "parallel"):
        return "cpu"
    return IN_PLACE if ON_CPU else target


def check_options(name, options):
    known = {"nopython", "cache", "fastmath", "forceobj", "locals"}
    if unknown := [option for option in options if option not in known]:
        raise TypeError(f"The following target options are not supported: {', '.join(map(repr, unknown))}")
    if not options.get("nopython", True):
        raise TypeError("nopython flag must be True")
    if options.get("forceobj"):
        raise TypeError(f"{name}: there is no mode that runs Python's own objects")


def declared_loops(value, nin, outputs_declared):
    """[(dtypes of the inputs, dtypes of the outputs or None)] of declared types."""
    loops = []
    for one in value if isinstance(value, list) else [value]:
        returned, parameters = signatures.split(one)
        if outputs_declared and returned is not None:
            raise TypeError(f"guvectorized functions cannot return values: signature {one} specifies {returned} return type")
        if len(parameters) != nin + outputs_declared:
            raise TypeError(f"a signature has {len(parameters)} parameters, the function {nin + outputs_declared}")
        dtypes = [element_of(text) for text in parameters]
        loops.append((tuple(dtypes[:nin]), tuple(dtypes[nin:]) if outputs_declared else returned and element_of(returned)))
    return tuple(loops)


def element_of(text):
    name = str(text).partition("[")[0]
    return np.dtype({"int": "int64", "float": "float64", "complex": "complex128", "bool_": "bool"}.get(name, name))


class OwnUfunc:
    """What both kinds have in common: names, types, and calls from Python through compiled functions."""

    def __init__(self, function, target):
        self.function, self.py_func = function, function
        self.target = target
        self.__name__, self.__qualname__ = function.__name__, function.__qualname__
        self.__doc__, self.__module__ = function.__doc__, function.__module__
        self._compiled = {}

    def __reduce__(self):
        raise TypeError(f"own ufuncs are not pickled: pickle what makes {self.__name__}")

    def py_func_options(self):
        """What compiled code depends on besides the function."""
        return (type(self).__name__, self.loops, self.signature, getattr(self, "identity", None), getattr(self, "reorderable", False))

    nargs = property(lambda self: self.nin + self.nout)
    ntypes = property(lambda self: len(self.loops))

    def _run(self, method, arguments, known):
        """`ufunc.method(*arguments, **known)` as a compiled function; what is known is part of its text."""
        key = (method, len(arguments), tuple(known.items()))
        compiled = self._compiled.get(key)
        if compiled is None:
            names = ", ".join(f"a{k}" for k in range(len(arguments)))
            scope = {"_called": self} | {f"known_{name}": value for name, value in known.items()}
            words = "".join(f", {name}=known_{name}" for name in known)
            name = self.__name__ if self.__name__.isidentifier() else "own_ufunc"
            function = make_function(f"def {name}({names}):\n    return _called{method}({names}{words})\n", name, scope)
            compiled = self._compiled[key] = jit(target=self.target, fallback=False)(function)
        return compiled(*arguments)


class Vectorized(OwnUfunc):
    """An elementwise function, with NumPy's names: `f(*inputs, out=None)` broadcasts; `reduce`, `accumulate`, `reduceat`, `outer` and `at` of functions of two
    numbers. `loops`: declared dtypes; without any the dtype of the results is that of what the function gives."""
    nout = 1
    signature = None

    def __init__(self, function, loops, identity, target):
        super().__init__(function, target)
        self.nin = len(inspect.signature(function).parameters)
        self.loops = declared_loops(loops, self.nin, 0) if loops else ()
        self.identity = None if identity == "reorderable" else identity
        self.reorderable = identity is not None
        self.is_elementary = is_elementary(function)

    def __repr__(self):
        return f"<npcc ufunc '{self.__name__}'>"

    @property
    def types(self):
        return ["".join(d.char for d in inputs) + "->" + (output.char if output else "?") for inputs, output in self.loops]

    def add(self, signature):
        """Declares one more list of types."""
        self.loops += declared_loops(signature, self.nin, 0)
        self._compiled.clear()

    @compiled_as(own_ufuncs.elementwise)
    def __call__(self, *args, out=None, stream=0):
        """The function of each element. TypeError for dtypes that no declared types hold, ValueError for shapes that do not go together."""
        if out is None and len(args) == self.nin + 1:
            *args, out = args
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__}() takes from {self.nin} to {self.nin + 1} positional arguments but {len(args)} were given")
        if isinstance(out, tuple):
            out, = out
        if ON_CPU and out is not None:
            out = host_memory(out)
        with on_stream(stream):
            if out is None:
                return self._run("", as_arrays(args), {})
            names = [f"a{k}" for k in range(self.nin)]
            run = self._compiled.get("out")
            if run is None:
                source = f"def call({', '.join(names)}, out):\n    _called({', '.join(names)}, out=out)\n"
                run = self._compiled["out"] = jit(target=self.target, fallback=False)(make_function(source, "call", {"_called": self}))
            run(*as_arrays(args), out)
            return out

    @compiled_as(own_ufuncs.reduce)
    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=np._NoValue, stream=0):
        """All elements along an axis combined, from the first on; in any order where `identity` was given to vectorize."""
        known = dict(axis=axis, keepdims=keepdims) | ({} if dtype is None else dict(dtype=np.dtype(dtype)))
        known |= {} if initial is np._NoValue else dict(initial=initial)
        with on_stream(stream):
            return stored(self._run(".reduce", as_arrays([array]), known), out)

    @compiled_as(own_ufuncs.accumulate)
    def accumulate(self, array, axis=0, dtype=None, out=None):
        """The results for the first element along an axis, the first two, and so on."""
        known = dict(axis=axis) | ({} if dtype is None else dict(dtype=np.dtype(dtype)))
        return stored(self._run(".accumulate", as_arrays([array]), known), out)

    @compiled_as(own_ufuncs.reduceat)
    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        known = dict(axis=axis) | ({} if dtype is None else dict(dtype=np.dtype(dtype)))
        return stored(self._run(".reduceat", as_arrays([array, indices]), known), out)

    @compiled_as(own_ufuncs.outer)
    def outer(self, A, B):
        return self._run(".outer", as_arrays([A, B]), {})

    @compiled_as(own_ufuncs.at)
    def at(self, a, indices, b=None):
        return self._run(".at", [a, *as_arrays([indices] if b is None else [indices, b])], {})


class Generalized(OwnUfunc):
    """A function of arrays for each position of the axes in front of theirs, as `signature` lays them out: "(m,n),(n,p)->(m,p)"."""

    def __init__(self, function, loops, signature, target):
        super().__init__(function, target)
        self.signature = signature
        self.input_axes, self.output_axes = layout_of(signature)
        self.nin, self.nout = len(self.input_axes), len(self.output_axes)
        if len(inspect.signature(function).parameters) != self.nin + self.nout:
            raise TypeError(f"{self.__name__}() has {len(inspect.signature(function).parameters)} parameters, its layout {self.nin + self.nout}")
        self.dimensions = tuple(dict.fromkeys(name for axes in self.input_axes for name in axes))
        for axes in self.output_axes:
            if unknown := [name for name in axes if name not in self.dimensions]:
                raise ValueError(f"{signature!r}: no input has the axis '{unknown[0]}' of an output")
        self.loops = declared_loops(loops, self.nin, self.nout) if loops else ()
        # A number of the layout that is declared as an array is one of a single element.
        ranks = signatures.ranks_of(loops) if loops else [0] * self.nin
        self.in_arrays = tuple(not axes and bool(rank) for axes, rank in zip(self.input_axes, ranks))

    def __repr__(self):
        return f"<npcc gufunc '{self.__name__}' {self.signature}>"

    @property
    def types(self):
        return ["".join(d.char for d in inputs) + "->" + "".join(d.char for d in outputs) for inputs, outputs in self.loops]

    @functools.cached_property
    def kernels(self):
        """The kernel for each number of axes in front."""
        return tuple(self._kernel(count) for count in range(MOST_AXES))

    def _kernel(self, count):
        from .threads.kernel import jit as kernel
        inputs, outputs = [f"i{k}" for k in range(self.nin)], [f"o{k}" for k in range(self.nout)]
        place = ", ".join(f"p{k}" for k in range(count))
        lines = [f"def {self.__name__ if self.__name__.isidentifier() else 'gufunc'}(count, shape, {', '.join(inputs + outputs)}):", "    at = _cuda.grid(1)",
                 "    if at < count:"]
        for axis in reversed(range(count)):
            lines += [f"        p{axis} = at % shape[{axis}]", f"        at = at // shape[{axis}]"]

        def operand(name, is_array):
            return f"{name}[{place}]" if count else name if is_array else f"{name}[()]"

        operands = [operand(name, axes or in_array) for name, axes, in_array in zip(inputs, self.input_axes, self.in_arrays)]
        operands += [operand(name, True) for name in outputs]
        lines.append(f"        _core({', '.join(operands)})")
        from . import cuda
        function = make_function("\n".join(lines) + "\n", lines[0][4:].partition("(")[0], {"_cuda": cuda, "_core": self.function})
        return kernel(function, target=self.target)

    @compiled_as(own_ufuncs.generalized)
    def __call__(self, *args, out=None, stream=0):
        """The results, or what `out` (an array, or a tuple of them) holds then. ValueError for extents that do not go together, TypeError for dtypes that no
        declared types hold; without declared types the results' arrays must be given."""
        if out is None and len(args) == self.nin + self.nout:
            args, out = args[:self.nin], args[self.nin:]
        if out is not None and len(args) == self.nin + self.nout:
            raise TypeError("cannot specify 'out' as both a positional and keyword argument")
        if len(args) != self.nin:
            plural = "" if len(args) == 1 else "s"
            raise TypeError(f"{self.__name__}: a gufunc accepts {self.nin} positional arguments (its inputs) or {self.nin + self.nout} positional arguments "
                            f"(its inputs and outputs). Got {len(args)} positional argument{plural}.")
        outs = out if isinstance(out, tuple) else (out,) * self.nout if out is None else (out,)
        if len(outs) != self.nout:
            raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
        missing = [k for k, one in enumerate(outs) if one is None]  # their arrays are made
        if not self.loops and missing:
            raise TypeError(f"{self.__name__}() has no declared types: give it arrays for its results")
        for k, (arg, axes) in enumerate(zip(args, self.input_axes)):
            if np.ndim(arg) < len(axes):
                raise ValueError(f"{self.__name__}: Input operand {k} does not have enough dimensions (has {np.ndim(arg)}, gufunc core with signature "
                                 f"{self.signature} requires {len(axes)})")
        with on_stream(stream):
            if len(missing) == self.nout:
                return self._run("", as_arrays(args), {})
            key = ("out", *missing)
            run = self._compiled.get(key)
            if run is None:
                names, places = [f"a{k}" for k in range(self.nin)], [f"o{k}" for k in range(self.nout) if k not in missing]
                out = "".join("None, " if k in missing else f"o{k}, " for k in range(self.nout))
                source = f"def call({', '.join(names + places)}):\n    results = _called({', '.join(names)}, out=({out}))\n"
                source += f"    return {''.join(f'results[{k}], ' for k in missing)}\n" if missing else ""
                run = self._compiled[key] = jit(target=self.target, fallback=False)(make_function(source, "call", {"_called": self}))
            given = [one for one in outs if one is not None]
            made = run(*as_arrays(args), *(map(host_memory, given) if ON_CPU else given))
            for k in missing:
                outs = outs[:k] + (made[missing.index(k)],) + outs[k + 1:]
            return outs[0] if self.nout == 1 else outs


def layout_of(signature):
    """Names of the axes of inputs and outputs. ValueError for what is no layout."""
    if not re.fullmatch(r"\s*(\(\s*(\w+\s*(,\s*\w+\s*)*)?\)\s*,?\s*)+->\s*(\(\s*(\w+\s*(,\s*\w+\s*)*)?\)\s*,?\s*)+", signature):
        raise ValueError(f"{signature!r} is no layout: '(m,n),(n,p)->(m,p)'")
    sides = signature.split("->")
    return tuple(tuple(tuple(re.findall(r"\w+", axes)) for axes in re.findall(r"\(([^)]*)\)", side)) for side in sides)


def as_arrays(args):
    """Arrays and numbers as compiled functions take them; anything else becomes a NumPy array."""
    if ON_CPU:
        args = map(host_memory, args)
    return [a if isinstance(a, (np.ndarray, np.generic, bool, int, float, complex)) or hasattr(a, "__cuda_array_interface__") or isinstance(a, _npcc.Array)
            else np.asarray(a) for a in args]


def on_stream(stream):
    from contextlib import nullcontext
    if not stream or ON_CPU:
        return nullcontext()
    from .streams import stream as use
    return use(stream)


def stored(result, out):
    if out is None:
        return result
    out = out[0] if isinstance(out, tuple) else out
    out = host_memory(out) if ON_CPU else out
    out[...] = result
    return out


def vectorize(ftylist_or_function=(), target=None, identity=None, **options):
    """Makes an elementwise function of arrays of a function of numbers: `@vectorize`, or with declared types `@vectorize(["float64(float64, float64)"])`.

    The first declared types that NumPy's rule "safe" casts the arguments to are chosen, and Python's numbers take the dtype of the others. target: "cpu", "parallel" or
    "cuda"; by default a GPU if there is one. identity: what `reduce` starts from (0, 1), or "reorderable": it then combines in any order. The options nopython,
    cache and fastmath are taken and change nothing.
    """
    check_options("vectorize", options)
    if inspect.isfunction(ftylist_or_function):
        return Vectorized(ftylist_or_function, (), identity, target_of(target))
    loops = ftylist_or_function if isinstance(ftylist_or_function, (list, str)) or not ftylist_or_function else [ftylist_or_function]
    chosen = target_of(target)

    def decorate(function):
        if hasattr(function, "py_func"):
            function = function.py_func
        if not inspect.isfunction(function):
            raise TypeError(f"vectorize takes a Python function, not {function!r}")
        return Vectorized(function, loops if not isinstance(loops, str) else [loops], identity, chosen)

    return decorate


def guvectorize(*args, target=None, writable_args=(), identity=None, **options):
    """Makes a function of arrays with axes in front of one that fills its last parameters: `@guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")`, or with the layout
    alone, when the arrays for results must be given. Each position of the axes in front is a thread's. A result without axes is an array of one element.
    target: as for vectorize.
    """
    check_options("guvectorize", options)
    if writable_args:
        raise ValueError("guvectorize: inputs are not written; make what is written an output")
    if not 1 <= len(args) <= 2 or not isinstance(args[-1], str):
        raise TypeError("guvectorize takes declared types and a layout, or a layout: guvectorize(['void(float64[:], float64[:])'], '(n)->(n)')")
    loops = args[0] if len(args) == 2 else ()
    if isinstance(loops, str) or loops and not isinstance(loops, list):
        loops = [loops]
    chosen = target_of(target)

    def decorate(function):
        if not inspect.isfunction(function):
            raise TypeError(f"guvectorize takes a Python function, not {function!r}")
        return Generalized(function, loops, args[-1], chosen)

    return decorate
