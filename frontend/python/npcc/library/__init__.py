"""NumPy functions that are compositions of others, in NumPy-style Python.

They are imported in place, like any helper function of the user: `if axis is None`, `a.ndim` and loops over tuples are decided at
compile time. Each is ordinary Python too and gives NumPy's results when it is run, which is how it is tested.
`FUNCTIONS` maps NumPy's function objects to the ones here, `METHODS` the names of methods of arrays that are no functions of NumPy too.
"""

FUNCTIONS = {}
METHODS = {}


def implements(*functions):
    """Registers the decorated function for NumPy's `functions`."""

    def register(function):
        for numpy_function in functions:
            FUNCTIONS[numpy_function] = function
        return function

    return register


def implements_method(function):
    """Registers the decorated function for the method of arrays of its name; the array is its first argument."""
    METHODS[function.__name__] = function
    return function


from . import (  # noqa: E402,F401
    applying,
    bisection,
    bits,
    blocks,
    borders,
    classifying,
    complex_mathematics,
    containers,
    counting,
    creation,
    decompositions,
    differences,
    distinct,
    eigenvalues,
    einstein,
    elementwise,
    equations,
    factors,
    fitting,
    fourier,
    grids,
    heaps,
    histograms,
    iteration,
    iterators,
    joining,
    joint_histograms,
    linear_algebra,
    mathematics,
    matrix_products,
    methods,
    missing_values,
    norms,
    ordering,
    padding,
    placing,
    polynomials,
    positions,
    python_numbers,
    quantiles,
    random,
    rearranging,
    reforming,
    scimath,
    selecting,
    sequences,
    series,
    shapes,
    signals,
    statistics,
    testing,
    ufunc_methods,
    updating,
    windows,
)
