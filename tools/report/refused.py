"""What NumPy has and npcc does not compile, and what is not as in NumPy, with the reasons: the last parts of docs/coverage.md."""
from __future__ import annotations

import numpy as np

# Of each reason the names, without "numpy.".
REASONS = {
    "computed by Python itself while the function is compiled, of what is known then (dtypes, options)": """
        can_cast dtype errstate finfo iinfo isdtype issubdtype min_scalar_type mintypecode promote_types typename""",
    "options of printing: a `with` of it is compiled, and Python makes the calls that ask for them": """
        get_printoptions printoptions""",
    "files and other processes: read and write outside": "memmap DataSource open_memmap ndarray.dump ndarray.dumps ndarray.tofile",
    "files that are read and written: Python makes these calls, with what compiled arrays hold (docs/language.md, Objects of Python's own)": """
        fromfile fromregex genfromtxt load loadtxt save savetxt savez savez_compressed""",
    "of the interpreter and the installation: Python makes these calls (docs/language.md, Objects of Python's own), but for info and test": """
        frompyfunc get_include getbufsize geterr geterrcall info setbufsize seterr seterrcall show_config show_runtime test""",
    "dates, strings and objects are no numbers: Python makes the calls": """
        busday_count busday_offset busdaycalendar datetime_as_string datetime_data is_busday isnat""",
    "of arrays of records, which are compiled as docs/language.md says, with recarray, rec.array and rec.fromarrays": "rec recarray record",
    "matrices as objects of their own: arrays do the same, and Python makes the calls": "asmatrix bmat matrix",
    "iterators over elements: loops and indices do the same": "flatiter nested_iters",
    "its result is a text and a list for another call, for which npcc chooses the order itself: Python makes the call": "einsum_path",
    "a class, which numpy.add and the others are objects of": "ufunc",
    "how an array lies in memory decides, which compiled code may change": "ndarray.setflags ndarray.data ndarray.base",
    "memory of other libraries: what they give is an argument": "from_dlpack ndarray.to_device ndarray.device ndarray.ctypes ndarray.tobytes",
    "bytes are a text: integers(0, 256, n, np.uint8) are numbers": "random.Generator.bytes random.RandomState.bytes",
    "an object of Python's, which is read and set outside: compiled code goes on with the state": """
        random.Generator.bit_generator random.RandomState.get_state random.RandomState.set_state""",
    "a field is a part of a record": "ndarray.getfield ndarray.setfield",
    "an array that changes its size would move away from its views: numpy.resize makes a new one": "ndarray.resize",
}


def names():
    """{name: reason}."""
    return {name: reason for reason, listed in REASONS.items() for name in listed.split()}


def public():
    """Every function of NumPy about numbers, and every method and attribute of arrays and of generators, that npcc could have: without "numpy."."""
    for module, prefix in ((np, ""), (np.linalg, "linalg."), (np.fft, "fft.")):
        for name in sorted(module.__all__):
            value = getattr(module, name, None)
            is_type = isinstance(value, type) and (issubclass(value, (np.generic, BaseException)) or value is np.ndarray)
            if callable(value) and not is_type and not name.startswith("_"):
                yield prefix + name, value
    for name in dir(np.ndarray):
        if not name.startswith("_") and callable(getattr(np.ndarray, name)):
            yield f"ndarray.{name}", None
    for kind in (np.random.Generator, np.random.RandomState):
        for name in dir(kind):
            if not name.startswith("_"):
                yield f"random.{kind.__name__}.{name}", None


def unexplained(supported):
    """The names that are neither compiled nor refused with a reason; `supported` tells whether a name is compiled."""
    known = names()
    return [name for name, _ in public() if name not in known and not supported(name)]

# Compiled, but not NumPy's to the last: function -> what differs, and why. What random calls (test/fuzz) and hand-made ones found.
DIFFERENCES = {
    "unique_values": (
        "integers come in ascending order",
        "NumPy promises no order, and has one of its own for them"),
    "histogram histogram2d histogramdd": (
        "edges of complex numbers are real, and the imaginary parts count for nothing",
        "complex numbers lie on no line that bins could divide"),
    "add matmul fft.fft clip": (
        "of a dtype that does not fit, these and all other ufuncs raise a TypeError of the same words, where NumPy's is of a class derived from it",
        "UFuncTypeError is a private class of NumPy's, which names the ufunc and the dtypes by objects of Python's"),
    "cumsum cumprod": (
        "an out= that is longer than an operand's axis of one element is a ValueError",
        "NumPy goes over that element several times, and of numbers stores beside the result"),
    "polyval": (
        "of an array without coefficients, the zeros have the dtype that they have with coefficients",
        "how many there are is known at run time, the dtype when the call is compiled"),
    "bincount": (
        "of no positions, with weights, the zeros are float64",
        "NumPy gives integers then, and how many positions there are is known at run time, the dtype when the call is compiled"),
    "take_along_axis ravel_multi_index interp histogram2d roots": (
        "of arguments that are wrong in two ways the other one may be named",
        "NumPy's own code stumbles over them, or checks them in the order in which it uses them"),
    "add.at maximum.at": (
        "where a position is outside of the array, it may have been changed at the positions before",
        "to look at all positions before would take as long again as the updates"),
    "unique_inverse unique_all unique": (
        "with equal_nan=False, each NaN is a value of its own, and which of them an element is said to be may be another one",
        "NumPy's sort leaves open in which order equal elements come"),
    "unique": (
        "along an axis, rows of float16 that hold NaN come behind the others, as those of all other dtypes",
        "NumPy compares float16 in records otherwise than in arrays, with NaN before numbers"),
    "ndarray.strides": (
        "of an axis of one element they are those of an array without gaps",
        "no element is that far from another one, and arguments that only differ there are the same"),
    "ndarray.flags isfortran": (
        "what is computed of transposed arrays is C-contiguous; owndata cannot be asked, and writeable not be set",
        "arrays of the compiled function's own lie in C order, and may share memory or have none"),
    "fft.fft fft.ifft fft.rfft fft.irfft": (
        "on a GPU, of lines that hold NaN or infinities other elements may be NaN, or not",
        "cuFFT adds up in an order of its own"),
    "trapezoid": (
        "an axis that is not there is an AxisError",
        "NumPy's own code stumbles over it: an IndexError about a list, and AxisError is an IndexError too"),
    "linalg.svd linalg.svdvals": (
        "of matrices with an infinite element they raise a LinAlgError",
        "LAPACK looks for them for ever, or gives NaN, as the size has it"),
    "take": (
        "a position written as a number is an IndexError also of an array that is empty before the axis",
        "the compiler makes a view of that place, for which it should know the position"),
    "linalg.pinv roots linalg.tensorinv": (
        "float16 is a TypeError also where there is nothing to compute, or another error",
        "dtypes are checked when the call is compiled"),
    "matmul dot vdot vecdot matvec vecmat inner linalg.multi_dot": (
        "infinities of complex numbers may give NaN in other places",
        "the products of parts are added up in the order of the library or kernel at hand"),
    "einsum": (
        "with optimize= the intermediate results of several operands have the dtype of the whole: "
        "the sums of bools among them are numbers, and those of float32 beside float64 are float64",
        "there are no intermediate einsums whose dtypes would show: the products are planned as one"),
    "fft.fft2 fft.fftn fft.ifft2 fft.ifftn fft.rfft2 fft.rfftn fft.irfft2 fft.irfftn": (
        "lines that hold infinities may give NaN in other places",
        "several axes are one transform"),
    "linalg.eigh linalg.eigvalsh": (
        "of matrices that are not finite, other elements may be NaN",
        "LAPACK and the kernel for small matrices do their operations in different orders"),
    "linalg.cholesky": (
        "on a GPU, of more than 32 rows with an infinity beside the diagonal, it may be NaN where NumPy has a LinAlgError",
        "cuSOLVER does not tell a negative pivot from NaN, of which NumPy makes no error"),
    "linalg.cond": (
        "of a singular matrix it is another large number",
        "the least singular value is rounding error"),
}
