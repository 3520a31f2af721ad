#!/usr/bin/env python3
"""The rooms of the compiler depend one way: an include goes to a room that its own room may use.

  rooms.py ROOT

A room is a folder of compiler/. What a room may use is below; what it does not name, nothing in it includes.
"""
import os
import re
import sys

USES = {
    "dialects": {"runtime"},  # the tables Libdevice.def, Routines.def and Distributions.def
    "runtime": set(),
    "compiler/target": {"runtime"},
    "compiler/memory": {"dialects"},
    "compiler/explain": {"dialects", "compiler/memory", "compiler/target"},
    "compiler/np": {"dialects", "compiler/memory", "compiler/target"},
    "compiler/kernels": {"dialects", "compiler/memory", "compiler/explain", "compiler/np", "compiler/target"},
    "compiler/codegen": {"dialects", "runtime", "compiler/target"},
    "compiler/cpu": {"dialects", "compiler/memory", "compiler/np", "compiler/kernels", "compiler/codegen", "compiler/target"},
    "compiler/debug": {"dialects", "compiler/memory", "compiler/np", "compiler/kernels", "compiler/codegen", "compiler/target"},
    "compiler/gpu/emit": {"dialects", "compiler/memory", "compiler/kernels", "compiler/target"},
    "compiler/gpu/image": {"dialects", "compiler/codegen"},
    "compiler/gpu": {"dialects", "compiler/memory", "compiler/explain", "compiler/np", "compiler/kernels", "compiler/codegen", "compiler/target", "compiler/gpu/emit",
                     "compiler/gpu/image"},
}
OF_ALL = {"compiler/Options.h"}  # what was asked for
ROOMS_OF = ("compiler", "dialects")


def room_of(path):
    """The room that a file is in; None for those that join rooms, in compiler/ itself."""
    folder = os.path.dirname(path)
    if folder == "compiler":
        return None
    return next((room for room in sorted(USES, key=len, reverse=True) if (folder + "/").startswith(room + "/")), folder.split("/")[0])


def complaints(includes):
    """`includes`: (file, what it includes), both from the root."""
    for path, included in includes:
        room, other = room_of(path), room_of(included)
        if room is None or room == other or included in OF_ALL:
            continue
        if room not in USES:
            yield f"{path} is in a room that is not listed: {room}"
        elif other not in USES[room]:
            yield f"{path} includes {included}: {room} does not use {other or 'what joins the rooms'}"


def find_includes(root):
    for top in ROOMS_OF:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".cpp", ".h", ".def", ".td")):
                    path = os.path.join(folder, name)
                    with open(path, errors="replace") as file:
                        for included in re.findall(r'^#?include "((?:compiler|dialects|frontend|runtime)/[^"]+)"', file.read(), re.M):
                            yield os.path.relpath(path, root), included


def main():
    includes = list(find_includes(sys.argv[1]))
    found = list(complaints(includes))
    print("\n".join(found + [f"{len(includes)} includes, {len(found)} complaints"]))
    return 1 if found or not includes else 0


if __name__ == "__main__":
    sys.exit(main())
