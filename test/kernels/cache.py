# REQUIRES: nvrtc
# RUN: %python %s
"""Compiled kernels are kept on disk by all that they depend on: source, options, architecture, and what the included files hold."""
import os
import tempfile
from pathlib import Path

os.environ["NPCC_CACHE"] = "1"
import npcc
from npcc.kernels import images, nvrtc

SOURCE = '#include "value.h"\nextern "C" __global__ void f(float *x) { *x = VALUE; }'
library = nvrtc.library()
compiled = []
compile_ = library.compile
library.compile = lambda *arguments: compiled.append(arguments) or compile_(*arguments)


def count(source, *options):
    """How often the source is compiled for a new Source."""
    compiled.clear()
    image = images.Source(source, options, ("f",) if "template" in source else ()).image()
    assert image.data
    return len(compiled)


with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as headers:
    os.environ["NPCC_CACHE_DIR"] = cache
    header, nested = Path(headers, "value.h"), Path(headers, "nested.h")
    nested.write_text("#define VALUE 1\n")
    header.write_text('#include "nested.h"\n')
    include = f"-I{headers}"
    assert count(SOURCE, include) == 1
    assert count(SOURCE, include) == 0
    entries = list(Path(cache).glob("*.npcc"))
    assert len(entries) == 1, entries
    assert count(SOURCE + " ", include) == 1
    assert count(SOURCE, include, "-DOTHER") == 1
    assert count(SOURCE, include, "-arch=sm_80") == 1
    assert count(SOURCE, include, "-arch=compute_80") == 1
    nested.write_text("#define VALUE 2\n")
    assert count(SOURCE, include) == 1
    nested.write_text("#define VALUE 1\n")
    assert count(SOURCE, include) == 0
    assert count(SOURCE, "--include-path", headers) == 1
    assert count(SOURCE, "--include-path", headers) == 0

    # A file that a macro names is not known: nothing is kept.
    unknown = '#define FILE "value.h"\n#include FILE\nextern "C" __global__ void f(float *x) { *x = VALUE; }'
    assert [count(unknown, include) for _ in range(2)] == [1, 1]

    # What is damaged is compiled again; a module keeps the names of its expressions.
    for entry in Path(cache).glob("*.npcc"):
        entry.write_bytes(entry.read_bytes()[:-1])
    assert count(SOURCE, include) == 1
    template = "template <typename T> __global__ void fill(T *x) { *x = 1; }"
    symbols = [npcc.RawModule(code=template, name_expressions=["fill<float>"])._source.image().symbol("fill<float>") for _ in range(2)]
    assert symbols[0] == symbols[1] and symbols[0].startswith("_Z"), symbols

    os.environ["NPCC_CACHE"] = "0"
    assert [count(SOURCE, include) for _ in range(2)] == [1, 1]

    # One Source compiles once, whatever the disk says.
    source = images.Source(SOURCE, (include,))
    compiled.clear()
    assert source.image() is source.image() and len(compiled) == 1
