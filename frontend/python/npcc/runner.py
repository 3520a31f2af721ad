"""`npcc run script.py`: a script whose functions are compiled where they can be, and run in Python where not."""
import ast
import atexit
import sys
import tokenize
from pathlib import Path

from .jit import jit


def run(path, arguments, target=None, nan=False):
    """Executes the script as __main__."""
    path = Path(path)
    with tokenize.open(path) as file:
        source = file.read()
    tree = _with_decorators(ast.parse(source, str(path)))
    functions = {}

    def decorate(function):
        try:
            compiled = jit(function, target=target, nan=nan, fallback=True)
        except SyntaxError as error:  # its parameters alone rule it out
            functions[function.__qualname__] = (function, {"parameters": error})
            return function
        functions[function.__qualname__] = (function, compiled.fallbacks)
        return compiled

    atexit.register(_report, functions)
    sys.argv = [str(path), *arguments]
    sys.path[0:0] = [str(path.resolve().parent)]
    import types
    module = types.ModuleType("__main__")
    module.__file__ = str(path)
    module.__npcc_jit__ = decorate
    sys.modules["__main__"] = module
    exec(compile(tree, str(path), "exec"), vars(module))


def _with_decorators(tree):
    """Puts the decorator next to each function of the top level that is not decorated already."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            name = ast.Name("__npcc_jit__", ast.Load())
            node.decorator_list = [ast.copy_location(name, node)]
    return tree


def _report(functions):
    """What ran in Python, and why: nothing is silently slow. It comes behind what the program has printed."""
    sys.stdout.flush()
    for name, (function, reasons) in functions.items():
        code = function.__code__
        for error in reasons.values():
            place = f"{error.filename}:{error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
            message = error.msg if isinstance(error, SyntaxError) else str(error)
            print(f"npcc: {name} ({code.co_filename}:{code.co_firstlineno}) ran in Python: {place}{message}", file=sys.stderr)
