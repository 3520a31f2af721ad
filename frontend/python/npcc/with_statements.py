"""`with` statements as the statements that they stand for."""
import ast
import contextlib
import inspect

_MADE_BY_CONTEXTLIB = contextlib.contextmanager(lambda: None).__code__


class ManagedFor(ast.For):
    """`with generator(...) as target: body`, where the function is one of contextlib.contextmanager's: the generator gives one item, and what the
    body raises is raised at its `yield`."""


def _kept(statement, what, make):
    """What `make` gives, the same one whenever it is asked for: the importer knows statements again."""
    known = vars(statement).setdefault("npcc_made", {})
    if what not in known:
        known[what] = ast.fix_missing_locations(ast.copy_location(make(), statement))
    return known[what]


def _rest(statement, number):
    """The body, in a `with` of the items behind this one."""
    items = statement.items[number + 1:]
    return [ast.copy_location(ast.With(items, statement.body), statement)] if items else statement.body


def suppressing(statement, number):
    """`with ..., contextlib.suppress(A, B), ...: body`, from the item of this number on, as a `try`."""

    def make():
        classes = ast.Tuple(statement.items[number].context_expr.args, ast.Load())
        return ast.Try(_rest(statement, number), [ast.ExceptHandler(classes, None, [ast.Pass()])], [], [])

    return _kept(statement, ("suppressing", number), make)


def managed(statement, number, function, receiver):
    """The same for an item that is a call of one of contextlib.contextmanager's functions. `function`: the generator function of it; `receiver`: the
    name of the object whose method it is, or ""."""

    def make():
        item = statement.items[number]
        target = item.optional_vars or ast.Name(f"%given{number}", ast.Store())
        first = [ast.Name(receiver, ast.Load())] if receiver else []
        call = ast.Call(ast.Constant(function), first + item.context_expr.args, item.context_expr.keywords)
        return ManagedFor(target, ast.copy_location(call, item.context_expr), _rest(statement, number), [], None)

    return _kept(statement, ("managed", number, function, receiver), make)


def print_options(manager):
    """A call of numpy.printoptions as text, which a run can evaluate; where it has none, the error."""
    try:
        with manager._recreate_cm():
            pass
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    values = [*manager.args, *manager.kwds.values()]
    if not all(value is None or type(value) in (int, float, bool, str) for value in values):
        return "numpy.printoptions of anything but numbers and strings cannot be compiled"
    given = [repr(value) for value in manager.args] + [f"{name}={value!r}" for name, value in manager.kwds.items()]
    return f"numpy.printoptions({', '.join(given)})"


def generator_function(callee):
    """The generator function that one of contextlib.contextmanager's functions was made of; None for others."""
    return callee.__wrapped__ if getattr(callee, "__code__", None) is _MADE_BY_CONTEXTLIB and inspect.isgeneratorfunction(callee.__wrapped__) else None


def entered(statement, number, manager, takes_exceptions):
    """The same for an item that is an object with `__enter__` and `__exit__`, to which the name `manager` is bound. `takes_exceptions`: whether
    `__exit__` asks what was raised, or may end it."""

    def make():
        failed, error = f"{manager}.failed", f"{manager}.error"

        def call(method, *arguments):
            return ast.Call(ast.Attribute(ast.Name(manager, ast.Load()), method, ast.Load()), list(arguments), [])

        def nothing():
            return ast.Constant(None)

        def set_failed(value):
            return ast.Assign([ast.Name(failed, ast.Store())], ast.Constant(value))

        target = statement.items[number].optional_vars
        enter = ast.Assign([target], call("__enter__")) if target else ast.Expr(call("__enter__"))
        body, leave = _rest(statement, number), [ast.Expr(call("__exit__", nothing(), nothing(), nothing()))]
        if not takes_exceptions:
            return ast.If(ast.Constant(True), [enter, ast.Try(body, [], [], leave)], [])
        kind = ast.Call(ast.Constant(type), [ast.Name(error, ast.Load())], [])
        ends = call("__exit__", kind, ast.Name(error, ast.Load()), nothing())
        clause = [set_failed(True), ast.If(ast.UnaryOp(ast.Not(), ends), [ast.Raise(None, None)], [])]
        inner = ast.Try(body, [ast.ExceptHandler(ast.Constant(BaseException), error, clause)], [], [])
        outer = ast.Try([inner], [], [], [ast.If(ast.UnaryOp(ast.Not(), ast.Name(failed, ast.Load())), leave, [])])
        return ast.If(ast.Constant(True), [enter, set_failed(False), outer], [])

    return _kept(statement, ("entered", number, manager, takes_exceptions), make)


def asks_of_exceptions(definition):
    """What an `__exit__` asks of what was raised: "exception"; "" for nothing, and it ends nothing; "traceback" for what compiled code has not."""
    arguments = definition.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)][1:]
    read = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
    if len(names) > 2 and names[2] in read:
        return "traceback"
    rest = arguments.vararg is not None and arguments.vararg.arg in read
    gives = any(isinstance(node, ast.Return) and not (node.value is None or isinstance(node.value, ast.Constant) and not node.value.value)
                for node in ast.walk(definition))
    return "exception" if rest or gives or read.intersection(names) else ""


def refusal(definition, statement):
    """Why a generator function cannot be one of contextlib.contextmanager's for this `with`; "" if it can."""
    yields = [node for node in ast.walk(definition) if isinstance(node, (ast.Yield, ast.YieldFrom))]
    if len(yields) != 1 or isinstance(yields[0], ast.YieldFrom):
        return "a context manager's generator has one 'yield'"
    statements, follows = definition.body, False
    while True:
        at = next((k for k, one in enumerate(statements) if any(node is yields[0] for node in ast.walk(one))), None)
        if at is None:
            return "the 'yield' of a context manager stands in a clause"
        follows = follows or at + 1 < len(statements)
        inside = statements[at]
        if isinstance(inside, ast.Expr):
            break
        if not isinstance(inside, (ast.Try, ast.With)):
            return "the 'yield' of a context manager stands in a loop or branch"
        follows = follows or isinstance(inside, ast.Try) and bool(inside.orelse)
        statements = inside.body
    if follows and any(map(_leaves, statement.body)):
        return "a 'with' whose body is left by 'return', 'break' or 'continue' goes on behind the context manager's 'yield'"
    return ""


def _leaves(node, is_in_loop=False):
    """Whether a statement may leave the statements that it is among."""
    if isinstance(node, ast.Return) or isinstance(node, (ast.Break, ast.Continue)) and not is_in_loop:
        return True
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
        return False
    is_in_loop = is_in_loop or isinstance(node, (ast.For, ast.While))
    return any(_leaves(child, is_in_loop) for child in ast.iter_child_nodes(node))
