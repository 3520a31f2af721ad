"""Compiled code on disk, shared by all processes of a user.

An entry's name is a digest of everything that the code depends on, so entries are never wrong, only missing. `NPCC_CACHE_DIR` names the folder,
`NPCC_CACHE=0` switches it off, `NPCC_CACHE_MIB` is its size at most: what was not used for longest goes. A file that is truncated, damaged or not
ours is ignored and written again.
"""
import functools
import hashlib
import os
import sys
import threading
import time

import numpy as np

from . import _npcc
from .dependencies import Dependencies

MAGIC = b"npcc cache entry 1\n"
REFUSAL = b"refused\n"
MOST_MIB = 512
STORES_BETWEEN_PRUNES = 100
HOUR = 3600
CONTENTS = "compiler"  # the file with the digest of the compiler's own files
SECONDS_UNTIL_SETTLED = 2  # from a file's change on: then another change has another time
stores = 0  # of this process


def enabled():
    return os.environ.get("NPCC_CACHE", "1") != "0"


def folder():
    given = os.environ.get("NPCC_CACHE_DIR")
    if given:
        return given
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "npcc")


def _path(name):
    return os.path.join(folder(), name)


def load(name):
    """The entry's bytes, or None."""
    path = _path(name)
    try:
        with open(path, "rb") as file:
            data = file.read()
            if os.fstat(file.fileno()).st_mtime < time.time() - HOUR:
                os.utime(path)  # prune() takes the times for those of use
    except OSError:
        return None
    start = len(MAGIC) + hashlib.sha256().digest_size
    payload = data[start:]
    if data[:len(MAGIC)] != MAGIC or hashlib.sha256(payload).digest() != data[len(MAGIC):start]:
        return None
    return payload


def store(name, payload):
    """Writes the entry in one step; a folder that cannot be written is no error."""
    if not _write(name, MAGIC + hashlib.sha256(payload).digest() + payload):
        return
    global stores
    stores += 1
    if stores % STORES_BETWEEN_PRUNES == 1 and _is_time_to_prune():
        prune()


def _write(name, data):
    """Writes a file of the folder in one step; whether that was possible."""
    # Nobody else has this name; the module tempfile would take several milliseconds to import.
    temporary = _path(f"{name[:16]}-{os.getpid()}-{threading.get_ident()}-{time.time_ns()}.part")
    try:
        os.makedirs(folder(), exist_ok=True)
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(data)
        os.replace(temporary, _path(name))
    except OSError:
        _remove(temporary)
        return False
    return True


def _remove(path):
    try:
        os.unlink(path)
    except OSError:  # it is not there
        pass


def store_refusal(name, diagnostics):
    """What the compiler says of a function that it does not compile: the next process need not ask."""
    import json  # here, because calls of what compiles need none of it
    store(name, REFUSAL + json.dumps(diagnostics).encode())


def refusal(payload):
    """The diagnostics of an entry that is a refusal; None for code."""
    if not payload.startswith(REFUSAL):
        return None
    import json
    return json.loads(payload[len(REFUSAL):])


def _is_time_to_prune():
    """Whether no process has pruned in the last hour: it means to look at each entry. A process that stores much prunes in between, too."""
    if stores > 1:
        return True
    mark = _path("pruned")
    try:
        if os.stat(mark).st_mtime > time.time() - HOUR:
            return False
    except OSError:
        pass
    try:
        open(mark, "ab").close()
        os.utime(mark)
    except OSError:
        pass
    return True


def prune():
    """Removes what was not used for longest until the folder is three quarters full, if it is more than full. Entries of compilers that are no
    longer there end so too."""
    limit = float(os.environ.get("NPCC_CACHE_MIB") or MOST_MIB) * 2**20
    files = []
    for path in map(_path, os.listdir(folder())):
        if not path.endswith((".npcc", ".part")):
            continue
        try:
            status = os.stat(path)
        except OSError:  # another process was first
            continue
        if path.endswith(".part") and status.st_mtime < time.time() - HOUR:  # its writer died
            _remove(path)
        elif path.endswith(".npcc"):
            files.append((status.st_mtime, status.st_size, path))
    size = sum(file[1] for file in files)
    if size <= limit:
        return
    for _, bytes_, path in sorted(files):
        _remove(path)
        size -= bytes_
        if size <= limit * 3 / 4:
            return


@functools.cache
def compiler_identity():
    """Changes whenever the compiler does: the contents of its own files (times and versions stay the same over many a build), which LLVM it has
    loaded, and what its answers come from."""
    package = os.path.dirname(os.path.abspath(__file__))
    # Of the libraries the linker has noted a digest, which is there without reading them.
    noted = _npcc.build_ids()
    files = _python_files(package) if noted else [*_python_files(package), _npcc.__file__, os.path.join(package, "libnpcc_rt.so")]
    return repr((_npcc.version, noted, _digest_of(sorted(files)), _loaded_llvm(), np.__version__, sys.version_info[:2], os.uname().machine))


def _python_files(package):
    """The paths of a package's own files, also where folders are links, as in a build folder."""
    found = []
    with os.scandir(package) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                found.append(entry.path)
            elif entry.name != "__pycache__" and entry.is_dir():
                found += _python_files(entry.path)
    return found


def _digest_of(files):
    """A digest of the files' contents. To read them takes several times as long as to ask for their times, so the last digest is kept beside the
    entries, and holds while the system has noted no change of a file (its ctime, which no program sets)."""
    status = [os.stat(file) for file in files]
    seen = repr([(file, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for file, s in zip(files, status)])
    seen = hashlib.sha256(seen.encode()).hexdigest()
    try:
        known, _, digest = _read_text(_path(CONTENTS)).partition(" ")
        if known == seen and len(digest) == len(seen):
            return digest
    except (OSError, ValueError):
        pass
    contents = hashlib.sha256()
    for file in files:
        with open(file, "rb") as opened:
            data = opened.read()
        contents.update(f"{os.path.basename(file)} {len(data)}\n".encode() + data)
    digest = contents.hexdigest()
    # A file may change twice within one tick of the system's clock.
    if max(s.st_ctime for s in status) < time.time() - SECONDS_UNTIL_SETTLED:
        _write(CONTENTS, f"{seen} {digest}".encode())
    return digest


def _read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def _loaded_llvm():
    """LLVM's shared libraries, which are updated without npcc, by size and time: their contents take too long to read."""
    try:
        with open("/proc/self/maps") as maps:
            paths = {line.rstrip("\n").split(maxsplit=5)[-1] for line in maps if "/libLLVM" in line or "/libMLIR" in line}
    except OSError:
        return ()
    return sorted((path, os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in paths)


def entry_name(fingerprint, types_, options):
    """options: a dict; what the target machine is must be in it by name, not as "native"."""
    text = repr((fingerprint, types_, sorted(options.items()), compiler_identity()))
    return hashlib.sha256(text.encode()).hexdigest() + ".npcc"


def fingerprint(value, names=()):
    """A digest of everything in Python that the compiled code of a function (or a constant) depends on: its source, the helpers and constants that it
    can reach. None if that cannot be known; such a function is not cached. `names`: those of the code that is given the constant, of whose attributes it may
    read these."""
    found = Dependencies(value, names=names)
    return found.digest() if found.are_known else None
