"""Source and files to code that a device loads, kept in memory and on disk."""
import functools
import hashlib
import json
import linecache
import os
import re
import threading
from pathlib import Path

from .. import _npcc, cache, errors
from . import headers, nvrtc, symbols

FORMAT = 1  # of entries on disk
ERROR = re.compile(r"^(.*)\((\d+)\): (?:catastrophic )?error(?: #\d+(?:-D)?)?: (.*)$")
ARCH = ("-arch", "--gpu-architecture")
DEFAULT_CAPABILITY = 90  # where there is no GPU


class Image:
    """Code of one program for one architecture."""

    def __init__(self, data, lowered=None, log="", key=None):
        self.data = data  # cubin, fatbin or PTX
        self.lowered = lowered or {}  # name expression -> symbol
        self.log = log
        self.key = key or hashlib.sha256(data).hexdigest()

    @functools.cached_property
    def kernels(self):
        return symbols.kernels_in(self.data)

    def symbol(self, name):
        return symbols.find(name, self.lowered, self.kernels)


def arch_option(options):
    """What the user's options say the code is for, "sm_90" or "compute_90"; None if they do not."""
    for k, option in enumerate(options):
        name, _, value = option.partition("=")
        if name in ARCH:
            return value or (options[k + 1] if k + 1 < len(options) else None)
    return None


def capability_of(device):
    if device is None or not _npcc.cuda_device_count():
        return DEFAULT_CAPABILITY
    return _npcc.device_info(device)["capability"]


class Source:
    """A program in CUDA C. `label` names it in messages: the kernel's name. places: what the user wrote of it, by the names that #line gives."""

    def __init__(self, text, options=(), expressions=(), label="kernel", places=None):
        if not isinstance(text, str):
            raise TypeError(f"the source of {label} is a str, not {type(text).__name__}")
        if isinstance(options, str):
            raise TypeError("options are a tuple of strings, one for each option")
        self.text = text
        self.options = tuple(map(str, options))
        self.expressions = tuple(expressions)
        self.label = label
        self.places = places or {f"{_file_name(label)}.cu": text}
        self.lock = threading.Lock()
        self.images = {}  # arch -> Image

    def image(self, device=None):
        """The code for a device (for compute capability 9.0 where there is none). CompileError; RuntimeError without NVRTC."""
        library = nvrtc.library()
        given = arch_option(self.options) or os.environ.get("NPCC_KERNEL_ARCH")
        arch = given or library.arch_for(capability_of(device))
        with self.lock:
            if arch not in self.images:
                self.images[arch] = self._load(library, arch)
            return self.images[arch]

    def _load(self, library, arch):
        options = list(self.options)
        if not arch_option(options):
            options.append(f"--gpu-architecture={arch}")
        options += [f"--include-path={folder}" for folder in nvrtc.include_folders()]
        included = headers.digest(self.text, self.options)
        key = hashlib.sha256(repr((FORMAT, self.text, options, self.expressions, library.version, included)).encode()).hexdigest()
        name = key + ".npcc" if cache.enabled() and included is not None else None
        entry = cache.load(name) if name else None
        if entry is not None:
            head, _, data = entry.partition(b"\n")
            return Image(data, json.loads(head)["lowered"], key=key)
        try:
            data, lowered, log = library.compile(self.text, f"{_file_name(self.label)}.cu", options, self.expressions, arch.startswith("sm_"))
        except nvrtc.Failure as failure:
            raise compile_error(str(failure), self.label, self.places) from None
        if name:
            cache.store(name, json.dumps(dict(lowered=lowered)).encode() + b"\n" + data)
        return Image(data, lowered, log, key)


class Code:
    """Code that was compiled already. `label` names it in messages."""

    text = None
    options = ()

    def __init__(self, data, label):
        self.code, self.label = Image(data), label

    def image(self, device=None):
        return self.code


class File:
    """A file of PTX or machine code."""

    text = None
    options = ()

    def __init__(self, path):
        self.path = str(path)
        data = Path(path).read_bytes()
        kind = symbols.kind_of(data)
        if kind is None:
            raise ValueError(f"{path} is no PTX, cubin or fatbin file")
        self.code = Image(data + b"\0" if kind == "ptx" else data)
        self.label = Path(path).name

    def image(self, device=None):
        return self.code


def _file_name(label):
    return re.sub(r"[^\w.-]+", "_", label).strip("_") or "kernel"


#---- Errors ----

def compile_error(log, label, places):
    """A CompileError of NVRTC's log: file, line, column and source line of the first error, the others as notes. The whole log is its `log`."""
    found = list(diagnostics(log))
    for file, text in places.items():
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    try:
        if found:
            found[0]["message"] = f"kernel '{label}': {found[0]['message']}"
            error = errors.compile_error(found)
        else:
            error = errors.CompileError(f"kernel '{label}': {log.strip()}")
    finally:
        for file in places:
            linecache.cache.pop(file, None)
    error.log = log
    error.kernel = label
    return error


def diagnostics(log):
    """The errors in NVRTC's log: `file(line): error: text`, followed by the line and a caret below it."""
    lines = log.splitlines()
    for k, line in enumerate(lines):
        match = ERROR.match(line)
        if not match:
            continue
        message, column, rest = match.group(3), 0, lines[k + 1:]
        # Long texts go on in lines of their own; the source line is the one above the caret.
        for j, following in enumerate(rest):
            if following.strip() == "^":
                column = following.index("^") - 1  # both lines are indented by two
                message = " ".join([message, *(text.strip() for text in rest[:j - 1])])
                break
            if not following.strip():
                break
        yield dict(is_error=True, file=match.group(1), line=int(match.group(2)), column=column, end_line=0, end_column=0, message=message, notes=[])


#---- Loaded modules ----

_loaded = {}  # (device, key) -> handle; modules stay loaded, as kernels of them may run
_lock = threading.Lock()


def module(image, device, label):
    """The driver's handle of the image on a device."""
    with _lock:
        handle = _loaded.get((device, image.key))
        if handle is None:
            try:
                handle = _loaded[device, image.key] = _npcc.module_load(device, image.data + b"\0")
            except RuntimeError as error:
                raise RuntimeError(f"kernel '{label}': {error}") from None
        return handle
