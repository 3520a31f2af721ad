#!/usr/bin/env python3
"""Pages that tell how something is added quote the sources: each line of code in them is a line of a source.

  quoted.py ROOT

A line with `...` stands for more than one and is not looked for; how a line is indented does not count.
"""
import re
import sys
from pathlib import Path

PAGES = ("docs/adding-a-numpy-function.md", "docs/adding-a-kernel.md")
FOLDERS = ("compiler", "dialects", "frontend", "runtime", "test", "tools")
ENDINGS = {".cpp", ".h", ".td", ".def", ".py", ".mlir", ".txt", ".cu", ".cuh"}


def squeeze(line):
    return " ".join(line.split())


def quoted_lines(text):
    """(number, line) of each line of code on a page."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*```", line):
            inside = not inside
        elif inside and squeeze(line) and "..." not in line:
            yield number, squeeze(line)


def source_lines(root):
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            if path.suffix in ENDINGS and path.is_file():
                yield from map(squeeze, path.read_text(errors="replace").splitlines())


def complaints(pages, sources):
    """`pages`: {name: text}; `sources`: the lines there are."""
    for name, text in pages.items():
        for number, line in quoted_lines(text):
            if line not in sources:
                yield f"{name}:{number}: no source has this line: {line}"


if __name__ == "__main__":
    root = Path(sys.argv[1])
    found = list(complaints({page: (root / page).read_text() for page in PAGES}, set(source_lines(root))))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
