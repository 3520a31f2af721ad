"""test/environment.py finds variables that the page lacks, and those that nothing reads."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import environment  # noqa: E402

READERS = {"runtime/a.cpp": 'getenv("NPCC_ONE")', "runtime/b.cpp": 'library.open("NPCC_TWO", {"libtwo.so"})',
           "frontend/c.py": 'os.environ.get("NPCC_THREE", "1")'}


class Environment(unittest.TestCase):
    def found(self, rows):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**READERS, "docs/environment.md": rows}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return environment.differences(Path(folder))

    def test_all_are_there(self):
        self.assertEqual(self.found("| `NPCC_ONE`, `NPCC_TWO` | of a library | not set |\n| `NPCC_THREE` | 1 or 0 | 1 |\n"), [])

    def test_missing_and_idle_ones(self):
        wrong = self.found("| `NPCC_ONE` | as NPCC_THREE | not set |\n| `NPCC_FOUR` | nothing | not set |\n| `NPCC_TWO` | | |\n")
        self.assertEqual(len(wrong), 2)
        self.assertIn("NPCC_THREE", wrong[0])
        self.assertIn("NPCC_FOUR", wrong[1])


if __name__ == "__main__":
    unittest.main()
