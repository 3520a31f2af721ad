"""The source of functions that no file has: what exec() and eval() are given, `python -c`, a script on the standard input, and what was typed at the prompt.

Python keeps the code of such a function and not its text. The text is somewhere near: among the strings that the callers hold, on the command line, in the
history of the prompt. Whether a text is the one, its compilation tells: the code must be equal. The text then becomes an entry of linecache with
a name of its own, which the function's code gets as its file, so that errors and tracebacks show its lines.
"""
import itertools
import linecache
import os
import sys
import types
import weakref

MOST_TEXT = 1 << 20  # characters of a text that is looked at
MOST_TYPED = 200  # lines of a definition that was typed

_numbers = itertools.count(1)
_missed = weakref.WeakSet()  # code whose text was not found
_compiled = {}  # (text, mode) -> its code; None where it is no Python


def recover(function):
    """Gives a function whose source is not known a file that has it. Whether it was found."""
    code = function.__code__
    if not code.co_filename.startswith("<") or code.co_filename.startswith("<frozen ") or code in _missed or linecache.getlines(code.co_filename):
        return False
    for text, mode in _texts(code):
        if len(text) <= MOST_TEXT and any(one == code for one in _codes_in(text, mode)):
            name = f"<{code.co_filename.strip('<>')} {next(_numbers)}>"
            linecache.cache[name] = len(text), None, (text if text.endswith("\n") else text + "\n").splitlines(True), name
            function.__code__ = _in_file(code, name)
            return True
    _missed.add(code)
    return False


def _in_file(code, name):
    constants = tuple(_in_file(one, name) if isinstance(one, types.CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=name, co_consts=constants)


def _codes_in(text, mode):
    if (text, mode) not in _compiled:
        try:
            _compiled[text, mode] = compile(text, "<text>", mode, dont_inherit=True)
        except (SyntaxError, ValueError):
            _compiled[text, mode] = None
    return _inside(_compiled[text, mode])


def _inside(code):
    for one in code.co_consts if code else ():
        if isinstance(one, types.CodeType):
            yield one
            yield from _inside(one)


def _texts(code):
    """Texts that may have the definition, with the modes of compile() for them."""
    mark = "lambda" if code.co_name == "<lambda>" else code.co_name
    for text in _strings_of_callers():
        if mark in text:
            yield text, "exec"
            if mark == "lambda":
                yield text, "eval"
    command = sys.orig_argv
    if "-c" in command[:-1]:
        yield command[command.index("-c") + 1], "exec"
    if code.co_filename == "<stdin>":
        yield from ((text, "exec") for text in _standard_input())
        yield from _typed()


def _strings_of_callers():
    frame = sys._getframe()
    seen = set()
    while frame:
        for values in (frame.f_locals.values(), frame.f_globals.values(), frame.f_code.co_consts):
            for value in list(values):
                if type(value) is str and value not in seen:
                    seen.add(value)
                    yield value
        frame = frame.f_back


def _standard_input():
    """The script, where the standard input is a file."""
    try:
        size = os.fstat(0).st_size
        if size:
            yield os.pread(0, size, 0).decode()
    except (OSError, UnicodeDecodeError):
        pass


def _typed():
    """What was typed at the prompt, each beginning of a statement with ever more of the lines behind it."""
    readline = sys.modules.get("readline")
    if not readline:
        return
    lines = [readline.get_history_item(k) or "" for k in range(1, readline.get_current_history_length() + 1)]
    for first in range(len(lines) - 1, -1, -1):
        if lines[first][:1].isspace() or not lines[first]:
            continue
        text = ""
        for line in lines[first:first + MOST_TYPED]:
            text += line + "\n"
            yield text, "single"
