"""The definition of one function out of the lines of its file, without a look at the others, and what is asked of each.

A library's file is long, and a program needs a function or two of it: to parse them alone takes a tenth of the time.
"""
import ast

from .dependencies import last_line_of

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
        from .private_names import mangle
        mangle(tree)
    return tree.body[0]


def is_generator(definition):
    """Whether calling the function makes a generator."""
    if not isinstance(definition, ast.FunctionDef):
        return False
    open_ = list(definition.body)
    while open_:
        node = open_.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            open_ += children_of(node)
    return False


def names_shared(definition):
    """The names that functions inside a function declare `nonlocal`, and those that generator expressions inside it bind by `:=`."""
    inside, open_ = [], [definition]
    while open_:
        node = open_.pop()
        if isinstance(node, (ast.GeneratorExp, ast.Nonlocal)):
            inside.append(node)
        open_ += children_of(node)
    named = {name for node in inside if isinstance(node, ast.GeneratorExp) for name in names_bound(node)}
    return sorted(named.union(*(node.names for node in inside if isinstance(node, ast.Nonlocal))))


def names_bound(comprehension):
    """The names that `:=` binds in a comprehension, which are those of the scope around it."""
    return {node.target.id for node in ast.walk(comprehension) if isinstance(node, ast.NamedExpr)}


def children_of(node):
    """What ast.iter_child_nodes gives, as a list: to make generators of generators takes several times as long for a whole function."""
    found = []
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [one for one in value if isinstance(one, ast.AST)]
    return found
