"""Loops of a script that run long. They are cut into parts, each of which runs in Python, or by a function that has the loop's body:

    for k in range(n):            for part in loop.parts(range(n)):        def loop(part):
        body                          for k in part:                          global ...
                                          body                                for k in part:
                                      else:                                       body
                                          continue                            return False   # `break` returns True
                                      break

An iteration in Python costs no more than before. The function is tried as any other one is (tiers.py). Of a loop of the top level it reads and assigns
to the globals of the script, so nobody sees where an iteration ran. In a function the loop's names are locals: the parts are all handed to the
outer loop, which gives the function the names that it takes, and takes from it those that the body assigns to.

Like runner.py this file is imported without the package.
"""
import ast
import time
import types

PART = 0.02  # seconds that a part takes at least, if there are so many iterations
# What is another thing in a function, or in another one.
UNKNOWN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global, ast.AnnAssign)
UNKNOWN_LOCALLY = (*UNKNOWN, ast.Lambda, ast.Return, ast.Delete, ast.Nonlocal)
# A function that may go on after an error sees how far the loop has come.
UNSAFE = (ast.Try, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, *([ast.TryStar] if hasattr(ast, "TryStar") else []))
LOOKING = {"locals", "vars", "dir", "exec", "eval", "globals", "super", "__class__"}  # what sees in which scope it is called


def may_have_loops(source):
    return any(line.lstrip().startswith(("for ", "while ")) for line in source.splitlines())


def parse(source, path):
    return ast.parse(source, str(path))


class Loop:
    """One loop: the function that its body can be, and how long it has run."""

    def __init__(self, function, definition, parameters, after):
        self.function, self.definition, self.parameters, self.after = function, definition, parameters, after
        self.code = function.__code__
        self.spent = 0.0  # in Python
        self.trial = None
        self.size = 1  # iterations of a part
        self.ran = False  # whether the function has run the latest part of a function's loop

    def is_hot(self):
        return self.spent >= self.after

    def begin(self, watch):
        """Has the function tried from the next part on."""
        from npcc.definitions import made
        from npcc.tiers import Trial
        made[self.code] = self.definition
        self.trial = Trial(self.function, watch)

    def verdict(self):
        return self.trial.verdict() if self.trial else "stayed in Python: it did not run long"

    def times(self):
        seconds = self.trial.compiled_seconds() if self.trial else 0.0
        in_python = self.spent + (self.trial.python.total if self.trial else 0.0)
        return f" ({in_python:.2f} s in Python, {seconds:.2f} s compiled)" if self.trial else f" ({in_python:.2f} s)"

    def run(self, part, names):
        """What the function gives for a part, where all names are bound that it takes; else None."""
        if any(name not in names for name in self.parameters):
            return None
        self.ran = True
        return self.function(part, *(names[name] for name in self.parameters))

    def _time(self, begin):
        taken = time.perf_counter() - begin
        if taken < PART and (self.trial is None or self.trial.is_compiled):  # what is compared with each other has one size
            self.size *= 2
        return taken

    def parts(self, iterable):
        """The parts that run in Python, of what a `for` goes over."""
        is_array = type(iterable).__name__ == "ndarray" and type(iterable).__module__ == "numpy"
        if type(iterable) is not range and not (is_array and iterable.ndim):
            yield iterable
            return
        at = 0
        while at < len(iterable):
            part = iterable[at:at + self.size]
            at += self.size
            begin = time.perf_counter()
            if self.trial is None or self.parameters is not None:
                self.ran = False
                yield part
                taken = self._time(begin)
                self.spent += 0.0 if self.ran else taken
            elif self.function(part):
                return
            else:
                self._time(begin)

    def turns(self):
        """The same of a `while`, whose iterations are counted."""
        while True:
            begin = time.perf_counter()
            if self.trial is None or self.parameters is not None:
                self.ran = False
                yield range(self.size)
                taken = self._time(begin)
                self.spent += 0.0 if self.ran else taken
            elif self.function(self.size):
                return
            else:
                self._time(begin)


def cut(tree, module, after):
    """Puts the parts into the loops of a script; what they ask for them."""
    loops = []
    _cut_all(tree.body, module, after, loops)
    for function in _called_once(tree):
        _cut_function(function, module, after, loops)
    if loops:
        ast.fix_missing_locations(tree)
    return loops


def _cut_all(statements, module, after, loops, local_names=None):
    """`local_names`: those of the function around."""
    for at, node in enumerate(statements):
        if isinstance(node, ast.If):  # __name__ == "__main__"
            _cut_all(node.body, module, after, loops, local_names)
        if not isinstance(node, (ast.For, ast.While)) or node.orelse:
            continue
        function, definition, assigned, parameters = _function_of(node, module, local_names)
        if function is not None:
            name = f"__npcc_loop_{len(loops)}__"
            loops.append(Loop(function, definition, parameters, after))
            setattr(module, name, loops[-1])
            statements[at] = _in_parts(node, name, assigned if local_names is not None else None)


def _called_once(tree):
    """The functions of the top level that the script calls a few times at most, `main` for one: named in no loop, and in no function but such ones. To begin a
    loop in parts takes a microsecond, which is nothing there."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.decorator_list}
    named = []  # (a function's name, the name of the function around or None, whether it is in a loop)

    def look(node, around, in_loop):
        if isinstance(node, ast.Name) and node.id in functions:
            named.append((node.id, around, in_loop))
        in_loop = in_loop or isinstance(node, (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            is_other = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            is_own = is_other and around is None and functions.get(child.name) is child
            look(child, child.name if is_own else around, in_loop or is_other and not is_own)

    look(tree, None, False)
    many = {name for name, around, in_loop in named if in_loop or name == around}
    while more := {name for name, around, _ in named if around in many} - many:
        many |= more
    return [node for name, node in functions.items() if name not in many]


def _cut_function(node, module, after, loops):
    """Puts parts into the loops of a function."""
    if any(isinstance(part, UNSAFE) for part in ast.walk(node)):
        return
    alone = ast.Module([ast.copy_location(ast.FunctionDef(node.name, node.args, node.body, []), node)], [])
    try:
        code = next(c for c in compile(alone, module.__file__, "exec", dont_inherit=True).co_consts if isinstance(c, types.CodeType))
    except SyntaxError:
        return
    _cut_all(node.body, module, after, loops, set(code.co_varnames + code.co_cellvars))


def _in_parts(node, name, assigned):
    """The loop over parts. `assigned`: the locals that the body assigns to, in a function."""
    is_for = isinstance(node, ast.For)
    call = ast.Call(ast.Attribute(ast.Name(name, ast.Load()), "parts" if is_for else "turns", ast.Load()), [node.iter] if is_for else [], [])
    part, turn = f"{name[:-2]}_part__", f"{name[:-2]}_turn__"
    target = node.target if is_for else ast.Name(turn, ast.Store())
    body = node.body if is_for else [_leaving_unless(node.test, ast.Break()), *node.body]
    inner = ast.For(target, ast.Name(part, ast.Load()), body, [ast.Continue()])
    tried = _tried(name, part, assigned, is_for) if assigned is not None else []
    outer = ast.For(ast.Name(part, ast.Store()), call, [*tried, inner, ast.Break()], [])
    for made in (inner, outer):
        ast.copy_location(made, node)
    return outer


def _tried(name, part, assigned, is_for):
    """In a function: the part by the loop's own function, if that is tried."""
    given = part if is_for else f"len({part})"
    left, ended = f"{name[:-2]}_left__", f"{name[:-2]}_ended__"
    targets = ", ".join([ended, *assigned])
    return ast.parse(f"""
if {name}.trial is not None:
    {left} = {name}.run({given}, locals())
    if {left} is not None:
        {targets}, = {left}
        if {ended}:
            break
        continue
""").body


def _leaving_unless(test, leave):
    return ast.copy_location(ast.If(ast.UnaryOp(ast.Not(), test), [leave], []), test)


def _function_of(node, module, local_names):
    """A function that runs iterations of the loop and says whether it has ended, its tree, the names that the body assigns to, and those of its parameters
    (None: the names are globals). Nones where it would be another loop."""
    nothing = None, None, None, None
    is_local = local_names is not None
    for part in ast.walk(node):
        if isinstance(part, UNKNOWN_LOCALLY if is_local else UNKNOWN) or isinstance(part, ast.Name) and part.id in LOOKING:
            return nothing
    try:
        first, _ = _code(_statements(node, ()), (), node, module)
        own = {"part", "turn"}
        assigned = sorted(set(first.co_varnames + first.co_cellvars) - own)
        if own & set(_names_in(first)):
            return nothing
        parameters = sorted((set(assigned) | set(_names_in(first))) & local_names) if is_local else None
        body = _statements(node, assigned if is_local else ())
        code, definition = _code([ast.Global(assigned), *body] if assigned and not is_local else body, parameters or (), node, module)
    except SyntaxError:
        return nothing
    if code.co_flags & 0x2a0:  # it awaits something
        return nothing
    return types.FunctionType(code, vars(module), code.co_name), definition, assigned, parameters


def _names_in(code):
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in(constant)


def _statements(node, results):
    """What the loop's function does; it gives whether the loop has ended, and `results`."""
    def leave(ended):
        value = ast.Constant(ended)
        return ast.Return(ast.Tuple([value, *(ast.Name(name, ast.Load()) for name in results)], ast.Load()) if results else value)

    breaks = _Breaks(lambda: leave(True))
    body = [breaks.visit(_copy(one)) for one in node.body]
    if isinstance(node, ast.For):
        loop = ast.For(_copy(node.target), ast.Name("part", ast.Load()), body, [])
    else:
        turns = ast.Call(ast.Name("range", ast.Load()), [ast.Name("part", ast.Load())], [])
        loop = ast.For(ast.Name("turn", ast.Store()), turns, [_leaving_unless(_copy(node.test), leave(True)), *body], [])
    return [ast.copy_location(loop, node), leave(False)]


def _code(body, parameters, node, module):
    """The function's code and tree."""
    arguments = ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in ("part", *parameters)], kwonlyargs=[], kw_defaults=[], defaults=[])
    definition = ast.FunctionDef(f"loop_of_line_{node.lineno}", arguments, body, [])
    ast.copy_location(definition, node)
    tree = ast.fix_missing_locations(ast.Module([definition], []))
    made = compile(tree, module.__file__, "exec", dont_inherit=True)
    return next(c for c in made.co_consts if isinstance(c, types.CodeType)), definition


def _copy(node):
    import copy
    return copy.deepcopy(node)


class _Breaks(ast.NodeTransformer):
    """The loop's own `break` says that it has ended."""

    def __init__(self, leave):
        self.leave = leave

    def visit_Break(self, node):
        return ast.copy_location(self.leave(), node)

    def visit_For(self, node):  # whose breaks are its own, but not those in its `else`
        node.orelse = [self.visit(one) for one in node.orelse]
        return node

    visit_While = visit_AsyncFor = visit_For
