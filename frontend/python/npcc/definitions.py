"""The definition of one function out of the lines of its file, without a look at the others.

A library's file is long, and a program needs a function or two of it: to parse them alone takes a tenth of the time.
"""
import ast

from .dependencies import last_line_of
from .private_names import mangle


made = {}  # code objects -> the trees of functions that no file has: what hot_loops.py makes of loops
_known = {}  # id of a code object -> itself, the lines, and what was found
MOST_KNOWN = 1024


def alone(code, lines):
    """The tree of the function that `code` is of, with its line numbers in the file; None where that takes the whole file: of lambdas, of functions
    inside of something, and where the next line at the margin is not where the definition ends. The same tree for the same lines (of linecache)."""
    known = _known.get(id(code))
    if known and known[0] is code and known[1] is lines:
        return known[2]
    if len(_known) >= MOST_KNOWN:
        _known.clear()
    tree = _find(code, lines)
    _known[id(code)] = code, lines, tree
    return tree


def _find(code, lines):
    first = code.co_firstlineno - 1
    if first >= len(lines) or not lines[first].startswith(("def ", "@")):
        return None
    rest = range(last_line_of(code), len(lines))
    end = next((k for k in rest if lines[k][:1].strip() and not lines[k].startswith("#")), len(lines))
    try:
        text = "".join(lines[first:end])
        tree = ast.parse("\n" * first + text)
    except SyntaxError:  # a string or parentheses go on at the margin
        return None
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef) or tree.body[0].name != code.co_name:
        return None
    if "class" in text:  # which most functions have none of
        mangle(tree)
    return tree.body[0]
