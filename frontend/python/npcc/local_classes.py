"""Classes that a compiled function defines."""
import ast
import builtins


def names_read(definition):
    """All names that the statement looks for outside of what it binds itself, as far as its expressions say."""
    return sorted({node.id for node in ast.walk(definition) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)})


def define(definition, file, scope, names):
    """The class, as the statement in `file` makes it. `scope` holds the globals, `names` what it looks for in the functions around it."""
    namespace = {**scope, **names, "__builtins__": builtins}
    exec(compile(ast.Module([definition], []), file, "exec"), namespace)
    return namespace[definition.name]
