#!/usr/bin/env python3
"""docs/environment.md has the variables that the sources read, and no others: environment.py [root]."""
import re
import sys
from pathlib import Path

FOLDERS = ("compiler", "frontend", "runtime")
ENDINGS = {".cpp", ".h", ".c", ".py"}
# getenv("NPCC_SEED"), os.environ.get("NPCC_CACHE", "1"), library.open("NPCC_CUFFT", ...)
READ = re.compile(r'(?:getenv|environ\.get|environ|\bopen)\s*[\[(]\s*"(NPCC_[A-Z_]+)"')


def variables_read(root):
    """Variable -> a file that reads it."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in ENDINGS:
                for name in READ.findall(path.read_text(errors="replace")):
                    found.setdefault(name, path.relative_to(root))
    return found


def differences(root):
    """One line for each variable that only one of the two has."""
    read = variables_read(root)
    rows = [line.split("|")[1] for line in (root / "docs" / "environment.md").read_text().splitlines() if line.startswith("| `")]
    shown = {name for row in rows for name in re.findall(r"NPCC_[A-Z_]+", row)}
    return ([f"{read[name]} reads {name}, which docs/environment.md does not have" for name in sorted(read.keys() - shown)]
            + [f"docs/environment.md has {name}, which nothing reads" for name in sorted(shown - read.keys())])


if __name__ == "__main__":
    wrong = differences(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    print("\n".join(wrong) or "docs/environment.md has all variables")
    sys.exit(1 if wrong else 0)
