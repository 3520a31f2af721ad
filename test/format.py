#!/usr/bin/env python3
"""What was written since this check is there has the project's form: lines of C and C++ are as clang-format writes them, no line is longer than those of its
kind may be, and Python can be read.

  format.py [COMMIT]             what was written since another commit
  format.py --write [COMMIT]     writes those lines of C and C++ so

Lines that nobody touched are left alone: files are brought into form where they are worked on. Exit status 77: there is no git or no clang-format.
"""
import ast
import os
import re
import shutil
import subprocess
import sys

# The most columns by the end of a name, of files that people write.
WIDTHS = {".cpp": 120, ".h": 120, ".c": 120, ".cu": 120, ".td": 120, ".py": 160, ".sh": 160}
FORMATTED = (".cpp", ".h", ".c", ".cu")
CLANG_FORMAT, GIT_CLANG_FORMAT = "clang-format-22", "git-clang-format-22"


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True)


def base():
    """The commit that changes count from: the one with which this file came; None where there is none."""
    commits = git("log", "--diff-filter=A", "--format=%H", "--", os.path.relpath(os.path.abspath(__file__))).stdout.split()
    return commits[-1] if commits else None


def added_lines(diff):
    """(file, number, text) of each line that a diff without context adds."""
    path, number = None, 0
    for line in diff.splitlines():
        if line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else None
        elif head := re.match(r"@@ -\S+ \+(\d+)", line):
            number = int(head[1])
        elif line.startswith("+") and path:
            yield path, number, line[1:]
            number += 1


def complaints(lines):
    """What is wrong with added lines by themselves."""
    for path, number, text in lines:
        width = WIDTHS.get(os.path.splitext(path)[1])
        if width is None:
            continue
        if len(text) > width:
            yield f"{path}:{number}: {len(text)} columns, where {width} are the most"
        if text != text.rstrip():
            yield f"{path}:{number}: blanks at the end"
        if "\t" in text:
            yield f"{path}:{number}: a tab"


def unreadable(paths):
    for path in paths:
        if path.endswith(".py") and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            try:
                ast.parse(text, path)
            except SyntaxError as error:
                yield f"{path}:{error.lineno}: {error.msg}"
            if text and not text.endswith("\n"):
                yield f"{path}: no newline at the end"


def suspects(lines):
    """The files of C and C++ among those of added lines in which clang-format would change something at such a line or beside one. One process looks at
    all files for that; git-clang-format, which knows exactly, needs several for each file."""
    added = {}
    for path, number, _ in lines:
        if path.endswith(FORMATTED):
            added.setdefault(path, set()).update((number - 1, number, number + 1))
    if not added:
        return []
    errors = subprocess.run([CLANG_FORMAT, "--dry-run", *sorted(added)], capture_output=True, text=True).stderr
    places = re.findall(r"^(.+?):(\d+):\d+: (?:warning|error): ", errors, re.MULTILINE)
    return sorted({path for path, number in places if int(number) in added.get(path, ())})


def formatted(since, paths, *options):
    command = [GIT_CLANG_FORMAT, "--binary", CLANG_FORMAT, "--extensions", ",".join(end[1:] for end in FORMATTED), *options, since, "--", *paths]
    return subprocess.run(command, capture_output=True, text=True)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    since = arguments[0] if arguments else base()
    if since is None or not all(map(shutil.which, ("git", CLANG_FORMAT, GIT_CLANG_FORMAT))):
        print("no git history, or no clang-format-22")
        return 77
    lines = list(added_lines(git("diff", "--unified=0", "--no-color", "--no-ext-diff", since).stdout))
    paths = suspects(lines)
    if "--write" in sys.argv:
        print(formatted(since, paths, "--force").stdout if paths else "", end="")
        return 0
    found = [*complaints(lines), *unreadable(sorted({path for path, _, _ in lines}))]
    form = formatted(since, paths, "--diff") if paths else None
    if form and "\n@@ " in form.stdout:
        found.append(f"clang-format writes it so, and ./dev format does it:\n{form.stdout}")
    elif form and form.returncode > 1:
        found.append(form.stderr)
    print("\n".join(found) or f"{len(lines)} lines since {since[:12]} have the project's form")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
