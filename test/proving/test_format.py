"""test/format.py finds lines that do not have the project's form, and only those that changed."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "format.py"))
sys.path.insert(0, os.path.dirname(TOOL))
import format  # noqa: E402


class Format(unittest.TestCase):
    def test_lines_of_a_diff(self):
        diff = "--- a/x.py\n+++ b/x.py\n@@ -3,0 +4,2 @@ def f():\n+    a = 1\n+    b = 2\n@@ -9 +12 @@\n-old\n+new\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"
        self.assertEqual(list(format.added_lines(diff)), [("x.py", 4, "    a = 1"), ("x.py", 5, "    b = 2"), ("x.py", 12, "new")])

    def test_what_lines_may_be(self):
        good = [("a.cpp", 1, "x" * 120), ("a.py", 1, "x" * 160), ("a.md", 1, "x" * 300 + " \t")]
        self.assertEqual(list(format.complaints(good)), [])
        bad = [("a.td", 7, "x" * 121), ("a.py", 2, "x" * 161), ("a.h", 3, "x "), ("a.c", 4, "\tx")]
        self.assertEqual([line.split(": ")[0] for line in format.complaints(bad)], ["a.td:7", "a.py:2", "a.h:3", "a.c:4"])

    @unittest.skipUnless(all(map(shutil.which, ("git", format.CLANG_FORMAT, format.GIT_CLANG_FORMAT))), "no clang-format")
    def test_a_history(self):
        with tempfile.TemporaryDirectory() as folder:
            def git(*arguments):
                subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=folder, check=True, capture_output=True)

            def write(name, text, commits=True):
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
                git("add", name)
                if commits:
                    git("commit", "-qm", name)

            def check(*options):
                done = subprocess.run([sys.executable, "format.py", *options], cwd=folder, capture_output=True, text=True)
                return done.returncode, done.stdout

            git("init", "-q")
            write(".clang-format", "BasedOnStyle: LLVM\n")
            write("old.cpp", "int  f( ) ;\n")
            shutil.copy(TOOL, folder)
            self.assertEqual(check()[0], 77)  # it is in no commit
            git("add", "format.py")
            git("commit", "-qm", "format.py")
            write("new.cpp", "int g();\n")
            status, words = check()
            self.assertEqual(status, 0, words)  # old.cpp was not touched
            write("new.cpp", "int g();\nint  h( ) ;\n", commits=False)
            status, words = check()
            self.assertEqual(status, 1)
            self.assertIn("+int h();", words)
            self.assertEqual(check("--write")[0], 0)
            with open(os.path.join(folder, "new.cpp")) as file:
                self.assertEqual(file.read(), "int g();\nint h();\n")
            git("commit", "-qam", "new.cpp")
            self.assertEqual(check()[0], 0)
            write("bad.py", "x = (\n", commits=False)
            status, words = check()
            self.assertEqual(status, 1)
            self.assertIn("bad.py:1: '(' was never closed", words)


if __name__ == "__main__":
    unittest.main()
