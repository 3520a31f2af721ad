"""What the compiler says of functions, for calls."""
import functools
import json
from pathlib import Path

from . import limits, page, text
from .numbers import Numbers


class Kernel:
    """A kernel or a call of a library. Bytes and operations are those of all of its launches in a call; None where the call does not say them."""

    def __init__(self, number, node, loops, is_taken, numbers):
        self.number, self.node, self.loops, self.is_taken, self.numbers = number, node, loops, is_taken, numbers
        self.line, self.file = node["line"], node["file"]
        self.is_library = node["node"] == "call"
        self.kind = node["what"] if self.is_library else node["kind"]
        self.measured = None  # (seconds, launches), where a recording has it

    @property
    def lines(self):
        """The lines of its file that are in it."""
        return sorted({line for file, line in self.node.get("places", ()) if file == self.file} | {self.line})

    @property
    def launches(self):
        return self.numbers.value("1", self.loops)

    @functools.cached_property
    def read(self):
        return self._bytes("reads")

    @functools.cached_property
    def written(self):
        return self._bytes("writes")

    @property
    def is_exact(self):
        """Whether the bytes are those, and not the most that they may be."""
        return all(array["exact"] for array in self.node["reads"] + self.node["writes"])

    @functools.cached_property
    def operations(self):
        return self.numbers.value(self.node.get("arithmetic", "0"), self.loops)

    def floor(self, device):
        """The least seconds for all launches, on a device with such limits; None where something is not known."""
        if device is None or None in (self.read, self.written, self.operations):
            return None
        return device.floor(self.read + self.written, self.operations)

    def _bytes(self, way):
        found = [self.numbers.value(array["bytes"], self.loops) for array in self.node[way]]
        return None if None in found else sum(found)


class Function:
    """A compiled function, for one combination of types."""

    def __init__(self, description, remarks, numbers):
        self.name, self.signature, self.target = description["name"], description["signature"], description["target"]
        self.body, self.named, self.numbers = description["body"], description["named"], numbers
        self.kernels = list(self._find(self.body, (), True))
        self.remarks = [remark for remark in remarks if self._is_current(remark)]

    @property
    def file(self):
        return next((node["file"] for node in self.body if node["file"]), "")

    def _find(self, nodes, loops, is_taken):
        for node in nodes:
            kind = node["node"]
            if kind in ("kernel", "call"):
                self._count = getattr(self, "_count", 0) + 1
                node["number"] = self._count
                yield Kernel(self._count, node, loops, is_taken, self.numbers)
            elif kind == "loop":
                yield from self._find(node["body"], (*loops, node), is_taken)
            elif kind == "once":
                yield from self._find(node["body"], loops[:-1], is_taken)
            elif kind == "branch":
                holds = self.numbers.value(node["condition"])
                node["holds"] = holds
                yield from self._find(node["then"], loops, is_taken and holds != 0)
                yield from self._find(node["else"], loops, is_taken and not holds)

    def _is_current(self, remark):
        """Not what a later pass has made one kernel of after all, nor an array that is gone since."""
        if remark["about"] == "array":
            place = remark["line"], remark["column"]
            return any((array["line"], array["column"]) == place for kernel in self.kernels for array in kernel.node["reads"] + kernel.node["writes"])
        if remark["about"] != "fusion":
            return True
        return not any({remark["line"], remark["other"]} <= set(kernel.lines) for kernel in self.kernels)

    def kernel(self, number):
        return self.kernels[number - 1]

    def reasons(self, *about):
        return [remark for remark in self.remarks if remark["about"] in about]


class Explanation:
    """Kernels, loops and reasons of functions. It prints as text; `html()` is a page with the sources beside it, which `save(path)` writes."""

    def __init__(self, functions, device=None):
        self.functions, self.device = functions, device

    def __str__(self):
        return text.of(self)

    __repr__ = __str__

    def html(self):
        return page.of(self)

    def save(self, path):
        Path(path).write_text(self.html())

    def attach(self, events):
        """Adds the times of a recording (npcc.profile): what ran at the place of each kernel. Kernels of one place are told apart by their kinds."""
        for event in events:
            if event["ph"] != "X" or event["cat"] not in ("kernel", "library"):
                continue
            candidates = [kernel for function in self.functions for kernel in function.kernels
                          if kernel.is_taken and event["args"].get("place") == f"{kernel.file}:{kernel.line}"]
            same = [kernel for kernel in candidates if f"_{kernel.kind}_" in event["name"]] or candidates
            if same:
                seconds, launches = same[0].measured or (0.0, 0)
                same[0].measured = seconds + event["dur"] / 1e6, launches + 1
        return self


def read(texts, device):
    """An explanation of what the compiler has said: (its JSON, what is known of the call, the texts of the types) for each function."""
    functions = []
    for said, given, types in texts:
        described = json.loads(said)
        for description in described["functions"]:
            numbers = Numbers.of_call(description["parameters"], given, types, {name: number["is"] for name, number in description["named"].items()})
            functions.append(Function(description, described["remarks"], numbers))
    return Explanation(functions, device)


def of_target(target, device):
    """The limits that floors are computed of: of the device that is named, else of the one that the code runs on."""
    return limits.named(device) if device is not None else limits.here(target)
