"""`npcc run script.py`: a script that begins in Python; its functions are compiled when they have run long enough for that to pay.

The command starts this file alone (`python -P runner.py`), before the package: a script that ends soon has nothing of it. So what is imported here
at the top is Python's own and small, and the package is imported where a function is compiled first.
"""
import os
import sys
import types

AFTER = 1.0  # seconds that a function runs in Python before it is compiled: about what it takes to compile one


def run(path, arguments, target=None, nan=False, after=AFTER, report=False):
    """Executes the script as __main__; the status that the process ends with. after=0: functions are compiled when they are called first."""
    import tokenize
    try:
        with tokenize.open(path) as file:
            source = file.read()
    except OSError as error:
        print(f"npcc: {error}", file=sys.stderr)
        return 1
    sys.argv = [str(path), *arguments]
    sys.path[0:0] = [os.path.dirname(os.path.abspath(path))]
    module = types.ModuleType("__main__")
    module.__file__ = str(path)
    module.__builtins__ = __builtins__
    sys.modules["__main__"] = module
    if after > 0:
        loops = _imported("npcc_hot_loops", "hot_loops.py")
        cut, tree = [], source
        if loops.may_have_loops(source):
            tree = loops.parse(source, path)
            cut = loops.cut(tree, module, after)
        code = compile(tree, str(path), "exec")
        watch = _imported("npcc_hot_functions", "hot_functions.py").Watch(module, code, target, nan, after, cut)
    else:
        import ast

        from npcc.decorated_script import decorate
        tree = ast.parse(source, str(path))
        watch = decorate(tree, module, target, nan)
        code = compile(tree, str(path), "exec")
    watch.start()
    status = _execute(code, module)
    watch.stop(report)
    if watch.is_compiling():
        # A thread in the middle of a compilation cannot be ended, and need not be waited for.
        _leave(status)
    return status


def _imported(name, file):
    """A module beside this one, without the package."""
    import importlib.util
    spec = importlib.util.spec_from_file_location(name, os.path.join(os.path.dirname(os.path.abspath(__file__)), file))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _execute(code, module):
    try:
        exec(code, vars(module))
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    except BaseException as error:  # as Python shows it: from the script on
        sys.excepthook(type(error), error, error.__traceback__.tb_next)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _leave(status):
    import atexit
    import threading
    threading._shutdown()  # waits for the script's own threads
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    os._exit(status & 0xff)


def main(argv):
    """`npcc run`, as the command starts it."""
    options, rest = {}, list(argv)
    while rest and rest[0].startswith("-"):  # the plain ones; others are for the parser, which needs the package
        if rest[0] == "--report":
            options["report"] = True
        elif rest[0] == "--target" and rest[1:2] in (["cpu"], ["cuda"]):
            options["target"] = rest.pop(1)
        else:
            break
        del rest[0]
    if rest and not rest[0].startswith("-"):
        return run(rest[0], rest[1:], **options)
    from npcc.cli import make_run_parser, run_command
    return run_command(make_run_parser(), argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[2:]))  # behind "run"
