"""Streams and events on a GPU, and where npcc's work goes."""
import threading
import weakref

from . import _npcc
from .callbacks import Callbacks
from .threads.host import ON_CPU

LEGACY, PER_THREAD = 1, 2  # CUDA's default streams, as the driver numbers them
NON_BLOCKING, DISABLE_TIMING = 1, 2
MOST_KEPT = 64  # host arrays of copies under way, before it is looked whether they are over


def current_device():
    """The number of this thread's GPU (npcc.cuda.select_device), -1 where the CPU is in its place (npcc/threads/host.py). RuntimeError without one."""
    if ON_CPU:
        return -1
    if not _npcc.cuda_device_count():
        raise RuntimeError(f"no GPU can be used: {_npcc.cuda_unavailable_reason()} (with NPCC_CUDA_TARGET=cpu in the environment npcc.cuda is the CPU's)")
    return _npcc.selected_device()


class Stream(Callbacks):
    """A stream: work on it is done in the order in which it was sent. Made by npcc.cuda.stream, external_stream and default_stream.

    `ptr` (also `handle`) is the driver's handle, `device_id` the GPU. CuPy, PyTorch and others take it by `__cuda_stream__`. `with npcc.stream(s):`
    sends npcc's work to it; kernels and copies take it as `stream=`.
    """

    def __init__(self, ptr, device, owned=False, owner=None):
        self.ptr, self.device_id, self._owner = ptr, device, owner
        self._kept = []
        if owned:
            self._finalizer = weakref.finalize(self, _destroy, _npcc.stream_destroy, device, ptr)
            self._finalizer.atexit = False  # the context goes with the process

    @property
    def handle(self):
        return self.ptr

    def __cuda_stream__(self):
        return (0, self.ptr)

    def __int__(self):
        return self.ptr

    __index__ = __int__

    def __eq__(self, other):
        return isinstance(other, Stream) and (self.ptr, self.device_id) == (other.ptr, other.device_id)

    def __hash__(self):
        return hash((self.ptr, self.device_id))

    def __repr__(self):
        return f"<npcc stream {self.ptr:#x} on cuda:{self.device_id}>"

    def synchronize(self):
        """Waits for all work on the stream; raises what went wrong in it."""
        _npcc.stream_synchronize(self.device_id, self.ptr)
        self._kept.clear()

    def query(self):
        """Whether all work on the stream is done."""
        return _npcc.stream_query(self.device_id, self.ptr)

    @property
    def done(self):
        return self.query()

    def record(self, event=None):
        """Records an event (a new one if none is given) after the work so far, and gives it back."""
        event = event or Event(self.device_id)
        event.record(self)
        return event

    def wait_event(self, event):
        """Later work on this stream waits for the event."""
        _npcc.stream_wait_event(self.device_id, self.ptr, event.ptr)

    def wait_stream(self, other):
        """Later work on this stream waits for what is on the other one now."""
        self.wait_event(Event(self.device_id, timing=False).record(other))

    def auto_synchronize(self):
        """A context manager that waits for the stream at its end."""
        return _AutoSynchronize(self)

    def keep(self, array):
        """Keeps a host array alive until the copy from or to it is surely over."""
        if len(self._kept) >= MOST_KEPT and self.query():
            self._kept.clear()
        self._kept.append(array)


def _destroy(function, device, handle):
    try:
        function(device, handle)
    except Exception:  # the context is lost; there is nobody to tell
        pass


class _AutoSynchronize:
    def __init__(self, stream_):
        self.stream = stream_

    def __enter__(self):
        return self.stream

    def __exit__(self, *error):
        self.stream.synchronize()


class Event:
    """A point in the work of a stream. timing: whether it takes the time. blocking: whether waiting for it leaves the processor to others."""

    def __init__(self, device=None, timing=True, blocking=False):
        self.device_id = current_device() if device is None else device
        self.timing = timing
        self.ptr = _npcc.event_new(self.device_id, int(blocking) | (0 if timing else DISABLE_TIMING))
        self._finalizer = weakref.finalize(self, _destroy, _npcc.event_destroy, self.device_id, self.ptr)
        self._finalizer.atexit = False

    handle = property(lambda self: self.ptr)

    def record(self, stream=None):
        """Records it after the work on `stream` so far (by default the stream that npcc's work goes to)."""
        _npcc.event_record(self.device_id, self.ptr, handle_of(stream, self.device_id))
        return self

    def synchronize(self):
        """Waits until the work before it is done."""
        _npcc.event_synchronize(self.device_id, self.ptr)

    def wait(self, stream=None):
        """Later work on `stream` waits for the work before the event."""
        _npcc.stream_wait_event(self.device_id, handle_of(stream, self.device_id), self.ptr)

    def query(self):
        """Whether the work before it is done (or it was never recorded)."""
        return _npcc.event_query(self.device_id, self.ptr)

    done = property(query)

    def elapsed_time(self, end):
        """Milliseconds from this event to `end`. RuntimeError while `end` is not done; ValueError without timing."""
        if not (self.timing and end.timing):
            raise ValueError("the events were made with timing=False")
        return _npcc.event_elapsed(self.device_id, self.ptr, end.ptr)

    def time_till(self, end):
        return self.elapsed_time(end)

    def time_since(self, start):
        return start.elapsed_time(self)


def handle_of(stream_, device):
    """The driver's handle of anybody's stream; None and 0 are the stream that npcc's work goes to."""
    return _npcc.stream_handle(stream_, device)


def device_of(stream_):
    """The GPU of anybody's stream, None where it does not say."""
    for name in ("device_id", "device_index"):
        number = getattr(stream_, name, None)
        if isinstance(number, int) and number >= 0:  # CuPy has -1 for its null stream
            return number
    return None


class stream:  # used as a function: with npcc.stream(s):
    """`with npcc.stream(s):` sends npcc's work of this thread to the stream: compiled functions, copies, own kernels.

    s: a stream of npcc.cuda, CuPy, PyTorch, Numba or PyCUDA, or a handle. What the block does comes after npcc's work before it, and what npcc does
    later with the same arrays comes after the block. Blocks nest; two streams' blocks that share no array are not ordered.
    TypeError for what is no stream.
    """

    _entered = threading.local()  # what to go back to, one stack for each thread

    def __init__(self, stream):
        device = device_of(stream)
        self.device = current_device() if device is None else device
        self.stream = stream
        self.handle = None if ON_CPU else handle_of(stream, self.device)

    def __enter__(self):
        if ON_CPU:
            return self.stream
        previous = _npcc.enter_stream(self.device, self.handle)
        self._entered.__dict__.setdefault("stack", []).append(previous)
        return self.stream

    def __exit__(self, *error):
        if not ON_CPU:
            _npcc.leave_stream(self._entered.stack.pop())
