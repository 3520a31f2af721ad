#!/usr/bin/env python3
"""docs/passes.md: every pass of the compiler, with what it does, an example and the test of its name.

    python3 tools/report/passes.py write     writes the page
    python3 tools/report/passes.py check     fails if the page is not current, or if a pass lacks one of these

What a pass does stands where its code begins, in the comment above its file's first include, with the IR before and
after; its name and options are in its room's Passes.td, which npcc-opt --help shows too. (A room may have the description
in Passes.td instead.) The passes are in the order in which they are declared there.
"""
import re
import sys
from pathlib import Path

from generated_page import ROOT, write_or_check

PAGE = ROOT / "docs" / "passes.md"
ROOMS = {"np": "On operations and arrays", "kernels": "Values to kernels, and kernels for all targets", "cpu": "Kernels for the CPU",
         "debug": "Kernels for the target debug", "gpu": "Kernels for a GPU", "gpu/emit": "Kernels to threads", "gpu/image": "Threads to machine code",
         "codegen": "The host's code"}
BEGIN = """# The passes

Every pass of the compiler, from its own source: what it does, the IR before and after, and the test that runs it. `npcc-opt --NAME file.mlir` runs one.
Which pass comes when is in `compiler/Pipeline.cpp` and in the pipelines of the targets. This page is written by `tools/report/passes.py`; a test
fails where it is not current, and where a pass has no example or no test of its name.
"""


class Pass:
    def __init__(self, room, name, argument, body, sources):
        self.name, self.argument, self.room = name, argument, room
        self.summary = re.search(r'let summary = "(.*?)";', body).group(1)
        self.options = re.findall(r'Option<"\w+", "([\w-]+)", "[^"]*", "(?:\\"|[^"])*",\s*"([^"]*)"', body)
        described = re.search(r"let description = \[\{\n(.*?)\n\s*\}\]", body, re.S)
        self.source = sources.get(name.upper())
        self.text = strip_indent(described.group(1)) if described else ""
        if "```" not in self.text:
            self.text = read_header(self.source) if self.source else ""
        tests = sorted((ROOT / "test").rglob(f"{argument.removeprefix('npcc-')}.mlir"))
        self.test = tests[0].relative_to(ROOT) if tests else None

    def complaints(self):
        if not self.source:
            yield f"{self.argument}: no source defines it"
        if "```" not in self.text:
            yield f"{self.argument}: neither Passes.td nor the comment above {self.source} has an example"
        if not self.test:
            yield f"{self.argument}: no test of its name"

    def section(self):
        lines = [f"### {self.argument}", "", f"*{self.summary}.*", "", self.text, ""]
        lines += [f"* `{name}`: {meaning}" for name, meaning in self.options] + [""] * bool(self.options)
        return "\n".join([*lines, f"[{self.source}](../{self.source}), [{self.test}](../{self.test})", ""])


def strip_indent(text):
    lines = text.split("\n")
    room = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[room:].rstrip() for line in lines).strip("\n")


def read_header(source):
    """The comment that a source begins with: what is indented there is code, but for the further lines of an item of a list, which stand under its text."""
    comment = re.match(r"(?://.*\n)*", (ROOT / source).read_text()).group()
    lines = [line[2:].removeprefix(" ").rstrip() for line in comment.splitlines()]
    if lines:
        lines[0] = re.sub(r"^npcc-[\w-]+: (\w)", lambda match: match[1].upper(), lines[0])
    out, inside, margin = [], False, ""
    for number, line in enumerate(lines):
        if item := re.match(r"(\* |\d+\. )", line):
            margin = " " * len(item[1])  # of the item's further lines
        elif not line.startswith(" "):
            margin = ""
        if margin and re.match(margin + r"\S", line) and not re.match(r"\s*([%^}]|\w+\.\w+ )", line):
            line = line.lstrip()
        is_code = line.startswith("  ") if line else inside and any(later.startswith("  ") for later in lines[number + 1:number + 2])
        if is_code != inside:
            out += ["```mlir"] if is_code else ["```"]
            inside = is_code
        out.append(line[2:] if is_code else line)
    return "\n".join(out + ["```"] * inside).strip("\n")


def find_sources():
    """{pass in capitals: the file that has its code}"""
    sources = {}
    for path in sorted((ROOT / "compiler").rglob("*.cpp")):
        for name in re.findall(r"#define GEN_PASS_DEF_(\w+)", path.read_text()):
            sources[name] = path.relative_to(ROOT)
    return sources


def find_passes():
    sources = find_sources()
    for room in ROOMS:
        text = (ROOT / "compiler" / room / "Passes.td").read_text()
        for match in re.finditer(r'^def (\w+) : Pass<"([\w-]+)"(.*?)^\}', text, re.S | re.M):
            yield Pass(room, match[1], match[2], match[3], sources)


def page(passes):
    parts = [BEGIN]
    for room, title in ROOMS.items():
        parts += [f"## {title}\n\nThe room `compiler/{room}`.\n", *(each.section() for each in passes if each.room == room)]
    return "\n".join(parts)


def make_page():
    passes = list(find_passes())
    complaints = [complaint for each in passes for complaint in each.complaints()]
    declared = {str(path.parent.relative_to(ROOT / "compiler")) for path in (ROOT / "compiler").rglob("Passes.td")}
    complaints += [f"compiler/{room}/Passes.td is not on the page" for room in sorted(declared - set(ROOMS))]
    if complaints:
        sys.exit("\n".join(complaints))
    return page(passes)


if __name__ == "__main__":
    write_or_check(PAGE, make_page, __doc__.splitlines()[0])
