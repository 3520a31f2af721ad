#!/usr/bin/env python3
"""Every name that a library gives the linker has one definition, and that definition is declared where everybody sees it.

  definitions.py BUILD NM NINJA FOLDER...     the objects below BUILD/FOLDER, which are linked into one file

C++ lets two files define one function differently without a word from the compiler: where one of the two is inline,
the linker keeps the other and calls of both go there. So for the names of namespace npcc:

  * a function or variable that is not inline is defined in one object only, and no object has an inline one of the
    same name beside it;
  * a function that is inline comes from a header that all objects which have it include;
  * what no header names is local to its file, and belongs into an unnamed namespace.
"""
import collections
import os
import re
import subprocess
import sys

NAMESPACES = {"frontend", "np", "py", "cuda", "extension", "detail", "impl"}
Object = collections.namedtuple("Object", "name strong weak headers")


def complaints(objects, read):
    """What is wrong: sentences. `objects` have sets of names that a person can read; `read` gives the text of a header."""
    strong, weak = collections.defaultdict(list), collections.defaultdict(list)
    for each in objects:
        for name in each.strong:
            strong[name].append(each)
        for name in each.weak:
            weak[name].append(each)
    words = {}

    def mentions(header, wanted):
        if header not in words:
            words[header] = set(re.findall(r"\w+", read(header)))
        return wanted <= words[header]

    for name in sorted(set(strong) | set(weak)):
        places = ", ".join(each.name for each in strong[name] + weak[name])
        if len(strong[name]) > 1 or (strong[name] and weak[name]):
            kind = "inline in one place and not in another" if weak[name] else "defined more than once"
            yield f"{name} is {kind}: {places}"
            continue
        shared = set.intersection(*(set(each.headers) for each in strong[name] + weak[name]))
        wanted = set(parts(name))
        if len(weak[name]) == 1 and len(wanted) > 1:
            wanted = set(parts(name)[:-1])  # of a class that a header declares and one file alone defines
        if not any(mentions(header, wanted) for header in sorted(shared)):
            if len(weak[name]) > 1:
                yield f"{name} comes from no header that all of these include, so its definitions may differ: {places}"
            else:
                yield f"{name} is declared in no header: it belongs into an unnamed namespace or is static: {places}"


def parts(name):
    """The words of a name that its declaration has: classes and the function, without namespaces, parameters and template arguments."""
    name = re.sub(r"\[abi:\w+\]", "", name)
    depth, kept = 0, []
    for before, character in zip(" " + name, name):
        depth += character in "<(" and not re.search(r"operator$", "".join(kept)[-8:])
        if depth == 0:
            kept.append(character)
        depth -= character in ">)" and depth > 0
    words = re.sub(r"operator.*| const$", "", "".join(kept)).replace("~", "").split("::")
    return [word for word in words[1:] if re.fullmatch(r"\w+", word) and word not in NAMESPACES]


def symbols(nm, paths):
    """For each object the external names of namespace npcc that it defines: those that are not inline, and those that are."""
    def run(*options):
        command = [nm, "--print-file-name", "--defined-only", "--extern-only", *options, *paths]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()

    found = {path: (set(), set()) for path in paths}
    for plain, readable in zip(run(), run("--demangle")):
        path, plain = re.fullmatch(r"(.*?\.o): ?(.*)", plain).groups()
        kind, mangled = plain.split()[-2:]
        name = readable[len(path) + 1:].strip().split(" ", 2)[2]
        strong, weak = found[path]
        # Templates of others for our types (_ZN4mlir...) are theirs; so are the variables inside a function (_ZZN...), which go with it.
        if not re.match(r"_Z(T[VTIS])?NK?4npcc", mangled) or name.startswith(("vtable", "typeinfo")):
            continue
        if kind in "WVu":
            weak.add(name)
        elif kind in "TDBRGS":
            strong.add(name)
    return found


def headers_by_object(ninja, build):
    """The headers of the repository, and those made in the build, that each object was compiled with."""
    headers, current = {}, None
    for line in subprocess.run([ninja, "-C", build, "-t", "deps"], check=True, capture_output=True, text=True).stdout.splitlines():
        if line and not line.startswith(" "):
            current = headers.setdefault(os.path.join(build, line.split(": #deps")[0]), [])
        elif line.strip() and not line.strip().startswith("/usr") and not line.strip().endswith((".cpp", ".c")):
            current.append(os.path.normpath(os.path.join(build, line.strip())))
    return headers


def main():
    build, nm, ninja, *folders = sys.argv[1:]
    headers = headers_by_object(ninja, build)
    paths = [path for folder in folders for path in sorted(headers)
             if path.startswith(os.path.join(build, folder) + os.sep) and path.endswith(".o") and os.path.exists(path)]
    if not paths:
        sys.exit(f"no objects below {build} in {folders}")
    objects = [Object(os.path.basename(path), *names, headers[path]) for path, names in symbols(nm, paths).items()]

    def read(header):
        with open(header, errors="replace") as file:
            return file.read()

    found = list(complaints(objects, read))
    for each in found:
        print(each)
    print(f"{len(objects)} objects, {sum(len(each.strong) for each in objects)} names, {len(found)} complaints")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
