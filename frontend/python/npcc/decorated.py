"""Functions that a compiled function decorates."""
import ast


def remembering(definition):
    """Statements that define what functools.lru_cache makes of a function: a dict of what it gave, the function itself under another name, and one that
    looks into the dict first. The names have blanks in them, so that the program has none like them."""
    arguments = definition.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        raise TypeError("functools.lru_cache of a function with *args, **kwargs or keyword-only parameters cannot be compiled")
    name = definition.name
    known, plain, result = f"{name} known", f"{name} plain", f"{name} result"
    parameters = [parameter.arg for parameter in arguments.posonlyargs + arguments.args]

    def read(one):
        return ast.Name(one, ast.Load())

    def key():
        return read(parameters[0]) if len(parameters) == 1 else ast.Tuple([read(one) for one in parameters], ast.Load())

    def item(context):
        return ast.Subscript(read(known), key(), context)

    body = [
        ast.If(ast.Compare(key(), [ast.In()], [read(known)]), [ast.Return(item(ast.Load()))], []),
        ast.Assign([ast.Name(result, ast.Store())], ast.Call(read(plain), [read(one) for one in parameters], [])),
        ast.Assign([item(ast.Store())], read(result)),
        ast.Return(read(result)),
    ]
    fields = {field: value for field, value in ast.iter_fields(definition) if field not in ("name", "body", "decorator_list")}
    statements = [
        ast.Assign([ast.Name(known, ast.Store())], ast.Dict([], [])),
        ast.FunctionDef(name=plain, body=definition.body, decorator_list=[], **fields),
        ast.FunctionDef(name=name, body=body, decorator_list=[], **fields),
    ]
    for statement in statements:
        ast.copy_location(statement, definition)
        ast.fix_missing_locations(statement)
    return statements
