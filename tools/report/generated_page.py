"""The command line of a script that makes a page of docs/: `write` writes the page, `check` fails where it is not current."""
import argparse
import difflib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def write_or_check(page, make, description):
    """Reads the action from the command line. `make()` returns the text that `page`, a path in this project, must hold."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("action", choices=["write", "check"])
    action = parser.parse_args().action
    text = make()
    old = page.read_text() if page.exists() else ""
    if action == "write":
        page.write_text(text)
    elif text != old:
        name = str(page.relative_to(ROOT))
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), name, "now"))
        sys.exit(f"{name} is not current: python3 {Path(sys.argv[0]).resolve().relative_to(ROOT)} write")
