"""Classes that a compiled function defines."""
import ast
import builtins


def names_read(definition):
    """All names that the statement looks for outside of what it binds itself, as far as its expressions say."""
    return sorted(_read(definition))


def _read(node):
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    inside, bound = [], set()
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        inside = node.body if isinstance(node, ast.FunctionDef) else [node.body]
        bound = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
        bound |= {name.id for one in inside for name in ast.walk(one) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
    names = set().union(*map(_read, inside)) - bound
    return names.union(*(_read(child) for child in ast.iter_child_nodes(node) if child not in inside))


def define(definition, file, scope, names):
    """The class, as the statement in `file` makes it. `scope` holds the globals, `names` what it looks for in the functions around it."""
    namespace = {**scope, **names, "__builtins__": builtins}
    exec(compile(ast.Module([definition], []), file, "exec"), namespace)
    return namespace[definition.name]
