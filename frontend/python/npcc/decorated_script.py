"""`npcc run --after 0`: every function of the script's top level is compiled when it is called first."""
import ast
import sys

from .jit import jit


class Decorated:
    """The functions of a script, and why some of them ran in Python."""

    def __init__(self):
        self.functions = {}

    def start(self):
        pass

    def stop(self, report):
        """Says what ran in Python, and why: nothing is silently slow. It comes behind what the program has printed."""
        sys.stdout.flush()
        for name, (function, reasons) in self.functions.items():
            for error in reasons.values():
                print(f"npcc: {name} ({place(function)}) ran in Python: {reason(error)}", file=sys.stderr)
            if report and not reasons:
                print(f"npcc: {name} ({place(function)}) was compiled where it was called", file=sys.stderr)

    def is_compiling(self):
        return False


def decorate(tree, module, target, nan):
    """Puts a decorator at each function of the top level that is not decorated already."""
    decorated = Decorated()

    def compiled(function):
        try:
            made = jit(function, target=target, nan=nan, fallback=True)
        except SyntaxError as error:  # its parameters alone rule it out
            decorated.functions[function.__qualname__] = (function, {"parameters": error})
            return function
        decorated.functions[function.__qualname__] = (function, made.fallbacks)
        return made

    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            name = ast.Name("__npcc_jit__", ast.Load())
            node.decorator_list = [ast.copy_location(name, node)]
    module.__npcc_jit__ = compiled
    return decorated


def place(function):
    return f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"


def reason(error):
    where = f"{error.filename}:{error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
    return where + (error.msg if isinstance(error, SyntaxError) else str(error))
