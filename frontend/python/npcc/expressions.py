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
