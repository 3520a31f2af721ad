# REQUIRES: nvrtc
# RUN: %python %s
"""What does not compile is an npcc.CompileError with the kernel's name, the line, the column and the source line; all errors at once."""
import os
import tempfile
import traceback

import npcc

SOURCE = '''extern "C" __global__ void broken(float *x, int n) {
  int i = threadIdx.x;
	if (i < n) x[i] = foo(x[i]) + missing;
  x[0] = ;
}
'''


def error_of(attempt):
    try:
        attempt()
    except npcc.CompileError as error:
        return error
    raise AssertionError("compiled")


for attempt in (lambda: npcc.RawKernel(SOURCE, "broken").compile(), lambda: npcc.RawKernel(SOURCE, "broken", ("-std=c++17",)).compile()):
    error = error_of(attempt)
    assert (error.filename, error.lineno, error.text.strip()) == ("broken.cu", 3, "if (i < n) x[i] = foo(x[i]) + missing;"), error.args
    assert error.text[error.offset - 1:].startswith("foo"), (error.offset, error.text)
    assert error.kernel == "broken" and str(error).startswith("kernel 'broken': identifier \"foo\" is undefined"), str(error)
    assert "broken.cu(4): error: expected an expression" in error.log
    shown = "".join(traceback.format_exception_only(error))
    for line in ('File "broken.cu", line 3', "if (i < n) x[i] = foo(x[i]) + missing;", 'identifier "missing" is undefined', 'File "broken.cu", line 4', "expected an expression"):
        assert line in shown, shown

# In a header, and what is not found.
with tempfile.TemporaryDirectory() as folder:
    header = os.path.join(folder, "wrong.h")
    with open(header, "w") as file:
        file.write("#pragma once\n__device__ float wrong() { return nothing; }\n")
    source = '#include "wrong.h"\nextern "C" __global__ void f(float *x) { *x = wrong(); }'
    error = error_of(npcc.RawKernel(source, "f", (f"-I{folder}",)).compile)
    assert (error.filename, error.lineno) == (header, 2) and "nothing" in error.text, error.args
    error = error_of(npcc.RawKernel(source, "f").compile)
    assert "open source file" in str(error) and error.lineno == 1, str(error)

# Options that NVRTC does not know, and an instance of a template that is not there.
assert "kernel 'f': " in str(error_of(npcc.RawKernel('extern "C" __global__ void f() {}', "f", ("--no-such-option",)).compile))
assert "kernel 'g<int>'" in str(error_of(npcc.RawKernel("template <typename T> __global__ void f(T *x) {}", "g<int>").compile))

# The user's own text, where the source is made of it.
error = error_of(lambda: npcc.SourceModule("__global__ void f(float *a) {\n  a[0] = nothing;\n}"))
assert (error.lineno, error.text.strip()) == (2, "a[0] = nothing;"), error.args

# No error at all, but a name that is not there.
for attempt in (npcc.RawKernel('extern "C" __global__ void f() {}', "g").compile, lambda: npcc.RawModule(code="__global__ void f() {}").get_function("g")):
    try:
        attempt()
    except ValueError as error:
        assert str(error).startswith("there is no kernel 'g'; the kernels here are: f"), str(error)
    else:
        raise AssertionError("found")
for options in ("-std=c++17", ):
    try:
        npcc.RawKernel("", "f", options)
    except TypeError as error:
        assert "a tuple of strings" in str(error)
    else:
        raise AssertionError("accepted")
