"""What is not probed."""

# Functions in npcc.supported() that no row calls, and why.
LEFT_OUT = {
    "of shapes and positions: no dtype decides anything": """
        numpy.array_split numpy.split numpy.hsplit numpy.vsplit numpy.broadcast numpy.broadcast_to numpy.broadcast_shapes numpy.diagonal
        numpy.expand_dims numpy.fliplr numpy.flipud numpy.matrix_transpose numpy.linalg.matrix_transpose
        numpy.meshgrid numpy.moveaxis numpy.rollaxis numpy.rot90 numpy.swapaxes numpy.ix_ numpy.take
        numpy.delete numpy.insert numpy.put numpy.compress numpy.extract numpy.triu numpy.dstack
        numpy.fill_diagonal numpy.empty numpy.empty_like numpy.ones numpy.zeros numpy.eye numpy.identity
        numpy.indices numpy.tri numpy.ndarray numpy.fromfunction numpy.lexsort numpy.concat numpy.ndarray.view
        numpy.ndindex numpy.ndenumerate numpy.diag_indices numpy.diag_indices_from numpy.dsplit numpy.mask_indices
        numpy.tril_indices numpy.tril_indices_from numpy.triu_indices numpy.triu_indices_from numpy.ndarray.put
        numpy.polyfit numpy.roots numpy.lib.stride_tricks.as_strided numpy.lib.stride_tricks.sliding_window_view numpy.ndarray.partition
        numpy.frombuffer numpy.unstack numpy.may_share_memory numpy.shares_memory
        numpy.take_along_axis numpy.put_along_axis numpy.ndarray.sort numpy.ndarray.compress numpy.partition numpy.argpartition""",
    "of iteration, and print(), which the rows of text call": """
        builtins.print builtins.callable builtins.enumerate builtins.iter builtins.list builtins.map builtins.next builtins.range builtins.reversed
        builtins.slice builtins.tuple builtins.zip""",
    "of objects and lists: test/run/test_structures.py and test_statements.py": """
        builtins.filter builtins.getattr builtins.hasattr builtins.setattr builtins.sorted copy.copy copy.deepcopy dataclasses.asdict
        dataclasses.astuple""",
    "of an object's attributes: test/regression/dicts-of-attributes.py": "builtins.vars",
    "of polynomials as objects: test/run/test_functions_polynomials.py": "numpy.poly1d",
    "of elements one by one: test/run/test_nditer.py": "numpy.nditer",
    "of characters: test/run/test_texts.py": "builtins.chr builtins.ord",
    "of text: test/run/test_array_texts.py": """
        numpy.array2string numpy.array_str numpy.array_repr numpy.format_float_positional numpy.format_float_scientific
        numpy.base_repr numpy.binary_repr numpy.fromstring numpy.set_printoptions""",
    "of Python's random: test/run/test_python_random.py": "random.random random.getrandbits random.seed random.gauss random.sample",
    "of hashes: test/run/test_python_numbers.py": "builtins.hash",
    "of digits: test/run/test_python_numbers.py": "builtins.bin builtins.format builtins.hex builtins.oct",
    "operators, which the rows of operators call": """
        operator.add operator.sub operator.mul operator.truediv operator.floordiv operator.mod operator.pow operator.and_ operator.or_ operator.xor
        operator.lshift operator.rshift operator.matmul operator.lt operator.le operator.gt operator.ge operator.eq operator.ne operator.neg operator.pos
        operator.invert operator.inv operator.index""",
    "special methods by their names, which the rows of operators call: test/run/test_special_methods_of_arrays.py": """
        numpy.ndarray.__abs__ numpy.ndarray.__add__ numpy.ndarray.__and__ numpy.ndarray.__bool__ numpy.ndarray.__complex__ numpy.ndarray.__contains__
        numpy.ndarray.__copy__ numpy.ndarray.__deepcopy__ numpy.ndarray.__divmod__ numpy.ndarray.__eq__ numpy.ndarray.__float__
        numpy.ndarray.__floordiv__ numpy.ndarray.__ge__ numpy.ndarray.__getitem__ numpy.ndarray.__gt__ numpy.ndarray.__iadd__ numpy.ndarray.__iand__
        numpy.ndarray.__ifloordiv__ numpy.ndarray.__ilshift__ numpy.ndarray.__imatmul__ numpy.ndarray.__imod__ numpy.ndarray.__imul__
        numpy.ndarray.__int__ numpy.ndarray.__invert__ numpy.ndarray.__ior__ numpy.ndarray.__ipow__ numpy.ndarray.__irshift__ numpy.ndarray.__isub__
        numpy.ndarray.__itruediv__ numpy.ndarray.__ixor__ numpy.ndarray.__le__ numpy.ndarray.__len__ numpy.ndarray.__lshift__ numpy.ndarray.__lt__
        numpy.ndarray.__matmul__ numpy.ndarray.__mod__ numpy.ndarray.__mul__ numpy.ndarray.__ne__ numpy.ndarray.__neg__ numpy.ndarray.__or__
        numpy.ndarray.__pos__ numpy.ndarray.__pow__ numpy.ndarray.__radd__ numpy.ndarray.__rand__ numpy.ndarray.__rdivmod__
        numpy.ndarray.__rfloordiv__ numpy.ndarray.__rlshift__ numpy.ndarray.__rmatmul__ numpy.ndarray.__rmod__ numpy.ndarray.__rmul__
        numpy.ndarray.__ror__ numpy.ndarray.__rpow__ numpy.ndarray.__rrshift__ numpy.ndarray.__rshift__ numpy.ndarray.__rsub__
        numpy.ndarray.__rtruediv__ numpy.ndarray.__rxor__ numpy.ndarray.__setitem__ numpy.ndarray.__sub__ numpy.ndarray.__truediv__
        numpy.ndarray.__xor__ numpy.ndarray.__array__ numpy.ndarray.__delitem__ numpy.ndarray.__format__ numpy.ndarray.__hash__ numpy.ndarray.__index__
        numpy.ndarray.__iter__ numpy.ndarray.__repr__ numpy.ndarray.__str__""",
    "of several axes: the transforms of one axis, one after the other": """
        numpy.fft.fft2 numpy.fft.ifft2 numpy.fft.rfft2 numpy.fft.irfft2 numpy.fft.fftn numpy.fft.ifftn numpy.fft.rfftn numpy.fft.irfftn""",
    "of items, whatever they are: test/run/test_generators.py and test_containers.py": """
        itertools.accumulate itertools.chain itertools.combinations itertools.combinations_with_replacement itertools.compress itertools.count
        itertools.cycle itertools.dropwhile itertools.filterfalse itertools.groupby itertools.islice
        itertools.pairwise itertools.permutations itertools.product itertools.zip_longest
        itertools.repeat itertools.starmap itertools.takewhile bisect.bisect bisect.bisect_left bisect.bisect_right bisect.insort
        bisect.insort_left bisect.insort_right operator.getitem""",
    "clocks": """
        time.time time.perf_counter time.monotonic time.process_time time.time_ns time.perf_counter_ns time.monotonic_ns time.process_time_ns""",
    "matrices: test/run/test_functions_linear_algebra.py has the dtypes": """
        numpy.linalg.cholesky numpy.linalg.det numpy.linalg.eigh numpy.linalg.eigvalsh numpy.linalg.inv
        numpy.linalg.matrix_power numpy.linalg.slogdet numpy.linalg.solve numpy.linalg.vecdot
        numpy.linalg.qr numpy.linalg.svd numpy.linalg.svdvals numpy.linalg.pinv numpy.linalg.cond numpy.linalg.eig
        numpy.linalg.eigvals numpy.linalg.lstsq numpy.linalg.cross numpy.linalg.tensordot numpy.linalg.multi_dot
        numpy.linalg.matrix_norm numpy.linalg.tensorinv numpy.linalg.tensorsolve numpy.linalg.matmul numpy.linalg.trace
        numpy.linalg.diagonal""",
}
