"""Runs the Python blocks of a page of the documentation, later ones with the names of earlier ones."""
import linecache
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def run_page(name):
    """How many blocks ran."""
    text = (DOCS / name).read_text()
    names = {"__name__": "documented"}
    blocks = list(re.finditer(r"```python\n(.*?)```", text, re.DOTALL))
    for block in blocks:
        file = f"{name}, line {text[:block.start(1)].count(chr(10)) + 1}"
        # Compiled functions are read from their source.
        linecache.cache[file] = (len(block.group(1)), None, block.group(1).splitlines(keepends=True), file)
        exec(compile(block.group(1), file, "exec"), names)
    return len(blocks)
