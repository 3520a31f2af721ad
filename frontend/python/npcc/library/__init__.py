"""NumPy functions that are compositions of others, in NumPy-style Python.

They are imported in place, like any helper function of the user: `if axis is None`, `a.ndim` and loops over tuples are decided at
compile time. Each is ordinary Python too and gives NumPy's results when it is run, which is how it is tested.
`FUNCTIONS` maps NumPy's function objects to the ones here.
"""

FUNCTIONS = {}


def implements(*functions):
    """Registers the decorated function for NumPy's `functions`."""

    def register(function):
        for numpy_function in functions:
            FUNCTIONS[numpy_function] = function
        return function

    return register


from . import (  # noqa: E402,F401
    borders,
    containers,
    counting,
    creation,
    decompositions,
    differences,
    eigenvalues,
    einstein,
    elementwise,
    equations,
    factors,
    fourier,
    grids,
    heaps,
    iteration,
    iterators,
    joining,
    linear_algebra,
    matrix_products,
    missing_values,
    norms,
    ordering,
    padding,
    positions,
    python_numbers,
    quantiles,
    random,
    rearranging,
    selecting,
    shapes,
    signals,
    statistics,
    testing,
)
