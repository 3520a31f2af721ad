"""The examples of docs/random.md run."""
import linecache
import re
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "random.md"


class Documentation(unittest.TestCase):
    def test_examples(self):
        blocks = list(re.finditer(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL))
        self.assertGreater(len(blocks), 1)
        names = {"__name__": "documented"}
        for block in blocks:  # later ones use what earlier ones define
            file = f"random.md, line {PAGE.read_text()[:block.start(1)].count(chr(10)) + 1}"
            # Compiled functions are read from their source.
            linecache.cache[file] = (len(block.group(1)), None, block.group(1).splitlines(keepends=True), file)
            exec(compile(block.group(1), file, "exec"), names)


if __name__ == "__main__":
    unittest.main()
