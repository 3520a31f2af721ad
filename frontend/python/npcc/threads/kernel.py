"""Kernel: what npcc.cuda.jit gives."""
import contextlib
import functools
import inspect
import itertools
import linecache
import re

from .. import _npcc, targets
from ..jit import Missing, Specialiser
from ..kernels import In, InOut, Out
from ..ndarray import ndarray
from . import attributes, linking, records, signatures
from .host import IN_PLACE, ON_CPU, host_memory
from .launches import configured

MOST_THREADS = 1024
MOST_CONFIGURED = 1024  # launches that are kept for the next time
WRAPPERS = {In, Out, InOut}
_launches = itertools.count()  # numbers the sources of launching functions


def jit(func_or_sig=None, device=False, *, target=None, debug=False, fastmath=False, max_registers=None, launch_bounds=None, cooperative=False, cache=True,
        inline=None, link=(), opt=True, lineinfo=False, extensions=(), bind=True, fallback=None, argtypes=None, restype=None, arch=None):
    """Makes a kernel of a Python function that every thread of a grid runs: `kernel[grid, block](*args)`.

    func_or_sig: the function, or declared types of its parameters ("void(float32[:], int32)", a list of such, or a tuple of npcc's types): then it is compiled now, and called
    with other types it is a TypeError. Else it is compiled at the first launch for each combination of types. device: a function that
    kernels call, which needs no launch (plain Python functions are called too). target: "cuda" or "cpu"; by default a GPU if there is one. debug:
    positions are checked (IndexError), so is what Python would raise. fastmath: floats may be computed as if they were real numbers.
    max_registers: of a thread. launch_bounds: threads of a block, or a pair with blocks of a multiprocessor, that it is compiled for.
    cooperative: all blocks run side by side, as cg.this_grid().sync() needs it (which is found without saying so).
    link: files of PTX or CUDA C with functions that cuda.declare_device names. lineinfo: the code tells debuggers and profilers the lines of Python.
    extensions: objects whose prepare_args(type, value, stream, retr) changes what a launch gives to the kernel, the first last (see Kernel.extensions).
    inline, opt, bind are taken and change nothing. CompileError for what cannot be compiled.
    """
    if fallback is not None:
        raise ValueError("fallback: a kernel runs as threads or not at all")
    options = dict(device=device, target=target, debug=debug, fastmath=fastmath, max_registers=max_registers, launch_bounds=launch_bounds,
                   cooperative=cooperative, use_cache=cache, arch=arch, lineinfo=lineinfo, extensions=extensions, link=link)
    if func_or_sig is None:
        return lambda function: Kernel(function, **options)
    if signatures.is_signature(func_or_sig):
        declared = signatures.alternatives(func_or_sig)
        return lambda function: Kernel(function, signatures=declared, **options)
    if isinstance(func_or_sig, Kernel):
        raise TypeError(f"{func_or_sig.__name__} is a kernel already")
    if not inspect.isfunction(func_or_sig):
        raise TypeError(f"cuda.jit takes a Python function, not {func_or_sig!r}")
    return Kernel(func_or_sig, **options)


def _bounds(launch_bounds):
    threads, blocks = (*launch_bounds, 0)[:2] if isinstance(launch_bounds, tuple) else (launch_bounds or 0, 0)
    if not 0 <= threads <= MOST_THREADS:
        raise ValueError(f"launch_bounds: a block has at most {MOST_THREADS} threads, not {threads}")
    return threads, blocks


class ByTypes(dict):
    """By the types of arguments as texts, which other ways to write them find too, and Python's numbers those that they are."""

    def _find(self, types):
        wanted = signatures.plain(signatures.parse(types))
        return next((known for known in self if signatures.plain(known) == wanted), None)

    def __missing__(self, types):
        known = self._find(types)
        if known is None:
            raise KeyError(types)
        return self[known]

    def __contains__(self, types):
        return dict.__contains__(self, types) or self._find(types) is not None


class Kernel(_npcc.Configurations):
    """A function of threads. `kernel[grid, block, stream, shared_bytes](*args)` launches it and, on a GPU, does not wait, unless a NumPy
    array comes back: NumPy arrays are copied to the GPU, and back if the kernel writes them; arrays there (npcc's, CuPy's, PyTorch's, any with
    `__cuda_array_interface__` or `__dlpack__`) are taken as they are. `py_func` is the Python function.

    ValueError for grids, blocks and shared memory that the device does not have, each with the kernel's name.
    """

    def __init__(self, function, signatures=None, device=False, target=None, debug=False, fastmath=False, max_registers=None, launch_bounds=None,
                 cooperative=False, use_cache=True, arch=None, lineinfo=False, extensions=(), link=(), entry=None, compiles=True):
        self.py_func, self.device, self.debug, self.fastmath = function, device, debug, fastmath
        self.max_registers, self.cooperative = max_registers or 0, cooperative
        self.max_threads, self.min_blocks = _bounds(launch_bounds)
        self.declared = signatures
        self.target = targets.find(target or IN_PLACE) if target is not None or ON_CPU else None
        self.use_cache, self.arch = use_cache, arch
        self.lines = 2 if debug else int(lineinfo)  # of Python that the code tells of, as compiler/gpu/image/LineTables.h has them
        self.entry = entry  # the name and kind of the function in PTX that other code uses ("c:f", "numba:f", "kernel:f")
        self._extensions = list(extensions)
        self.link = linking.files(link)
        self.__name__, self.__qualname__ = function.__name__, function.__qualname__
        self.__doc__, self.__module__ = function.__doc__, function.__module__
        self._launchers, self.specializations = {}, {}
        self._takes_records = False
        self._parameters = inspect.signature(function)
        # How many arguments it takes; -1: its parameters are to be asked at each launch.
        self._count = -1 if self._parameters.parameters.keys() & ("args", "kwargs") else len(self._parameters.parameters)
        if signatures and not device and compiles:
            for types in signatures:
                self.compile(types)

    def __repr__(self):
        return f"<npcc {'device function' if self.device else 'kernel'} {self.__qualname__}>"

    @property
    def extensions(self):
        """The objects that change arguments of launches: a list, which launches look at."""
        return self._extensions

    @extensions.setter
    def extensions(self, extensions):
        self._extensions[:] = extensions

    def py_func_options(self):
        """What the code depends on besides the function."""
        return (self.device, self.debug, self.fastmath, self.max_registers, self.max_threads, self.min_blocks, self.cooperative, self.lines, self.entry,
                linking.digest(self.link))

    @functools.cached_property
    def linked_code(self):
        """The PTX of the files of link=, which the compiler asks for where the kernel calls functions of them."""
        return linking.code(self.link, self.arch or targets.native_arch(), self.__name__)

    def _configure(self, configuration):
        """What kernel[configuration] is that is not in self._configured."""
        made = configured(self, configuration)
        with contextlib.suppress(TypeError):  # a list, or a stream of another library, has no hash
            if len(self._configured) >= MOST_CONFIGURED:
                self._configured.clear()
            self._configured[configuration] = made
        return made

    def configure(self, grid, block, stream=0, shared_bytes=0):
        return self[grid, block, stream, shared_bytes]

    def __call__(self, *args, **kwargs):
        if self.device:
            raise RuntimeError(f"'{self.__name__}' is a device function: kernels call it")
        raise ValueError(f"kernel '{self.__name__}': launch configuration was not specified: {self.__name__}[blocks, threads](...)")

    def forall(self, ntasks, tpb=0, stream=0, sharedmem=0):
        """A launch of at least `ntasks` threads in one dimension: `kernel.forall(n)(*args)`. tpb: threads of a block, 0 for 256."""
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        threads = tpb or min(256, self.max_threads or 256)
        return self[-(-int(ntasks) // threads), threads, stream, sharedmem]

    #---- Compilation ----

    def _launcher(self, count):
        """The compiled function that launches the kernel with so many arguments."""
        launcher = self._launchers.get(count)
        if launcher is None:
            launcher = self._launchers[count] = self._make_launcher(count)
        return launcher

    def _make_launcher(self, count):
        if self.link:
            self.linked_code  # whose errors are raised here
        names = [f"a{k}" for k in range(count)]
        shape = ["grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_bytes"]
        name = self.__name__ if self.__name__.isidentifier() else "kernel"
        source = (f"def {name}({', '.join(shape + names)}):\n"
                  f"    launched_kernel[(grid_x, grid_y, grid_z), (block_x, block_y, block_z), None, shared_bytes]({', '.join(names)})\n")
        file = f"<launch {next(_launches)} of {self.__qualname__} with {count} arguments>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        scope = {"launched_kernel": self, "__name__": "npcc.launches"}
        exec(compile(source, file, "exec"), scope)
        function = scope[name]
        specialiser = Launcher(self, function, self.target, 1, False, self.use_cache, dict(arch=self.arch, cpu=None, nan=False))
        return specialiser, specialiser.make_callable()

    def compile(self, types):
        """Compiles for declared types now ("float32[:], int32", or a tuple), if there is the device; nothing is launched."""
        types = signatures.parse(types if isinstance(types, tuple) else f"({types})")
        if len(types) != len(self._parameters.parameters):
            raise TypeError(f"{self.__name__} has {len(self._parameters.parameters)} parameters, its signature {len(types)}")
        if any(isinstance(t, signatures.RecordType) for t in types):
            return  # how records lie in memory is known with them
        specialiser, _ = self._launcher(len(types))
        if not (specialiser.chosen_target().needs_gpu() and not _npcc.cuda_device_count()):
            with specialiser.lock:
                specialiser.renew()
                specialiser.specialise(("int",) * 7 + types, Missing())

    def inspect(self, phase="np", types=None, target=None):
        """The text of a phase ("np", "kernels", "gpu", "llvm", "ptx") for types of the arguments ("float32[:], int")."""
        if types is None:
            types = next(iter(self.overloads), None)
            if types is None:
                raise ValueError(f"{self.__name__} has not been compiled yet: launch it, or give types")
        types = signatures.parse(f"({types})" if isinstance(types, str) else types)
        if self.device:
            from .compiling import device_code
            return device_code(self.py_func, types, phase=phase, fastmath=self.fastmath, lineinfo=self.lines, arch=self.arch,
                               link=self.link)[0]
        specialiser, _ = self._launcher(len(types))
        if any(isinstance(t, signatures.RecordType) for t in types):
            raise TypeError(f"{self.__name__}: types of records are inspected after a launch: how records lie in memory is known with them")
        return specialiser.inspect(phase, ", ".join(("int",) * 7 + types), target)

    @property
    def overloads(self):
        """The types of arguments that it was compiled for so far, as texts, each with what is known of that code (attributes.Compiled)."""
        found = ByTypes()
        for specialiser, _ in self._launchers.values():
            for types in specialiser.compiled:
                # Axes of extent 1 are compiled apart, and declared as any other.
                found[tuple(re.sub(r"(?<=[\[,])1(?=[\],])", ":", t) if isinstance(t, str) else t for t in types[7:])] = None
        for types in self.declared or () if self.device or not found else ():
            found[types] = None
        for types in found:
            found[types] = attributes.Compiled(self, types)
        return found

    @property
    def signatures(self):
        return list(self.overloads)

    def _attribute(self, name, signature):
        """An attribute of the code for declared types; without them, of a kernel that is for some types alone its own, else a dict for all."""
        if signature is not None:
            signature = f"({signature})" if isinstance(signature, str) and "(" not in signature else signature
            return getattr(attributes.Compiled(self, signatures.parse(signature)), name)
        if self.declared and len(self.declared) == 1:
            return getattr(attributes.Compiled(self, self.declared[0]), name)
        return ByTypes((types, getattr(compiled, name)) for types, compiled in self.overloads.items())

    def get_regs_per_thread(self, signature=None):
        """Registers of a thread, for types of the arguments ("float32[:]", or a tuple); a dict for all types that it was compiled for without them, or the
        number where it is declared for one list of types. These and what follows are of the code for the GPU; without one they are what ptxas says
        of the code for compute capability 9.0, RuntimeError where there is no ptxas."""
        return self._attribute("regs_per_thread", signature)

    def get_shared_mem_per_block(self, signature=None):
        """Bytes of shared memory that the kernel's text declares; else as get_regs_per_thread."""
        return self._attribute("shared_mem_per_block", signature)

    def get_const_mem_size(self, signature=None):
        """Bytes of constants (const.array_like); else as get_regs_per_thread."""
        return self._attribute("const_mem_size", signature)

    def get_local_mem_per_thread(self, signature=None):
        """Bytes of memory of a thread alone (local.array that is not in registers); else as get_regs_per_thread."""
        return self._attribute("local_mem_per_thread", signature)

    def get_max_threads_per_block(self, signature=None):
        """The largest block that its registers allow; else as get_regs_per_thread."""
        return self._attribute("max_threads_per_block", signature)

    def occupancy(self, blockdim, signature=None, dynsmemsize=0):
        """Of the code for types of the arguments, or else for those that it was compiled for last: see Compiled.occupancy. ValueError where there is none."""
        types = signature or next(reversed(self.signatures), None)
        if types is None:
            raise ValueError(f"{self.__name__} has not been compiled yet: launch it, or give types")
        types = f"({types})" if isinstance(types, str) and "(" not in types else types
        return attributes.Compiled(self, signatures.parse(types)).occupancy(blockdim, dynsmemsize)

    def inspect_sass(self, signature=None):
        """The machine code as text, by nvdisasm; else as inspect_asm. RuntimeError without nvdisasm or ptxas, and for device functions."""
        if self.device:
            raise RuntimeError("Cannot inspect SASS of a device function")
        return self._attribute("sass", signature)

    def inspect_sass_cfg(self, signature=None):
        """The basic blocks of the machine code as a graph in the language DOT, else as inspect_sass."""
        if self.device:
            raise RuntimeError("Cannot get the CFG of a device function")
        return self._attribute("sass_cfg", signature)

    def specialize(self, *args):
        """A kernel for the types of these arguments (or these declared types) alone. RuntimeError for one that is for some types alone."""
        if self.declared:
            raise RuntimeError("Dispatcher already specialized")
        types = tuple(signatures.type_of(argument) for argument in args)
        key = tuple(zip(types, map(signatures.layout_of, args)))
        if key not in self.specializations:
            self.specializations[key] = self.for_types(types)
        return self.specializations[key]

    def for_types(self, types, **changes):
        """A kernel of the same function and options that is declared for these types; `changes` of the options."""
        options = dict(device=self.device, target=self.target.name if self.target else None, debug=self.debug, fastmath=self.fastmath,
                       max_registers=self.max_registers or None, launch_bounds=(self.max_threads, self.min_blocks), cooperative=self.cooperative,
                       use_cache=self.use_cache, arch=self.arch, lineinfo=self.lines, extensions=self.extensions, link=self.link)
        return Kernel(self.py_func, [types], **options | changes)

    @property
    def specialized(self):
        return bool(self.declared)

    def inspect_asm(self, types=None):
        """PTX for types of the arguments; without them a dict of it for all types that it was compiled for."""
        return self._inspect_all("ptx", types)

    def inspect_llvm(self, types=None):
        """LLVM IR of the target; else as inspect_asm."""
        return self._inspect_all("llvm", types)

    def _inspect_all(self, phase, types):
        return ByTypes((each, self.inspect(phase, each)) for each in self.overloads) if types is None else self.inspect(phase, types)

    def launch(self, shape, arguments):
        """`shape`: the grid, the block and the bytes of shared memory, as seven numbers."""
        if self.extensions:
            arguments = [self._prepared(argument) for argument in arguments]
        if ON_CPU:
            arguments = [host_memory(argument) for argument in arguments]
        if not WRAPPERS.isdisjoint(map(type, arguments)):
            # What only goes to the GPU is copied, so that nothing comes back.
            arguments = [a.array if type(a) in (InOut, Out) else a.array.copy() if type(a) is In else a for a in arguments]
        if self._takes_records:
            self._launch(shape, [records.argument(a) if records.is_record(a) else a for a in arguments])
            return
        try:
            self._launch(shape, arguments)
        except TypeError as error:
            if not any(map(records.is_record, arguments)):
                self.name_error(error)
                raise
            self._takes_records = True  # from now on looked for at once
            self.launch(shape, arguments)

    def name_error(self, error):
        if f"'{self.__name__}'" not in str(error):
            error.args = (f"kernel '{self.__name__}': {error}",)

    def _prepared(self, value):
        """An argument as the extensions change it."""
        try:
            kind = signatures.type_of(value)
        except (TypeError, ValueError):
            kind = None
        for extension in reversed(self.extensions):
            kind, value = extension.prepare_args(kind, value, stream=0, retr=None)
        return value

    def _launch(self, shape, arguments):
        if self.declared:
            arguments = self._fit(arguments)
        elif len(arguments) != self._count:
            self._parameters.bind(*arguments)  # TypeError, in Python's words
        self.launching_function(len(arguments))(*shape, *arguments)

    def launching_function(self, count):
        """The compiled function that takes the seven numbers of a launch and so many arguments."""
        return self._launcher(count)[1]

    def _fit(self, arguments):
        """The arguments as the declaration has them that they are nearest to."""
        found = [(fitted[1], types, fitted[0]) for types in self.declared if (fitted := signatures.fit(types, arguments)) is not None]
        if found:
            least = min(distance for distance, *_ in found)
            nearest = [(types, fitted) for distance, types, fitted in found if distance == least]
            if len(nearest) == 1 or not any(least):
                return nearest[0][1]
            listed = " and ".join(f"({', '.join(map(str, types))})" for types, _ in nearest)
            raise TypeError(f"Ambiguous overloading for kernel '{self.__name__}' called with ({_described(arguments)}): {listed} are as near")
        declared = " or ".join(f"({', '.join(map(str, types))})" for types in self.declared)
        raise TypeError(f"No matching definition: kernel '{self.__name__}' is declared for {declared}, and called with ({_described(arguments)})")


def _described(arguments):
    return ", ".join(f"{a.dtype}[{','.join(':' * a.ndim)}]" if getattr(a, "ndim", 0) else str(getattr(a, "dtype", type(a).__name__)) for a in arguments)


class Launcher(Specialiser):
    """The code of a kernel's launches: it depends on the kernel's options too."""
    first_integer = 7  # behind the grid, the block and the shared memory
    hands_over_arrays = False  # what a kernel names are constants
    takes_records = False  # the kernel has records of its own
    may_use_python = False  # threads run no Python

    def __init__(self, kernel, *rest):
        super().__init__(*rest)
        self.kernel = kernel

    def depends_on(self):
        return (self.function.__code__.co_argcount, self.kernel)

    def first_call(self, types, arguments):
        return None  # what threads do has no alternatives
