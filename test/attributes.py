#!/usr/bin/env python3
"""Attributes with a name of np's have a row in dialects/Np/Attributes.def: the sources name no other ones.

  attributes.py ROOT

The verifier refuses an attribute without a row where an operation has it. This finds its name in the sources before any program comes to it, and
rows that nothing sets or asks for. Names of other prefixes of ours ("npcc.") would be of no dialect, so that nothing would verify them.
"""
import os
import re
import sys

TABLE = "dialects/Np/Attributes.def"
FOLDERS = ("compiler", "dialects", "frontend")
ROW = re.compile(r'^NP_(?:ATTRIBUTE|ARGUMENT_ATTRIBUTE|RESULT_ATTRIBUTE)\(.*?"(np\.\w+)"', re.M)
NAME = re.compile(r'"(np\.\w+)"')
# What sets, asks for or takes away an attribute.
OF_NO_DIALECT = re.compile(r'Attr\w*(?:<[^>]*>)?\((?:[^"()]*,)?\s*"(npcc\.\w+)"')
# Names of effects on what is no memory: not of attributes.
RESOURCE = re.compile(r'getName\(\) final \{ return "(np\.\w+)"')


def complaints(rows, sources):
    """`rows`: the names in the table. `sources`: (path, text) of each file of C++."""
    used, resources = set(), set()
    for _, text in sources:
        resources.update(RESOURCE.findall(text))
    for path, text in sources:
        named = set(NAME.findall(text))
        used |= named
        for name in sorted(named - rows - resources):
            yield f"{path} names {name}, for which {TABLE} has no row"
        for name in sorted(set(OF_NO_DIALECT.findall(text))):
            yield f"{path} has an attribute {name}: no dialect verifies it"
    for name in sorted(rows - used):
        yield f"{TABLE} has a row for {name}, which nothing names"


def read(root):
    with open(os.path.join(root, TABLE)) as file:
        rows = set(ROW.findall(file.read()))
    sources = []
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".cpp", ".h", ".td")):
                    path = os.path.join(folder, name)
                    with open(path, errors="replace") as file:
                        sources.append((os.path.relpath(path, root), file.read()))
    return rows, sources


def main():
    rows, sources = read(sys.argv[1])
    found = list(complaints(rows, sources))
    print("\n".join(found + [f"{len(rows)} attributes, {len(sources)} files, {len(found)} complaints"]))
    return 1 if found or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
