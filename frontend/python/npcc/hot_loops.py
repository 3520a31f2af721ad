"""Loops of a script's top level that run long. They are cut into parts, each of which runs in Python, or by a function that has the loop's body:

    for k in range(n):            for part in loop.parts(range(n)):        def loop(part):
        body                          for k in part:                          global ...
                                          body                                for k in part:
                                      else:                                       body
                                          continue                            return False   # `break` returns True
                                      break

An iteration in Python costs no more than before. The function is tried as any other one is (tiers.py): what it reads and assigns to are the globals of the
script, so nobody sees where an iteration ran.

Like runner.py this file is imported without the package.
"""
import ast
import time
import types

PART = 0.02  # seconds that a part takes at least, if there are so many iterations
UNKNOWN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global, ast.AnnAssign)  # other things in a function
LOOKING = {"locals", "vars", "dir", "exec", "eval", "globals"}  # functions that see in which scope they are called


def may_have_loops(source):
    return any(line.lstrip().startswith(("for ", "while ")) for line in source.splitlines())


def parse(source, path):
    return ast.parse(source, str(path))


class Loop:
    """One loop: the function that its body can be, and how long it has run."""

    def __init__(self, function, definition, after):
        self.function, self.definition, self.after = function, definition, after
        self.code = function.__code__
        self.spent = 0.0  # in Python
        self.trial = None
        self.size = 1  # iterations of a part

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
            if self.trial is None:
                yield part
                self.spent += self._time(begin)
            elif self.function(part):
                return
            else:
                self._time(begin)

    def turns(self):
        """The same of a `while`, whose iterations are counted."""
        while True:
            begin = time.perf_counter()
            if self.trial is None:
                yield range(self.size)
                self.spent += self._time(begin)
            elif self.function(self.size):
                return
            else:
                self._time(begin)


def cut(tree, module, after):
    """Puts the parts into the loops of a script's top level; what they ask for them."""
    loops = []
    _cut_all(tree.body, module, after, loops)
    if loops:
        ast.fix_missing_locations(tree)
    return loops


def _cut_all(statements, module, after, loops):
    for at, node in enumerate(statements):
        if isinstance(node, ast.If):  # __name__ == "__main__"
            _cut_all(node.body, module, after, loops)
        if not isinstance(node, (ast.For, ast.While)) or node.orelse:
            continue
        function, definition = _function_of(node, module)
        if function is not None:
            name = f"__npcc_loop_{len(loops)}__"
            loops.append(Loop(function, definition, after))
            setattr(module, name, loops[-1])
            statements[at] = _in_parts(node, name)


def _in_parts(node, name):
    is_for = isinstance(node, ast.For)
    call = ast.Call(ast.Attribute(ast.Name(name, ast.Load()), "parts" if is_for else "turns", ast.Load()), [node.iter] if is_for else [], [])
    part, turn = f"{name[:-2]}_part__", f"{name[:-2]}_turn__"
    target = node.target if is_for else ast.Name(turn, ast.Store())
    body = node.body if is_for else [_leaving_unless(node.test, ast.Break()), *node.body]
    inner = ast.For(target, ast.Name(part, ast.Load()), body, [ast.Continue()])
    outer = ast.For(ast.Name(part, ast.Store()), call, [inner, ast.Break()], [])
    for made in (inner, outer):
        ast.copy_location(made, node)
    return outer


def _leaving_unless(test, leave):
    return ast.copy_location(ast.If(ast.UnaryOp(ast.Not(), test), [leave], []), test)


def _function_of(node, module):
    """A function that runs iterations of the loop and says whether it has ended, and its tree; None where it would be another loop."""
    for part in ast.walk(node):
        if isinstance(part, UNKNOWN) or isinstance(part, ast.Name) and part.id in LOOKING:
            return None, None
    body = [_Breaks().visit(_copy(one)) for one in node.body]
    ended, more = ast.Return(ast.Constant(True)), ast.Return(ast.Constant(False))
    if isinstance(node, ast.For):
        loop = ast.For(_copy(node.target), ast.Name("part", ast.Load()), body, [])
    else:
        turns = ast.Call(ast.Name("range", ast.Load()), [ast.Name("part", ast.Load())], [])
        loop = ast.For(ast.Name("turn", ast.Store()), turns, [_leaving_unless(_copy(node.test), ended), *body], [])
    ast.copy_location(loop, node)
    try:
        first, _ = _code([loop, more], node, module)
        assigned = set(first.co_varnames + first.co_cellvars) - {"part", "turn"}
        code, definition = _code([ast.Global(sorted(assigned)), loop, more] if assigned else [loop, more], node, module)
    except SyntaxError:
        return None, None
    if code.co_flags & 0x2a0 or {"part", "turn"} & set(code.co_names):  # it awaits something, or names what the function does
        return None, None
    return types.FunctionType(code, vars(module), code.co_name), definition


def _code(body, node, module):
    """The function's code and tree."""
    arguments = ast.arguments(posonlyargs=[], args=[ast.arg("part")], kwonlyargs=[], kw_defaults=[], defaults=[])
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

    def visit_Break(self, node):
        return ast.copy_location(ast.Return(ast.Constant(True)), node)

    def visit_For(self, node):  # whose breaks are its own, but not those in its `else`
        node.orelse = [self.visit(one) for one in node.orelse]
        return node

    visit_While = visit_AsyncFor = visit_For
