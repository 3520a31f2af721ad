# RUN: %python %s
"""Of exceptions whose arguments are not one text, the arguments were the text: `raise SystemExit(3)` left with the code '3'. What Python's own
classes make of their arguments (errno, value, code) was not there."""
import npcc


class Refusal(Exception):
    pass


def no_argument(n):
    if n > 2:
        raise ValueError
    raise ValueError("")


def numbers_in_clauses(n):
    try:
        if n > 2:
            raise ValueError("a", n, 2.5)
        raise KeyError(n, "x")
    except (KeyError, ValueError) as error:
        return error.args, str(error), repr(error), isinstance(error, KeyError)


def no_argument_in_a_clause(n):
    try:
        if n > 2:
            raise Refusal
        raise Refusal(f"{n}")
    except Refusal as error:
        return error.args, str(error), repr(error)


def file_in_a_clause():
    try:
        raise OSError(2, "gone", "file")
    except OSError as error:
        return error.args, str(error), repr(error), error.errno, error.strerror, error.filename, isinstance(error, FileNotFoundError)


def file_that_leaves():
    raise OSError(2, "gone", "file")


def values_in_clauses(n):
    try:
        raise StopIteration(n)
    except StopIteration as stop:
        number = stop.value
    try:
        raise ImportError("no", name="x")
    except ImportError as error:
        return number, error.name, error.msg, error.args


def code(n):
    raise SystemExit(n)


def syntax():
    raise IndentationError("a", "b", "c")


def memory():
    raise MemoryError("a", 1)


def past_a_finally(numbers, n):
    try:
        raise ValueError(n, (n, None))
    finally:
        numbers.append(n)


def raised_again(n):
    try:
        raise ValueError((n, 2))
    except ValueError:
        raise


def outcome(function, *arguments):
    try:
        return function(*arguments), arguments
    except BaseException as error:
        shown = {name: getattr(error, name, None) for name in ("errno", "strerror", "filename", "value", "code", "msg")}
        return type(error), error.args, str(error), shown, arguments


for function in (no_argument, numbers_in_clauses, no_argument_in_a_clause, values_in_clauses, code, raised_again):
    compiled = npcc.jit(function, target="cpu")
    for n in (1, 5):
        assert outcome(compiled, n) == outcome(function, n), (function.__name__, outcome(compiled, n), outcome(function, n))
for function in (file_in_a_clause, file_that_leaves, syntax, memory):
    compiled = npcc.jit(function, target="cpu")
    assert outcome(compiled) == outcome(function), (function.__name__, outcome(compiled), outcome(function))
assert outcome(npcc.jit(past_a_finally, target="cpu"), [], 3) == outcome(past_a_finally, [], 3)
