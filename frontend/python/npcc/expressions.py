"""Expressions as the statements that they stand for."""
import ast

from .definitions import names_bound


def generator_function(expression):
    """The definition of the function that a generator expression calls with what it goes over first; the same one whenever it is asked for."""
    if not hasattr(expression, "npcc_function"):
        first = expression.generators[0]
        body = [ast.Expr(ast.Yield(expression.elt))]
        for clause in reversed(expression.generators):
            for test in reversed(clause.ifs):
                body = [ast.If(test, body, [])]
            iterable = ast.copy_location(ast.Name(".0", ast.Load()), first.iter) if clause is first else clause.iter
            body = [ast.For(clause.target, iterable, body, [])]
        if named := names_bound(expression):
            body = [ast.Nonlocal(sorted(named)), *body]
        definition = ast.FunctionDef(
            name="<genexpr>", args=ast.arguments([], [ast.arg(".0")], None, [], [], None, []), body=body, decorator_list=[], returns=None,
            type_comment=None, type_params=[]
        )
        expression.npcc_function = ast.fix_missing_locations(ast.copy_location(definition, expression))
    return expression.npcc_function


def lambdas_of(code, candidates):
    """Those of some lambdas whose body all instructions of the code come from; without columns in the code (`python -X no_debug_ranges`), all."""
    places = [place for place in code.co_positions() if None not in place and place[2:] != (0, 0)]

    def holds(body, place):
        first, last, start, end = place
        return (body.lineno, body.col_offset) <= (first, start) and (last, end) <= (body.end_lineno, body.end_col_offset)

    return [one for one in candidates if all(holds(one.body, place) for place in places)]


QUICK = ("abs", "bool", "float", "isinstance", "len", "max", "min", "type")


def may_end_early(expression):
    """Whether it matters that items behind the one that decides any() or all() are not made: they take time, may fail, or do something else."""
    operators = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.NamedExpr)

    def matters(node):
        is_quick = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in QUICK
        return isinstance(node, operators) or isinstance(node, ast.Call) and not is_quick

    parts = [expression.elt, *(test for clause in expression.generators for test in clause.ifs)]
    return any(matters(node) for part in parts for node in ast.walk(part))
