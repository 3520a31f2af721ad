"""Which files a source includes: compiled code is found in the cache only as long as they are what they were."""
import hashlib
import re
from pathlib import Path

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>\n]+)>|"([^"\n]+)"|(\S.*))', re.MULTILINE)


def include_options(options):
    """The folders that -I and --include-path name, and whether a file is included by an option."""
    folders, forced, expected = [], [], None
    for option in options:
        if expected is not None:
            expected.append(option)
            expected = None
        elif option in ("-I", "--include-path"):
            expected = folders
        elif option in ("-include", "--pre-include"):
            expected = forced
        elif option.startswith("-I"):
            folders.append(option[2:])
        elif option.startswith("--include-path="):
            folders.append(option.partition("=")[2])
        elif option.startswith(("--pre-include=", "-include=")):
            forced.append(option.partition("=")[2])
    return folders, forced


def digest(source, options):
    """A digest of all files that the source may include by way of the folders in `options`; None where that cannot be known. Headers of the
    toolkit are known by the compiler's version."""
    folders, forced = include_options(options)
    seen = {}

    def visit(text, beside):
        for angled, quoted, other in INCLUDE.findall(text):
            if other:  # a macro names it
                return False
            if not open_header(angled or quoted, [] if angled or beside is None else [beside]):
                return False
        return True

    def open_header(name, first):
        for folder in [*first, *folders]:
            path = Path(folder, name)
            if str(path) in seen:
                return True
            try:
                data = path.read_bytes()
            except OSError:
                continue
            seen[str(path)] = hashlib.sha256(data).hexdigest()
            return visit(data.decode(errors="replace"), path.parent)
        return True  # the toolkit's, or it is not found at all

    if not visit(source, None) or not all(open_header(name, [Path()]) for name in forced):
        return None
    return hashlib.sha256(repr(sorted(seen.items())).encode()).hexdigest()
