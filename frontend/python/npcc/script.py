"""A script as the ahead-of-time compiler sees it: which functions are compiled for which types, and the Python that remains."""
import ast
import importlib.util
import inspect
import sys
import tokenize
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from . import _npcc
from .errors import compile_error
from .types import type_text


class ScriptError(Exception):
    """The script itself raises when it is imported; the text is its traceback."""


@dataclass
class Function:
    """A function of the script's top level."""
    name: str
    node: ast.FunctionDef
    function: object  # the Python function
    signatures: list = field(default_factory=list)  # tuples of type texts
    reason: str = ""  # why it stays Python, if it does


class Script:
    """Reads the script and imports it: what its functions refer to are the objects that they would find when they are called."""

    def __init__(self, path):
        self.path = Path(path)
        with tokenize.open(self.path) as file:
            self.source = file.read()
        self.tree = ast.parse(self.source, str(self.path))
        self.npcc_names = {name for node in self.tree.body if _imports_npcc(node) for name in _bound_names(node)}
        self.namespace = vars(self._import())
        self.functions = {f.name: f for f in self._find_functions()}

    def _import(self):
        """Importing runs the script's top level, but nothing under `if __name__ == "__main__"`."""
        spec = importlib.util.spec_from_file_location(self.path.stem.replace(".", "_"), self.path)
        module = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(self.path.resolve().parent))
        sys.modules.setdefault(spec.name, module)  # dataclasses look there for what their annotations name
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise ScriptError("".join(traceback.format_exception(error.with_traceback(self._own(error.__traceback__))))) from None
        finally:
            del sys.path[0]
        return module

    def _own(self, trace):
        """The part of a traceback that begins in the script."""
        while trace and Path(trace.tb_frame.f_code.co_filename).resolve() != self.path.resolve():
            trace = trace.tb_next
        return trace

    def _find_functions(self):
        for node in self.tree.body:
            if not isinstance(node, ast.FunctionDef):
                continue
            value = self.namespace.get(node.name)
            function = inspect.unwrap(value) if callable(value) else None
            foreign = [d for d in node.decorator_list if not _mentions(d, self.npcc_names)]
            if not foreign and inspect.isfunction(function) and function.__code__.co_firstlineno in _lines(node):
                yield Function(node.name, node, function)

    def declare(self, signatures, where):
        """Adds (function, types) pairs; ValueError for a function that the script lacks or a wrong count."""
        for name, types in signatures:
            function = self.functions.get(name)
            if function is None:
                raise ValueError(f"{where}: {self.path} has no function '{name}'")
            parameters = list(inspect.signature(function.function).parameters.values())
            # What a signature leaves out at the end has its default, as a constant.
            if len(types) > len(parameters) or any(p.default is p.empty for p in parameters[len(types):]):
                raise ValueError(f"{where}: {name} has {len(parameters)} parameters, the signature {len(types)}")
            if types not in function.signatures:
                function.signatures.append(types)

    def declare_exports(self):
        """The signatures that the script itself declares: comments, and annotations of all parameters."""
        signatures, errors = _npcc.find_exports(self.source)
        if errors:
            raise compile_error([self._diagnostic(line, message) for line, message in errors])
        self.declare(signatures, str(self.path))
        for function in self.functions.values():
            self.declare(self._annotated(function), f"{self.path}:{function.node.lineno}")

    def _annotated(self, function):
        parameters = inspect.signature(function.function, eval_str=True).parameters.values()
        texts = [None if p.annotation is p.empty else type_text(p.annotation) for p in parameters]
        if not texts or None in texts:
            return []
        return _npcc.parse_signatures(f"{function.name}({', '.join(texts)})")

    def _diagnostic(self, line, message):
        return dict(is_error=True, file=str(self.path), line=line, column=1, end_line=line, end_column=0, message=message, notes=[])

    #---- The Python that remains ----

    def remaining_source(self, compiled):
        """The source, line for line, without npcc and with the functions named in `compiled` replaced by what binds them."""
        lines = self.source.splitlines(keepends=True)
        for node in self.tree.body:
            text = self._replacement(node, compiled)
            if text is not None:
                _replace(lines, node, text)
        for node in self.tree.body:
            if _imports_npcc(node) and not self._still_needed(lines, node):
                _replace(lines, node, _other_imports(node))
        return "".join(lines)

    def _replacement(self, node, compiled):
        """What a statement of the top level becomes; None: it stays."""
        if _is_main_block(node):
            return "pass"
        if not isinstance(node, ast.FunctionDef):
            return None
        return _binding(node) if node.name in compiled else _without(node, self.npcc_names)

    def _still_needed(self, lines, node):
        """Whether what remains uses npcc by the names that this statement binds: the module needs npcc then."""
        names = _bound_names(node)
        return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(ast.parse("".join(lines))))


def _lines(node):
    """All lines of a statement, decorators included."""
    first = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])
    return range(first, node.end_lineno + 1)


def _replace(lines, node, text):
    """Puts text where the statement is; the statements behind it keep their lines."""
    first, last = _lines(node)[0] - 1, node.end_lineno
    blank = max(0, last - first - 1 - text.count("\n"))
    lines[first:last] = [text + "\n" * (blank + 1)] + [""] * (last - first - 1)


def _is_npcc(module):
    return module.partition(".")[0] == "npcc"


def _imports_npcc(node):
    if isinstance(node, ast.Import):
        return any(_is_npcc(alias.name) for alias in node.names)
    return isinstance(node, ast.ImportFrom) and not node.level and _is_npcc(node.module)


def _bound_names(node):
    """The names that an import binds to npcc or to things of it."""
    return {(alias.asname or alias.name).partition(".")[0] for alias in node.names
            if isinstance(node, ast.ImportFrom) or _is_npcc(alias.name)}


def _other_imports(node):
    others = [alias for alias in node.names if isinstance(node, ast.Import) and not _is_npcc(alias.name)]
    return ast.unparse(ast.Import(others)) if others else "pass"


def _is_main_block(node):
    """`if __name__ == "__main__":` is false in a module that is imported."""
    return (isinstance(node, ast.If) and not node.orelse and isinstance(node.test, ast.Compare) and isinstance(node.test.left, ast.Name)
            and node.test.left.id == "__name__" and len(node.test.ops) == 1 and isinstance(node.test.ops[0], ast.Eq)
            and isinstance(node.test.comparators[0], ast.Constant) and node.test.comparators[0].value == "__main__")


def _binding(node):
    """The statement that gives a compiled function its name. Defaults are evaluated here, as a `def` would."""
    arguments = node.args
    positional = arguments.posonlyargs + arguments.args
    names = tuple(a.arg for a in positional + arguments.kwonlyargs)
    missing = ast.Name("__npcc_missing__", ast.Load())
    defaults = [missing] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    defaults += [missing if d is None else d for d in arguments.kw_defaults]
    values = ast.unparse(ast.Tuple(defaults, ast.Load()))
    return (f"{node.name} = __npcc_function__({node.name!r}, {names!r}, {len(arguments.posonlyargs)}, {len(positional)}, {values}, "
            f"{ast.get_docstring(node)!r})")


def _without(node, names):
    """A function that stays Python loses npcc's decorators and annotations; None if it has none."""
    parts = [a for a in ast.walk(node.args) if isinstance(a, ast.arg) and _mentions(a.annotation, names)]
    decorators = [d for d in node.decorator_list if _mentions(d, names)]
    if not parts and not decorators and not _mentions(node.returns, names):
        return None
    copy = ast.parse(ast.unparse(node)).body[0]
    copy.decorator_list = [d for d in copy.decorator_list if not _mentions(d, names)]
    for argument in ast.walk(copy.args):
        if isinstance(argument, ast.arg) and _mentions(argument.annotation, names):
            argument.annotation = None
    if _mentions(copy.returns, names):
        copy.returns = None
    return ast.unparse(copy)


def _mentions(node, names):
    return node is not None and any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))
