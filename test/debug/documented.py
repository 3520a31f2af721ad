# RUN: %python %s
"""The examples of docs/debugging.md give what stands below them."""
import linecache
import re
import traceback
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "debugging.md"
text = PAGE.read_text()
examples = list(re.finditer(r"```python\n(.*?)```\n```text\n(.*?)```", text, re.DOTALL))
assert len(examples) == text.count("```python") >= 3
names = {"__name__": "documented"}
for example in examples:  # later ones use what earlier ones define
    source, expected = example.groups()
    file = f"debugging.md, line {text[:example.start(1)].count(chr(10)) + 1}"
    # Compiled functions are read from their source.
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    try:
        exec(compile(source, file, "exec"), names)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        assert place.name == "compiled code", (file, error)
        got = f"{type(error).__name__}: {error}\n  line {place.lineno}, in compiled code: {place.line}\n"
        assert got == expected, (file, got)
    else:
        raise AssertionError(f"{file}: no error")
