"""What the compiler says about a program, as Python's own kind of error."""
import builtins
import functools
import linecache
import re
import sys
import traceback
import warnings

import numpy as np


class CompileError(SyntaxError):
    """What npcc cannot compile: file, line, columns and the source line, as for a syntax error. Further errors are notes."""

    diagnostics = ()  # what the compiler said, as the extension gives it
    is_of_program = False  # whether Python and NumPy object too: each error is an exception that they would raise
    is_of_run = False  # whether a call inside of the compiled code's run was refused: that call has begun, so it cannot be compiled another way
    is_of_form = False  # whether it is of how the arguments were taken apart: lists that are objects of the compiled code may do without it


def meant(name, names, namespace):
    """"did you mean 'zeros'?", of the names that are there and the most like a misspelt one; empty without any."""
    known = [*names, *(namespace or ()), *vars(builtins)]
    import difflib  # most programs need none of it
    close = difflib.get_close_matches(name, known, 1, 0.7)
    return f"did you mean '{close[0]}'?" if close else ""


def meant_attribute(cls, name):
    """The same of the attributes of a class."""
    import difflib
    close = difflib.get_close_matches(name, [known for known in dir(cls) if not known.startswith("_")], 1, 0.7)
    return f"did you mean '{close[0]}'?" if close else ""


_OF_ARGUMENTS = re.compile(r"((ndarray\.)?_?\w+\(\)|function) (takes|missing|got an unexpected)|expected .*arguments?, got |.* is an invalid keyword argument")


@functools.lru_cache(maxsize=1024)
def complaint_of_method(name, count, keywords, is_scalar):
    """What NumPy says of a call of an array's method with so many arguments and these keywords, or of a scalar's; empty where it takes them. Of what the
    arguments are it says nothing here: they are None, and the array has one element."""
    arguments = ", ".join(["None"] * count + [f"{keyword}=None" for keyword in keywords])
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            eval(f"a.{name}({arguments})", {"a": np.float64(0) if is_scalar else np.zeros((1, 1))})
    except TypeError as error:
        words = str(error)
        return words if _OF_ARGUMENTS.match(words) and not words.startswith("positive()") else ""
    except Exception:  # of the arguments
        return ""
    return ""


# The interpreter of the first releases of 3.11 does not print notes of syntax errors.
PRINTS_NOTES = sys.version_info >= (3, 11, 7)


def add_note(error, note):
    if PRINTS_NOTES:
        error.add_note(note)
    else:
        error.msg = f"{error.msg}\n{note}"


def make_error(diagnostic):
    """A CompileError of one diagnostic: a dict as the extension gives it."""
    file, line = diagnostic["file"], diagnostic["line"]
    text = linecache.getline(file, line) or None
    column, end_line, end_column = diagnostic["column"] or None, diagnostic["end_line"] or None, diagnostic["end_column"] or None
    error = CompileError(diagnostic["message"], (file, line, column, text, end_line, end_column))
    for note in diagnostic["notes"]:
        add_note(error, note)
    return error


def compile_error(diagnostics):
    """One exception for all errors of a compilation."""
    errors = [d for d in diagnostics if d["is_error"]] or diagnostics
    if not errors:
        return RuntimeError("npcc: the compilation failed without a message (a bug in npcc)")
    located = [d for d in errors if d["line"]]
    if not located:
        return RuntimeError("npcc: " + "; ".join("\n".join([d["message"], *d["notes"]]) for d in errors))
    first, *others = [make_error(d) for d in located]
    for error in others:
        add_note(first, "".join(traceback.format_exception_only(error)).rstrip())
    first.diagnostics = diagnostics
    first.is_of_form = any(d.get("of_form") for d in errors)
    first.is_of_program = all(d.get("error") for d in errors)
    return first
