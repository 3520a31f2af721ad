# RUN: %python %s 2>&1 | FileCheck %s
"""What cannot be compiled: message, place and what to do instead, as the user reads them."""
import numpy as np

import npcc

TABLE = np.zeros((40, 40))


def helper(x, y):
    return x + y


def programs():
    def statements(x):
        try:
            x = x + x[0]
        except ValueError:
            pass
        class Inner:
            size = x
        x.flag = True
        del x.flag
        with open("file"):
            pass
        return {1: x}, np.memmap("file")
    # CHECK-LABEL: == statements
    # CHECK: statements+5:9: the class 'Inner' looks for 'x' in the function around it (give it to the class's methods as an argument)
    # CHECK: statements+7:9: attributes cannot be assigned to in compiled code (assign to elements (a[...] = value), or return the value)
    # CHECK: statements+8:13: attributes cannot be deleted in compiled code
    # CHECK: statements+9:14: {{.*}}open cannot be compiled
    # CHECK: statements+11:24: numpy.memmap cannot be compiled

    def names(x):
        y = undefined
        if x.ndim == 1:
            z = 1
        return z
    # CHECK-LABEL: == names
    # CHECK: names+1:13: NameError: name 'undefined' is not defined
    # CHECK: names+4:16: UnboundLocalError: cannot access local variable 'z' where it is not associated with a value

    def kinds(x, n=1):
        if x[0, 0] > 0:
            y = x
        else:
            y = range(n)
        for k in range(3000):
            n = zip(x, x) if k else n
        return y, n
    # CHECK-LABEL: == kinds
    # CHECK: kinds+6:17: this expression is zip() on one path and int on another (give both the same type)
    # CHECK: kinds+7:16: 'y' is an array of float64 with 2 axes on one path and a range on another (use another name for one of them)

    def results(x, n=3):
        return x, [lambda: n]
    # CHECK-LABEL: == results
    # CHECK: results+1:9: a compiled function cannot return a function (return arrays, numbers, strings, or containers of them)

    def indices(x):
        a = x[0, 0, 0]
        b = x["name"]
        c = x[..., ...]
        d = (1, 2)[5]
        e, f = 1, 2, 3
        return x[1.5]
    # CHECK-LABEL: == indices
    # CHECK: indices+1:13: IndexError: too many indices for array: array is 2-dimensional, but 3 were indexed
    # CHECK: indices+2:13: IndexError: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices
    # CHECK: indices+3:13: IndexError: an index can only have a single ellipsis ('...')
    # CHECK: indices+4:13: IndexError: tuple index out of range
    # CHECK: indices+5:9: ValueError: too many values to unpack (expected 2)
    # CHECK: indices+6:16: IndexError: only integers

    def calls(x):
        a = helper(x)
        b = helper(x, 1, 2)
        c = helper(x, y=1, z=2)
        d = np.sum(x, axis=2)
        e = np.sum(x, axis=(0, 0))
        f = np.sum(x, axes=1)
        g = np.busday_count(x)
        h = np.zeros(3, dtype="S4")
        i = x.nothing
        j = x.tobytes()
    # CHECK-LABEL: == calls
    # CHECK: calls+1:13: TypeError: helper() missing 1 required positional argument: 'y'
    # CHECK: calls+2:13: TypeError: helper() takes 2 positional arguments but 3 were given
    # CHECK: calls+3:13: TypeError: helper() got an unexpected keyword argument 'z'
    # CHECK: calls+4:13: AxisError: axis 2 is out of bounds for array of dimension 2
    # CHECK: calls+5:13: ValueError: duplicate value in 'axis'
    # CHECK: calls+6:13: TypeError: sum() got an unexpected keyword argument 'axes'
    # CHECK: calls+7:13: numpy.busday_count cannot be compiled (npcc.supported() lists the functions that can)
    # CHECK: calls+8:13: dtype |S4 cannot be compiled (use bool, integers to 64 bits, float16 to float64, bfloat16, complex64 or complex128)
    # CHECK: calls+9:13: AttributeError: 'numpy.ndarray' object has no attribute 'nothing'
    # CHECK: calls+10:13: ndarray.tobytes cannot be compiled (npcc.supported() lists the functions and methods that can)

    def dtypes(x):
        i = np.zeros(3, dtype=np.int64)
        i += 1.5
        i[0:2] //= x[0, 0:2]
        np.add(i, x[0], out=i)
        np.greater(i, x[0], out=np.zeros(3), casting='no')
        u = np.zeros(3, dtype=np.uint8) + 300
        return i ** -1
    # CHECK-LABEL: == dtypes
    # CHECK: dtypes+2:9: UFuncTypeError: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'
    # CHECK: dtypes+3:9: UFuncTypeError: Cannot cast ufunc 'floor_divide' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'
    # CHECK: dtypes+4:9: UFuncTypeError: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'
    # CHECK: dtypes+5:9: TypeError: Cannot cast ufunc 'greater' input 0 from dtype('int64') to dtype('float64') with casting rule 'no'
    # CHECK: dtypes+6:13: OverflowError: Python integer 300 out of bounds for uint8
    # CHECK: dtypes+7:16: ValueError: Integers to negative integer powers are not allowed. (make the base a float)

    def known(x):
        for k in x.sum():
            pass
        t = (1, 2, 3)
        for k in range(int(x[0, 0])):
            x[0, 0] = t[x]
        y = TABLE + x
        print(f"{x:.2f}")
        return [x, open]
    # CHECK-LABEL: == known
    # CHECK: known+1:18: TypeError: 'numpy.float64' object is not iterable
    # CHECK: known+5:23: TypeError: only integer scalar arrays can be converted to a scalar index
    # CHECK: known+6:13: a global array of 1600 elements of float64 cannot be a constant (pass the array as an argument)
    # CHECK: known+7:15: TypeError: unsupported format string passed to numpy.ndarray.__format__
    # CHECK: known+8:9: a compiled function cannot return

    return statements, names, kinds, results, indices, calls, dtypes, known


for program in programs():
    print("==", program.__name__)
    names = ("float64[:,:]",)
    diagnostics = npcc._npcc.emit(program, names, {"target": "cpu"}, "import")[1]
    for problem in diagnostics:
        line = problem["line"] - program.__code__.co_firstlineno
        print(f"{program.__name__}{line:+}:{problem['column']}: {problem['message']}", *(f"({note})" for note in problem["notes"]))
