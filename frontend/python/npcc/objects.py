"""Python's own objects in compiled code, which has each as a number of a table, and the parts of a function that Python runs on them.

A part is an expression or a statement of the program for which compiled code has no types: what it needs of the function's names are its parameters. It
goes to the compiled code as a text, from which the process that runs it makes a function (`part`).
"""
import ast
import functools
import importlib
import symtable
import sys
import types

import numpy as np

from . import assigned

table = []  # number -> object
unused = []  # numbers that are free again
_own = []  # objects that only this process knows, by their places

UNBOUND = type("unbound", (), {"__repr__": lambda self: "<unbound>"})()


def hold(value):
    """A number for an object, until release()."""
    if unused:
        number = unused.pop()
        table[number] = value
    else:
        table.append(value)
        number = len(table) - 1
    return number


def release(number):
    table[number] = None
    unused.append(number)


def taken(number):
    """What a result is that compiled code gives as a number."""
    return table[int(number)]


def all_taken(numbers):
    """The same of a list of them, in which a number below 0 stands for None."""
    return [None if number < 0 else table[number] for number in numbers]


#---- Asked by the importer ----


def names_of(node):
    """The names that a part reads of the scopes around it, and those that it binds; None where it cannot stand apart from them."""
    return _names_of(ast.unparse(node), isinstance(node, ast.expr))


@functools.lru_cache(4096)
def _names_of(text, is_expression):
    found = symtable.symtable(_function(text, is_expression, "part", ()), "<part>", "exec").get_children()[0]
    reads, binds = set(), {s.get_name() for s in found.get_symbols() if s.is_local()}
    open_ = [found]
    while open_:
        inner = open_.pop()
        open_ += inner.get_children()
        reads |= {s.get_name() for s in inner.get_symbols() if s.is_global() and s.is_referenced()}
    tree = ast.parse(text)
    binds -= _bound_by_comprehensions(tree)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Nonlocal, ast.Global, ast.Await, ast.AsyncFor, ast.AsyncWith)):
            return None
        if is_expression and isinstance(node, (ast.NamedExpr, ast.Yield, ast.YieldFrom)):
            return None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("super", "locals", "vars", "eval", "exec") and len(node.args) == 0:
            return None
    if not is_expression and _leaves(tree.body):
        return None
    reads |= {name for name in binds if _may_read(tree, name)}
    return sorted(reads), sorted(binds)


def _bound_by_comprehensions(tree):
    """The names that nothing but a comprehension binds: from Python 3.12 on, the function around it has them among its own."""
    inside = {id(name) for node in ast.walk(tree) if isinstance(node, ast.comprehension) for name in ast.walk(node.target)}
    found, others = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            (found if id(node) in inside else others).add(node.id)
        elif isinstance(node, ast.alias):
            others.add((node.asname or node.name).split(".")[0])
        else:
            others.add(getattr(node, "name", None))
    return found - others


def _leaves(statements, in_loop=False):
    """Whether statements end the function or a loop around them."""
    for node in statements:
        if isinstance(node, ast.Return) or isinstance(node, (ast.Break, ast.Continue)) and not in_loop:
            return True
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in _within([node])):
            return True
        is_loop = isinstance(node, (ast.For, ast.While))
        blocks = [(getattr(node, name, None) or [], in_loop or is_loop and name == "body") for name in ("body", "orelse", "finalbody")]
        blocks += [(inner.body, in_loop) for name in ("handlers", "cases") for inner in getattr(node, name, None) or []]
        if any(_leaves(block, loops) for block, loops in blocks if isinstance(block, list)):
            return True
    return False


def _may_read(tree, name):
    """Whether a statement needs what a name that it binds held before."""
    return any(isinstance(n, ast.Name) and n.id == name and (isinstance(n.ctx, ast.Load) or isinstance(n.ctx, ast.Store)) for n in ast.walk(tree))


def _within(statements):
    """The nodes in statements, without those in functions of their own."""
    open_ = list(statements)
    while open_:
        node = open_.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            open_ += ast.iter_child_nodes(node)


def _function(text, is_expression, name, parameters, binds=()):
    if is_expression:
        return f"def {name}({', '.join(parameters)}):\n return (\n{text}\n)\n"
    lines = "\n".join(" " + line for line in text.split("\n"))
    given = f"\n return ({', '.join(f'{b}' for b in binds)},)" if binds else "\n return None"
    return f"def {name}({', '.join(parameters)}):\n{lines}{given}\n"


def part_text(node, parameters, constants, binds, globals_, file):
    """(text, whether another process may use it) of a part. `parameters`: pairs of names and the NumPy types that make them what they are, or "";
    `constants`: pairs of names and objects; `binds`: the names whose values a statement gives, in a tuple."""
    text = ast.unparse(node)
    is_expression = isinstance(node, ast.expr)
    names = [name for name, _ in parameters]
    source = _function(text, is_expression, "__part", names, binds)
    known = {name: _constant(value) for name, value in constants}
    module = globals_.get("__name__")
    is_portable = True
    if vars(sys.modules.get(module, types.ModuleType("none"))) is not globals_:
        module = _number(globals_)
        is_portable = False
    is_portable = is_portable and all("own" not in code for code in known.values())
    spec = dict(source=source, binds=list(binds), casts={name: cast for name, cast in parameters if cast}, constants=known, module=module, file=file,
                line=getattr(node, "lineno", 1))
    import json
    return json.dumps(spec), is_portable


def simple_text(source, names):
    """The text of a part of the importer's own."""
    import json
    return json.dumps(dict(source=f"def __part({names}):\n {source}\n", binds=[], casts={}, constants={}, module="npcc.objects", file="<npcc>", line=0))


def with_names(node, computed):
    """A node with names, compiled_0 and so on, in the places of some that are below it."""
    places = {id(one): k for k, one in enumerate(computed)}

    def copied(part):
        if isinstance(part, list):
            return [copied(one) for one in part]
        if not isinstance(part, ast.AST):
            return part
        if id(part) in places:
            return ast.copy_location(ast.Name(f"compiled_{places[id(part)]}", ast.Load()), part)
        made = type(part)(**{name: copied(getattr(part, name)) for name in part._fields if hasattr(part, name)})
        return ast.copy_location(made, part)

    return copied(node)


def store_of(target):
    """The statement that stores into a target."""
    return ast.copy_location(ast.Assign([target], ast.copy_location(ast.Name("stored_value", ast.Load()), target)), target)


def _constant(value):
    if type(value) is tuple and value:
        items = [_constant(item) for item in value]
        return dict(own=_number(value)) if any("own" in item for item in items) else dict(items=items)
    if type(value) in (type(None), tuple, bool, int, float, complex, str, bytes):
        return dict(value=repr(value))
    if isinstance(value, types.ModuleType) and sys.modules.get(value.__name__) is value:
        return dict(module=value.__name__)
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if isinstance(module, str) and isinstance(name, str) and _attribute(module, name) is value:
        return dict(module=module, name=name)
    return dict(own=_number(value))


def _attribute(module, name):
    try:
        found = importlib.import_module(module)
        for word in name.split("."):
            found = getattr(found, word)
        return found
    except (ImportError, AttributeError):
        return None


def _number(value):
    for number, known in enumerate(_own):
        if known is value:
            return number
    _own.append(value)
    return len(_own) - 1


def is_bound_before(definition, names, inner):
    """Whether names of a function are bound for good where `inner`, a function in it, is made: that would see what they are bound to later."""
    names, last = set(names), inner.end_lineno
    open_ = [(statement, False) for statement in (definition.body if isinstance(definition.body, list) else [])]
    while open_:
        node, in_loop = open_.pop()
        if isinstance(node, ast.Nonlocal) and names & set(node.names):
            return False
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            if node.name in names and node.lineno > last:
                return False
            open_ += [(n, False) for n in ast.walk(node) if isinstance(n, ast.Nonlocal)]
            continue
        if isinstance(node, ast.Lambda):
            continue
        is_bound = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node.id in names
        if is_bound and (in_loop or node.lineno > last):
            return False
        loops = in_loop or isinstance(node, (ast.For, ast.While)) and node.lineno <= inner.lineno <= node.end_lineno
        open_ += [(child, loops) for child in ast.iter_child_nodes(node)]
    return True


#---- Called by compiled code ----


def global_value(names, name):
    """A global that the function assigns to, where it is Python's."""
    if name not in names:
        raise NameError(f"name {name!r} is not defined")
    return names[name]


def show_elements(array, elements):
    """Puts what a device has stored into a global's array where Python's parts look for it. Nothing is stored into a read-only one."""
    if array.flags.writeable:
        array[...] = elements


def default_of(function, name):
    """The default of a parameter that the function changes, where it is Python's."""
    return assigned.defaults_of(function)[name]


@functools.lru_cache(maxsize=4096)
def part(text):
    """The function that a part is."""
    import json
    spec = json.loads(text)
    module = spec["module"]
    globals_ = _own[module] if isinstance(module, int) else vars(sys.modules[module]) if module in sys.modules else vars(importlib.import_module(module))
    given = {f"__cast_{name}": np.dtype(cast).type for name, cast in spec["casts"].items()}
    prelude = [f"{name} = __cast_{name}({name})" for name in spec["casts"]]
    for name, code in spec["constants"].items():
        if name in spec["binds"]:  # which the part binds again
            prelude.append(f"{name} = __given_{name}")
            given[f"__given_{name}"] = _known(code)
        else:
            given[name] = _known(code)
    tree = ast.parse(spec["source"])
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = spec["line"] or 1
    tree.body[0].body[:0] = [ast.parse(line).body[0] for line in prelude]
    outer = ast.parse(f"def make({', '.join(given)}):\n return __part").body[0]
    outer.body.insert(0, tree.body[0])
    module_node = ast.Module([outer], [])
    ast.fix_missing_locations(module_node)
    found = {}
    exec(compile(module_node, spec["file"], "exec"), globals_, found)
    return found["make"](**given)


def _known(code):
    if "items" in code:
        return tuple(map(_known, code["items"]))
    if "value" in code:
        return _literal(code["value"])
    if "own" in code:
        return _own[code["own"]]
    if "name" in code:
        return _attribute(code["module"], code["name"])
    return importlib.import_module(code["module"])


def _literal(text):
    return eval(text, {"inf": float("inf"), "nan": float("nan"), "__builtins__": {}})


class Iteration:
    """What a loop of compiled code goes over."""

    def __init__(self, iterable):
        self.iterator = iter(iterable)
        self.current = None

    def advance(self):
        try:
            self.current = next(self.iterator)
        except StopIteration:
            return False
        return True
