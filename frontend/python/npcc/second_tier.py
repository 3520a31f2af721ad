"""The second tier of compiled code: kernels that a first call did not wait for.

A first call gets kernels without optimisation. A thread of lower priority makes the optimised ones while the program goes on, has the code go over to
them, and stores it on disk. Both give the same bits (compiler/codegen/TwoTiers.h). `NPCC_TIERS=0` has first calls wait for optimised kernels;
with `NPCC_TIERS=first`, which is for tests, they are never made.
"""
import collections
import os
import sys
import threading

from . import _npcc, cache

MOST_ELEMENTS = 2**21  # of an array of a first call; with more, the kernels of the call take longer than what it would wait for
NICENESS = 5  # of the thread: a third of the time that another thread gets on the same core

_jobs = collections.deque()
_thread = None
_lock = threading.Lock()  # around the two above
_busy = threading.Lock()  # while code is made: a process that forks meanwhile would leave the compiler's locks taken in the child
LONGEST_WAIT = 1.0  # seconds, of a fork for the code that is being made


def is_worth_it(known):
    """Whether a call, of which `known` says extents, would rather begin soon."""
    return os.environ.get("NPCC_TIERS") != "0" and all(elements(numbers) <= MOST_ELEMENTS for numbers in known)


def elements(numbers):
    """Of an argument that first_call() describes by these numbers: its extents and its address, if it is an array."""
    count = 1
    for extent in numbers[:-1]:
        count *= extent
    return count


def make(function, code, name):
    """Begins with the optimised kernels of code that has been loaded as `function`; `name` is that of its entry on disk, if it has one."""
    if os.environ.get("NPCC_TIERS") == "first":
        return
    with _lock:
        _jobs.append((function, code, name))
        if _thread is None:
            _start()


def wait():
    """Returns when all code is optimised."""
    while (thread := _thread) is not None:
        thread.join()


def _start():
    global _thread
    # No daemon: a process that ends waits for the code that is being made, and for what the next process will find on disk.
    thread = threading.Thread(target=_work, name="npcc-second-tier", daemon=False)
    _thread = thread
    try:
        thread.start()
    except RuntimeError:  # a process that is ending gets no threads, nor does one that has too many: calls go on in the kernels that they have
        _thread = None
        _jobs.clear()


def _work():
    global _thread
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
    except OSError:
        pass
    while True:
        with _lock:
            if not _jobs:
                _thread = None
                return
            function, code, name = _jobs.popleft()
        if not name and not threading.main_thread().is_alive():  # nobody will call it
            continue
        try:
            _finish(function, code, name)
        except Exception:  # calls go on in the kernels that they have
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))


def _finish(function, code, name):
    with _busy:
        finished = _npcc.finish(function, code)
    if name:
        cache.store(name, finished)


def _before_fork():
    global _held
    _held = _busy.acquire(timeout=LONGEST_WAIT)
    _lock.acquire()


def _after_fork_in_parent():
    _lock.release()
    if _held:
        _busy.release()


def _after_fork_in_child():
    """Threads do not survive a fork: what is left to do is the child's, too."""
    global _lock, _busy, _thread
    _lock, _busy, _thread = threading.Lock(), threading.Lock(), None
    if _jobs:
        _start()


_held = False
os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)
