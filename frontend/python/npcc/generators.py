"""The body of a generator function put into the loop that goes over it: what each `yield` gives is assigned to the loop's target, and the
loop's body follows there."""
import ast
import copy

from .definitions import children_of
from .with_statements import ManagedFor


class Yielded(ast.stmt):
    """One item: `target = value`, then the loop's body."""

    _fields = ("target", "value", "body")


class Finished(ast.stmt):
    """`return` of a generator: there are no more items."""

    _fields = ()


class CannotBeInlined(Exception):
    """With the reason."""


def _may_run_out(node):
    """Whether a `next()` without another value stands there, which no `try` takes the end of."""
    if isinstance(node, (ast.Try, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
        return False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "next" and len(node.args) == 1:
        return True
    return any(_may_run_out(child) for child in ast.iter_child_nodes(node))


def names_read(definition):
    """All names that a function reads, also in functions that it defines."""
    return {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}


def inline(definition, renamed, loop):
    """The statements of a generator function for `for target in ...: body`.

    :param definition: the function, ast.FunctionDef.
    :param renamed: dict of the names that are the function's own, to what they are called in the loop's function.
    :param loop: the ast.For; a `with` if it is a ManagedFor.
    :return: list of statements; Yielded and Finished are among them.
    """
    if any(map(_may_run_out, definition.body)) and not isinstance(loop, ManagedFor):
        raise CannotBeInlined("a generator that asks another one by next() cannot be compiled")  # its StopIteration is a RuntimeError
    statements = [copy.deepcopy(statement) for statement in definition.body]
    return [_Inline(renamed, loop).visit(statement) for statement in statements]


def as_loops(comprehension, name):
    """A comprehension as a loop that fills the list, set or dict `name`. The nodes that the comprehension has not itself have it as `made_of`."""
    container = ast.Name(name, ast.Load())
    if isinstance(comprehension, ast.DictComp):
        place = ast.Subscript(container, comprehension.key, ast.Store())
        statement = ast.Assign([place], comprehension.value)
    else:
        method = "add" if isinstance(comprehension, ast.SetComp) else "append"
        statement = ast.Expr(ast.Call(ast.Attribute(container, method, ast.Load()), [comprehension.elt], []))
    for generator in reversed(comprehension.generators):
        for test in reversed(generator.ifs):
            statement = ast.If(test, [statement], [])
        statement = ast.For(generator.target, generator.iter, [statement], [], None)
    for node in ast.walk(statement):
        if not hasattr(node, "lineno"):
            ast.copy_location(node, comprehension)
            node.made_of = comprehension
    return statement


class _Inline(ast.NodeTransformer):
    def __init__(self, renamed, loop):
        self.renamed = renamed
        self.target = loop.target
        self.body = loop.body
        self.is_managed = isinstance(loop, ManagedFor)
        self.is_in_try = False
        self.is_inside = False  # of a function inside, whose `yield` and `return` are its own

    def visit_Name(self, node):
        node.id = self.renamed.get(node.id, node.id)
        return node

    def visit_arg(self, node):  # of a function that is defined inside
        return self.generic_visit(node)

    def _inner(self, node):
        """A function or comprehension inside: its parameters are its own names."""
        arguments = node.args
        own = {arg.arg for group in (arguments.posonlyargs, arguments.args, arguments.kwonlyargs) for arg in group}
        own |= {arg.arg for arg in (arguments.vararg, arguments.kwarg) if arg is not None}
        if isinstance(node, ast.FunctionDef):
            own |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
            node.name = self.renamed.get(node.name, node.name)
        outer = self.renamed, self.is_inside
        self.renamed, self.is_inside = {name: new for name, new in self.renamed.items() if name not in own}, True
        self.generic_visit(node)
        self.renamed, self.is_inside = outer
        return node

    visit_FunctionDef = visit_Lambda = _inner

    def visit_ExceptHandler(self, node):
        node.name = self.renamed.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_MatchAs(self, node):
        node.name = self.renamed.get(node.name, node.name)
        return self.generic_visit(node)

    visit_MatchStar = visit_MatchAs

    def visit_Try(self, node):
        before, self.is_in_try = self.is_in_try, True
        self.generic_visit(node)
        self.is_in_try = before
        return node

    def visit_Return(self, node):
        return self.generic_visit(node) if self.is_inside else ast.copy_location(Finished(), node)

    def visit_Expr(self, node):
        given = node.value
        if self.is_inside or not isinstance(given, (ast.Yield, ast.YieldFrom)):
            return self.generic_visit(node)
        if self.is_in_try and not self.is_managed:  # what a loop's body raises is not raised at the `yield`
            raise CannotBeInlined("'yield' inside 'try' cannot be compiled")
        if isinstance(given, ast.Yield):
            value = self.visit(given.value) if given.value else ast.copy_location(ast.Constant(None), given)
            return ast.copy_location(Yielded(self.target, value, self.body), node)
        # yield from x: for item in x: yield item
        item = self.renamed["yield from"]
        items = ast.copy_location(ast.Name(item, ast.Store()), node)
        one = ast.copy_location(ast.Name(item, ast.Load()), node)
        step = ast.copy_location(Yielded(self.target, one, self.body), node)
        return ast.copy_location(ast.For(items, self.visit(given.value), [step], [], None), node)

    def visit_Yield(self, node):
        if self.is_inside:
            return self.generic_visit(node)
        raise CannotBeInlined("a value of 'yield' cannot be compiled: send() is not")

    visit_YieldFrom = visit_Yield
