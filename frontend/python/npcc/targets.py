"""What code is made for: the table of targets.

A target's compiler is compiler/<its folder>; here is what the package must know of it."""
import functools
from typing import NamedTuple

from . import _npcc


class Target(NamedTuple):
    name: str
    device: str  # where the code runs: "cpu" or "cuda"
    phases: tuple = ()  # stop points of `inspect` and --emit that it alone has
    options: tuple = ()  # keywords of jit() that are for it alone
    plans: bool = True  # code for a first call has the alternatives that it takes only
    is_default: bool = True  # one of those that modules are made for when nothing is said

    def needs_gpu(self):
        return self.device == "cuda"


TARGETS = {target.name: target for target in (
    Target("cpu", "cpu"),
    Target("cuda", "cuda", phases=("gpu", "ptx"), options=("arch",)),
    Target("debug", "cpu", options=("nan",), plans=False, is_default=False),
)}


def find(name):
    """The target of this name; ValueError if there is none."""
    if name not in TARGETS:
        raise ValueError(f"target is {describe()}, not {name!r}")
    return TARGETS[name]


def describe(last="or", show=repr):
    """"'cpu', 'cuda' or 'debug'"."""
    *names, end = map(show, TARGETS)
    return f"{', '.join(names)} {last} {end}"


def of_list(text):
    """The targets of a comma-separated list, for one module; ValueError if it cannot hold them all."""
    names = text.split(",")
    for name in names:
        if name not in TARGETS:
            raise ValueError(f"--target is a list of {describe('and', str)}, not {text}")
    chosen = [TARGETS[name] for name in names]
    if len({target.device for target in chosen}) < len(chosen):
        raise ValueError(f"--target {text}: a module has one kind of code for each device")
    return chosen


def of_phase(phase, otherwise):
    """The target that a phase belongs to; `otherwise` if all have it."""
    return next((target for target in TARGETS.values() if phase in target.phases), otherwise)


def default():
    """Where a function runs if nothing is said: a GPU if there is one."""
    return TARGETS["cuda" if _npcc.cuda_device_count() else "cpu"]


def device_number(target):
    """As the runtime has it. RuntimeError if this machine has no such device."""
    if not target.needs_gpu():
        return -1
    if not _npcc.cuda_device_count():
        raise RuntimeError(f"target={target.name!r}: no GPU can be used: {_npcc.cuda_unavailable_reason()}")
    return 0


@functools.cache
def native_arch():
    """The compute capability of the first GPU; what modules are made for where there is none."""
    if not _npcc.cuda_device_count():
        return "sm_90"
    return f"sm_{_npcc.device_info(0)['capability']}"
