"""kernel[grid, block, stream, shared_bytes]: what is called to launch."""
import numpy as np

from .. import _npcc, targets
from .signatures import RecordType


def extents(what, value):
    """A grid or block as three integers."""
    value = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(value) <= 3:
        raise ValueError(f"{what}dim must be a sequence of 1, 2 or 3 integers, got {list(value)}")
    if not all(isinstance(extent, (int, np.integer)) for extent in value):
        raise TypeError(f"{what}dim must be a sequence of integers, got {list(value)}")
    return (*(int(extent) for extent in value), 1, 1)[:3]


def configured(kernel, configuration):
    """The launch of a kernel with such a grid, block, stream and bytes of shared memory, which are attributes of it."""
    if kernel.device:
        raise RuntimeError(f"Cannot compile a device function as a kernel: '{kernel.__name__}' is a device function, which kernels call")
    if not isinstance(configuration, tuple) or not 2 <= len(configuration) <= 4:
        raise ValueError(f"kernel '{kernel.__name__}' is launched as {kernel.__name__}[blocks, threads], with a stream and bytes of shared memory behind them")
    grid, block = extents("grid", configuration[0]), extents("block", configuration[1])
    stream = configuration[2] if len(configuration) > 2 else None
    shared_bytes = int(configuration[3]) if len(configuration) > 3 else 0
    shape = (*grid, *block, shared_bytes)
    package = AnyLaunch(kernel, shape, stream)
    launch = package.launch = _npcc.launch(package, kernel.extensions, shape)
    launch.kernel, launch.grid, launch.block, launch.stream, launch.shared_bytes = kernel, grid, block, stream, shared_bytes
    return launch


class AnyLaunch:
    """Launches with any arguments. Behind the first one the launch, an object in C, does those itself whose arguments need nothing of what is done here
    (frontend/extension/Launches.cpp)."""

    def __init__(self, kernel, shape, stream):
        self.kernel, self.shape, self.stream = kernel, shape, stream
        self.launch, self.is_ready = None, False

    def __call__(self, *arguments, **named):
        if named:
            raise TypeError(f"kernel '{self.kernel.__name__}' takes its arguments by position, not by name ({', '.join(named)})")
        if not self.goes_to_stream():
            self.kernel.launch(self.shape, arguments)
        else:
            from ..streams import stream
            with stream(self.stream):
                self.kernel.launch(self.shape, arguments)
        if not self.is_ready:
            self.is_ready = True
            self.make_ready(len(arguments))

    def goes_to_stream(self):
        return bool(self.stream) and (self.kernel.target or targets.default()).needs_gpu()

    def make_ready(self, count):
        declared, device, handle = None, 0, 0
        if self.kernel.declared is not None:
            if len(self.kernel.declared) > 1 or any(isinstance(text, RecordType) for text in self.kernel.declared[0]):
                return  # numbers decide which one is meant; records are taken apart
            declared = [_dtype_and_rank(text) for text in self.kernel.declared[0]]
        if self.goes_to_stream():
            from ..streams import device_of, handle_of
            device = device_of(self.stream)
            if device is None:  # that of the thread, at each launch
                return
            handle = handle_of(self.stream, device)
        self.launch._ready(self.kernel.launching_function(count), count, declared, device, handle, self.stream)

    def explain(self, error):
        """Where a launch raised a TypeError."""
        self.kernel.name_error(error)


def _dtype_and_rank(text):
    name, bracket, axes = text.partition("[")
    plain = {"int": "int64", "float": "float64", "complex": "complex128"}.get(name, name).removesuffix("_")
    return np.dtype(plain), axes.count(",") + 1 if bracket else -1
