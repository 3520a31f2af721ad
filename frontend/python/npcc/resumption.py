"""Generator functions whose items are asked for one by one: a function that goes on where the generator stands.

The generator is an object (npcc/library/resumption.py) with the number of the `yield` that it stands at, and the local names that are read from
there on as its attributes. The function has the statements that come behind each `yield`, up to the next one, which is a `return`:

    def up(n):                  def up(frame, sent):
        while n > 0:                if frame.state == 0:
            yield n                     n = frame.n
            n -= 1                      while n > 0:
                                            frame.n = n; frame.state = 1; return n
                                            n -= 1
                                    elif frame.state == 1:
                                        n = frame.n
                                        n -= 1
                                        while n > 0:
                                            frame.n = n; frame.state = 1; return n
                                            n -= 1
                                    raise Finished
"""
import ast
import copy

from .generators import CannotBeInlined
from .liveness import FUNCTIONS, Liveness, declared_elsewhere, is_yield, names_loaded, names_stored, own_names, parameters_of, walk_scope, yield_of

STATE = "state"  # the attribute of the object
FRAME, SENT, FINISHED, ITEMS = PARAMETERS = ("generator frame", "generator sent", "generator finished", "generator items")
HERE, ITEM = "generator state", "generator item"  # names that no program has


def resumption(definition):
    """(the function that goes on, the parameters that it reads) of a generator function; the same ones whenever it is asked for."""
    if not hasattr(definition, "npcc_resumption"):
        definition.npcc_resumption = _Resumption(definition).result()
    return definition.npcc_resumption


def attribute_of(name):
    """What a local name is called in the object."""
    return f"local {name}"


class _Resumption:
    def __init__(self, definition):
        self.definition = definition
        self.count = 0
        self.body = _Lowering(self).block(copy.deepcopy(definition.body))
        self.yields = [node for statement in self.body for node in walk_scope(statement) if is_yield(node)]
        self.own = (own_names(definition) | names_stored(self.body)) - declared_elsewhere(definition)
        self.live = {}
        self.functions = {name: node for node in self._inside() for name in [name_of_function(node)] if name}
        self._refuse()
        first = Liveness(self._at_yield).before(self.body, set()) & self.own
        unbound = first - parameters_of(definition)
        if unbound:
            raise CannotBeInlined(f"'{sorted(unbound)[0]}' may not be bound where the generator goes on")
        self.first = sorted(first)

    def _inside(self):
        return [node for statement in self.body for node in walk_scope(statement)]

    def new_name(self, what):
        self.count += 1
        return f"{what} {self.count}"

    def _at_yield(self, node, live):
        live = live & self.own
        while True:  # functions are made anew there, of the names that they read
            more = live | {name for function in live & self.functions.keys() for name in names_loaded(self.functions[function])} & self.own
            if more == live:
                break
            live = more
        self.live[node] = self.live.get(node, set()) | live

    def _refuse(self):
        for node in self._inside():
            if isinstance(node, (ast.With, ast.Match)) and has_yield(node.body if isinstance(node, ast.With) else node.cases):
                raise CannotBeInlined("'yield' inside '{}' cannot be compiled".format("with" if isinstance(node, ast.With) else "match"))
            if isinstance(node, ast.Try) and node.finalbody and has_yield(node):
                raise CannotBeInlined("'yield' inside 'try' with 'finally' cannot be compiled")
            is_odd = isinstance(node, (ast.Yield, ast.YieldFrom)) and not any(yield_of(step) is node for step in self.yields)
            if is_odd or isinstance(node, ast.YieldFrom):
                raise CannotBeInlined("'yield' inside of this expression cannot be compiled")
        bound = [name for node in self._inside() for name in [name_of_function(node)] if name]
        if len(set(bound)) < len(bound):
            raise CannotBeInlined("a generator that binds several functions to one name cannot be compiled")

    #---- The function ----

    def result(self):
        states = [(0, self.first, self._going_on(self.body))]
        for number, step in enumerate(self.yields, 1):
            states.append((number, sorted(self.live[step]), self._going_on(_behind(self.body, step, self))))
        chain = []
        for number, names, statements in reversed(states):
            functions = [self.functions[name] for name in names if name in self.functions]
            kept = [name for name in names if name not in self.functions]
            restored = [assign(name, attribute(attribute_of(name))) for name in kept]
            made = [copy.deepcopy(function) for function in functions]
            test = ast.Compare(load(HERE), [ast.Eq()], [ast.Constant(number)])
            chain = [ast.If(test, [*restored, *made, *statements], chain)]
        body = [node for node in self.definition.body if isinstance(node, (ast.Nonlocal, ast.Global))]
        body += [assign(HERE, attribute(STATE)), store(STATE, ast.Constant(-1)), *chain, ast.Raise(load(FINISHED), None)]
        arguments = ast.arguments([], list(map(ast.arg, PARAMETERS)), None, [], [], None, [])
        function = ast.FunctionDef(name=self.definition.name, args=arguments, body=body, decorator_list=[], returns=None, type_comment=None, type_params=[])
        function.npcc_is_resumption = True
        place(function, self.definition)
        return function, self.first

    def _going_on(self, statements):
        """Statements of which each `yield` leaves the function, and each `return`, too."""
        made = []
        for node in statements:
            if isinstance(node, ast.Return):
                made.append(ast.copy_location(ast.Raise(load(FINISHED), None), node))
            elif is_yield(node):
                made += self._leave(node)
            elif isinstance(node, (*FUNCTIONS, ast.Nonlocal, ast.Global)):
                made += [] if isinstance(node, (ast.Nonlocal, ast.Global)) else [node]
            else:
                node = copy.copy(node)
                for part in ("body", "orelse"):
                    if isinstance(getattr(node, part, None), list):
                        setattr(node, part, self._going_on(getattr(node, part)))
                if isinstance(node, ast.Try):
                    node.handlers = [with_body(handler, self._going_on(handler.body)) for handler in node.handlers]
                    node.finalbody = self._going_on(node.finalbody)
                if isinstance(node, ast.Match):
                    node.cases = [with_body(case, self._going_on(case.body)) for case in node.cases]
                made.append(node)
        return made

    def _leave(self, step):
        value = yield_of(step).value or ast.Constant(None)
        kept = [name for name in sorted(self.live[step]) if name not in self.functions]
        saved = [store(attribute_of(name), load(name)) for name in kept]
        statements = [assign(ITEM, value), *saved, store(STATE, ast.Constant(self.yields.index(step) + 1)), ast.Return(load(ITEM))]
        return [place(statement, step) for statement in statements]


def _behind(statements, step, names):
    """What comes behind a `yield` that is one of the statements, or in one."""
    at = next(k for k, statement in enumerate(statements) if any(node is step for node in walk_scope(statement)))
    node, rest = statements[at], statements[at + 1:]
    if node is step:
        return [*_taking(step), *rest]
    for part in ("body", "orelse"):
        if any(inner is step for statement in getattr(node, part) for inner in walk_scope(statement)):
            inner = _behind(getattr(node, part), step, names)
            if part == "orelse" or isinstance(node, ast.If):
                return [*inner, *rest]
            if isinstance(node, ast.Try):
                return [_with(node, body=inner), *rest]
            return [*_into_loop(node, inner, names), *rest]
    for handler in node.handlers:
        if any(inner is step for inner in walk_scope(handler)):
            return [*_behind(handler.body, step, names), *rest]
    raise AssertionError("a yield that is nowhere")


def _into_loop(loop, inner, names):
    """A `while` that begins in the middle of an iteration, with these statements."""
    if not leaves_loop(inner):
        return [*inner, loop]
    first = names.new_name("first")
    begin = ast.If(load(first), [assign(first, ast.Constant(False)), *inner], loop.body)
    test = ast.BoolOp(ast.Or(), [load(first), loop.test])
    return [place(statement, loop) for statement in (assign(first, ast.Constant(True)), _with(loop, test=test, body=[begin]))]


def _taking(step):
    """What is done with what was sent: `x = yield`."""
    if isinstance(step, ast.Expr) and step.value is yield_of(step):
        return []

    class Replace(ast.NodeTransformer):
        def visit_Yield(self, node):
            return ast.copy_location(load(SENT), node)

    return [Replace().visit(copy.deepcopy(step))]


class _Lowering:
    """Loops with a `yield` in them as `while`, and `yield from` as such loops."""

    def __init__(self, names):
        self.names = names

    def block(self, statements):
        return [made for statement in statements for made in self.statement(statement)]

    def statement(self, node):
        if isinstance(node, FUNCTIONS) or not has_yield(node):
            return [node]
        found = yield_of(node)
        if isinstance(found, ast.YieldFrom):
            if not isinstance(node, ast.Expr):
                raise CannotBeInlined("the value of 'yield from' cannot be compiled")
            item = self.names.new_name("item")
            step = ast.Expr(ast.Yield(load(item)))
            return self.statement(place(ast.For(ast.Name(item, ast.Store()), found.value, [step], [], None), node))
        for part in ("body", "orelse", "finalbody"):
            if isinstance(getattr(node, part, None), list):
                setattr(node, part, self.block(getattr(node, part)))
        for handler in getattr(node, "handlers", ()):
            handler.body = self.block(handler.body)
        return self._for(node) if isinstance(node, ast.For) else [node]

    def _for(self, node):
        over = node.iter
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range" and not over.keywords:
            return self._over_range(node)
        items = self.names.new_name("items")
        begin = assign(items, ast.Call(load(ITEMS), [over], []))
        test = ast.Call(ast.Attribute(load(items), "is_more", ast.Load()), [], [])
        item = ast.Call(ast.Attribute(load(items), "__next__", ast.Load()), [], [])
        loop = ast.While(test, [ast.Assign([node.target], item), *node.body], node.orelse)
        return [place(statement, node) for statement in (begin, loop)]

    def _over_range(self, node):
        bounds, at, stop, step = map(self.names.new_name, ("range", "at", "stop", "step"))
        begin = [assign(bounds, node.iter), *(assign(name, ast.Attribute(load(bounds), part, ast.Load())) for name, part in ((at, "start"), (stop, "stop")))]
        up = ast.Compare(load(at), [ast.Lt()], [load(stop)])
        if len(node.iter.args) == 3:
            begin.append(assign(step, ast.Attribute(load(bounds), "step", ast.Load())))
            down = ast.Compare(load(at), [ast.Gt()], [load(stop)])
            up = ast.IfExp(ast.Compare(load(step), [ast.Gt()], [ast.Constant(0)]), up, down)
        by = load(step) if len(node.iter.args) == 3 else ast.Constant(1)
        body = [ast.Assign([node.target], load(at)), ast.AugAssign(ast.Name(at, ast.Store()), ast.Add(), by), *node.body]
        return [place(statement, node) for statement in (*begin, ast.While(up, body, node.orelse))]


def has_yield(node):
    if isinstance(node, list):
        return any(map(has_yield, node))
    return any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in walk_scope(node))


def leaves_loop(statements):
    """Whether a `break` or `continue` among the statements is one of the loop around them."""
    for node in statements:
        if isinstance(node, (ast.Break, ast.Continue)):
            return True
        is_loop = isinstance(node, (ast.While, ast.For))
        blocks = [] if is_loop or isinstance(node, (*FUNCTIONS, ast.ClassDef)) else [getattr(node, "body", []), getattr(node, "finalbody", [])]
        blocks += [getattr(node, "orelse", []), *(part.body for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())))]
        if any(isinstance(block, list) and leaves_loop(block) for block in blocks):
            return True
    return False


def name_of_function(node):
    """The name that a statement binds to a function."""
    if isinstance(node, ast.FunctionDef):
        return node.name
    is_lambda = isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)
    return node.targets[0].id if is_lambda and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) else None


def load(name):
    return ast.Name(name, ast.Load())


def assign(name, value):
    return ast.Assign([ast.Name(name, ast.Store())], value)


def attribute(name):
    return ast.Attribute(load(FRAME), name, ast.Load())


def store(name, value):
    return ast.Assign([ast.Attribute(load(FRAME), name, ast.Store())], value)


def _with(node, **parts):
    made = copy.copy(node)
    for name, value in parts.items():
        setattr(made, name, value)
    return made


def with_body(node, body):
    return _with(node, body=body)


def place(made, origin):
    """Gives all that was made the place in the source of what it was made of."""
    for node in ast.walk(made):
        if "lineno" in node._attributes and not hasattr(node, "lineno"):
            ast.copy_location(node, origin)
    return made
