"""Expressions as the statements that they stand for."""
import ast


def generator_function(expression):
    """The definition of the function that a generator expression calls; the same one whenever it is asked for."""
    if not hasattr(expression, "npcc_function"):
        body = [ast.Expr(ast.Yield(expression.elt))]
        for clause in reversed(expression.generators):
            for test in reversed(clause.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(clause.target, clause.iter, body, [])]
        definition = ast.FunctionDef(
            name="<genexpr>", args=ast.arguments([], [], None, [], [], None, []), body=body, decorator_list=[], returns=None, type_comment=None, type_params=[]
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
