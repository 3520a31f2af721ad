"""Names with two underscores in front, inside a class: Python's compiler puts the class's name before them."""
import ast

# Attributes of nodes that hold a name, or a list of names.
_FIELDS = {ast.Name: "id", ast.Attribute: "attr", ast.arg: "arg", ast.FunctionDef: "name", ast.ClassDef: "name", ast.Global: "names", ast.Nonlocal: "names",
           ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name", ast.alias: "asname"}


def mangle(tree):
    """Gives the names in all classes of a tree the form that the compiled class has. Methods keep theirs, by which their functions are found."""
    _mangle(tree, None)


def _mangle(node, cls):
    for child in ast.iter_child_nodes(node):
        inside = child.name.lstrip("_") if isinstance(child, ast.ClassDef) else cls
        field = _FIELDS.get(type(child)) if cls else None
        is_method = isinstance(node, ast.ClassDef) and isinstance(child, ast.FunctionDef)
        if field and not is_method:
            name = getattr(child, field)
            setattr(child, field, [_private(one, cls) for one in name] if isinstance(name, list) else _private(name, cls))
        _mangle(child, inside)


def _private(name, cls):
    is_private = name is not None and name.startswith("__") and not name.endswith("__") and "." not in name
    return f"_{cls}{name}" if is_private else name
