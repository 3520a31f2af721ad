"""test/definitions.py finds the ways in which two files can define one name, and nothing else."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test"))

from definitions import Object, complaints, parts, symbols  # noqa: E402

HEADERS = {"Alias.h": "bool mayAlias(Value a, Value b); struct Box { int size() const; };", "Loop.h": "inline bool mayAlias(Value a, Value b)",
           "Other.h": "inline bool mayAlias(Value a, Value b)", "Nothing.h": ""}
COMPILER = next((found for name in ("clang++-22", "clang++", "g++", "c++") if (found := shutil.which(name))), None)
NM = next((found for name in ("llvm-nm-22", "llvm-nm", "nm") if (found := shutil.which(name))), None)
NAME = "npcc::mayAlias(Value, Value)"


def found(*objects):
    return list(complaints(objects, HEADERS.__getitem__))


class Complaints(unittest.TestCase):
    def test_one_definition_is_right(self):
        self.assertEqual(found(Object("a.o", {NAME}, set(), ["Alias.h"]), Object("b.o", set(), set(), ["Alias.h"])), [])
        self.assertEqual(found(Object("a.o", set(), {NAME}, ["Loop.h"]), Object("b.o", set(), {NAME}, ["Nothing.h", "Loop.h"])), [])

    def test_inline_beside_one_that_is_not(self):
        text, = found(Object("a.o", {NAME}, set(), ["Alias.h"]), Object("b.o", set(), {NAME}, ["Loop.h"]))
        self.assertIn("inline in one place and not in another: a.o, b.o", text)

    def test_two_that_are_not_inline(self):
        text, = found(Object("a.o", {NAME}, set(), ["Alias.h"]), Object("b.o", {NAME}, set(), ["Alias.h"]))
        self.assertIn("defined more than once", text)

    def test_inline_in_two_headers(self):
        text, = found(Object("a.o", set(), {NAME}, ["Loop.h", "Nothing.h"]), Object("b.o", set(), {NAME}, ["Other.h", "Nothing.h"]))
        self.assertIn("no header that all of these include", text)

    def test_what_no_header_names(self):
        text, = found(Object("a.o", {NAME}, set(), ["Nothing.h"]))
        self.assertIn("unnamed namespace", text)

    def test_a_class_that_one_file_defines(self):
        self.assertEqual(found(Object("a.o", set(), {"npcc::Box::key() const"}, ["Alias.h"])), [])
        self.assertEqual(len(found(Object("a.o", set(), {"npcc::Bag::key() const"}, ["Alias.h"]))), 1)
        self.assertEqual(len(found(*(Object(name, set(), {"npcc::Box::key() const"}, ["Alias.h"]) for name in ("a.o", "b.o")))), 1)

    def test_words_of_names(self):
        self.assertEqual(parts("npcc::Box::size() const"), ["Box", "size"])
        self.assertEqual(parts("npcc::Box::~Box()"), ["Box", "Box"])
        self.assertEqual(parts("npcc::getPtx[abi:cxx11](mlir::ModuleOp)"), ["getPtx"])
        self.assertEqual(parts("npcc::Map<npcc::Box, int (*)(int)>::find(npcc::Box)"), ["Map", "find"])
        self.assertEqual(parts("npcc::Box::operator<(npcc::Box const&)"), ["Box"])


@unittest.skipUnless(COMPILER and NM, "a C++ compiler and nm")
class Symbols(unittest.TestCase):
    def test_of_an_object(self):
        text = """namespace npcc { int strong(int x) { return x; } inline int weak(int x) { return x; } static int here(int x) { return x; }
                  namespace { int hidden(int x) { return x; } } int use(int x) { return weak(x) + here(x) + hidden(x); } }
                  int outside(int x) { return x; }"""
        with tempfile.TemporaryDirectory() as folder:
            source, made = os.path.join(folder, "a.cpp"), os.path.join(folder, "a.o")
            with open(source, "w") as file:
                file.write(text)
            subprocess.run([COMPILER, "-O0", "-c", source, "-o", made], check=True)
            self.assertEqual(symbols(NM, [made]), {made: ({"npcc::strong(int)", "npcc::use(int)"}, {"npcc::weak(int)"})})


if __name__ == "__main__":
    unittest.main()
