"""Which local names of a function are read later: what a generator has to keep where it stands at a `yield`."""
import ast

SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.Lambda)


def names_loaded(node):
    """The names that evaluating a node reads, those of functions in it that are not their own too."""
    if node is None:
        return set()
    if isinstance(node, (list, tuple)):
        return set().union(*map(names_loaded, node))
    if isinstance(node, ast.Name):
        return set() if isinstance(node.ctx, ast.Store) else {node.id}
    found = set().union(*map(names_loaded, ast.iter_child_nodes(node)))
    if isinstance(node, ast.AugAssign):
        found |= names_stored(node.target)
    if isinstance(node, SCOPES):
        found -= set().union(*(names_stored(clause.target) for clause in node.generators))
    if isinstance(node, FUNCTIONS):
        found -= parameters_of(node)
        if isinstance(node, ast.FunctionDef):
            found -= own_names(node)
    return found


def names_stored(node):
    """The names that a statement binds, in the scope that it stands in."""
    if isinstance(node, (list, tuple)):
        return set().union(*map(names_stored, node))
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    if isinstance(node, ast.Lambda):
        return set()
    if isinstance(node, SCOPES):
        return {inner.target.id for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)}
    found = set().union(*map(names_stored, ast.iter_child_nodes(node)))
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        found.add(node.id)
    if isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and node.name:
        found.add(node.name)
    if isinstance(node, ast.alias):
        found.add((node.asname or node.name).split(".")[0])
    return found


def parameters_of(function):
    arguments = function.args
    found = {arg.arg for group in (arguments.posonlyargs, arguments.args, arguments.kwonlyargs) for arg in group}
    return found | {arg.arg for arg in (arguments.vararg, arguments.kwarg) if arg is not None}


def declared_elsewhere(function):
    """The names that a function declares to be those of another scope."""
    found = set()
    waiting = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Nonlocal, ast.Global)):
            found |= set(node.names)
        elif not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return found


def own_names(function):
    """The local names of a function, its parameters among them."""
    return (parameters_of(function) | names_stored(function.body)) - declared_elsewhere(function)


class Liveness:
    """Goes over statements from their end: `before` gives the names that are read from a place on before they are bound anew.

    :param at_yield: called with each statement that is a `yield`, and the names that are read behind it.
    """

    def __init__(self, at_yield):
        self.at_yield = at_yield

    def before(self, statements, after, at_break=frozenset(), at_continue=frozenset(), raised=frozenset()):
        """`raised`: what is read where one of the statements raises an exception."""
        live = set(after)
        for statement in reversed(statements):
            live = self._before(statement, live, at_break, at_continue, raised) | raised
        return live

    def _before(self, node, after, at_break, at_continue, raised):
        here = at_break, at_continue, raised
        if isinstance(node, ast.Break):
            return set(at_break)
        if isinstance(node, ast.Continue):
            return set(at_continue)
        if isinstance(node, (ast.Return, ast.Raise)):
            return names_loaded(node)
        if isinstance(node, ast.If):
            return names_loaded(node.test) | self.before(node.body, after, *here) | self.before(node.orelse, after, *here)
        if isinstance(node, (ast.While, ast.For)):
            return self._before_loop(node, after, *here)
        if isinstance(node, ast.Try):
            return self._before_try(node, after, *here)
        if isinstance(node, ast.With):
            bound = names_stored([item.optional_vars for item in node.items if item.optional_vars])
            return names_loaded([item.context_expr for item in node.items]) | (self.before(node.body, after, *here) - bound)
        if isinstance(node, ast.Match):
            cases = (names_loaded(case.pattern) | names_loaded(case.guard) | self.before(case.body, after, *here) for case in node.cases)
            return names_loaded(node.subject) | set(after).union(*cases)
        if is_yield(node):
            # What is done with what was sent comes behind it: `total += yield x`.
            self.at_yield(node, (after - names_stored(node)) | (set() if isinstance(node, ast.Expr) else names_loaded(node)))
        return (after - names_stored(node)) | names_loaded(node)

    def _before_loop(self, node, after, at_break, at_continue, raised):
        is_for = isinstance(node, ast.For)
        bound = names_stored(node.target) if is_for else set()
        test = names_loaded(node.iter if is_for else node.test)
        head = self.before(node.orelse, after, at_break, at_continue, raised) | test
        while True:
            more = head | (self.before(node.body, head, after, head, raised) - bound)
            if more == head:
                return head
            head = more

    def _before_try(self, node, after, at_break, at_continue, raised):
        last = self.before(node.finalbody, after, at_break, at_continue, raised)
        passing = last if node.finalbody else frozenset()  # whatever leaves it passes there
        here = at_break | passing, at_continue | passing, raised | passing
        handled = set(here[2])
        for handler in node.handlers:
            handled |= names_loaded(handler.type) | (self.before(handler.body, last, *here) - {handler.name})
        return self.before(node.body, self.before(node.orelse, last, *here), *here[:2], handled)


def yield_of(node):
    """The `yield` of a statement that gives an item and goes on with what is sent; None for other statements."""
    if not isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return None
    found = [inner for inner in walk_scope(node) if isinstance(inner, (ast.Yield, ast.YieldFrom))]
    return found[0] if len(found) == 1 else None


def is_yield(node):
    return yield_of(node) is not None


def walk_scope(node):
    """A node and all in it, but for what is in functions and classes."""
    yield node
    if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        for child in ast.iter_child_nodes(node):
            yield from walk_scope(child)
