# REQUIRES: nvrtc
# RUN: %python %s
"""Kernels by their names: extern "C", C++ functions, overloads, instances of templates; in sources, PTX and machine code."""
import tempfile
from pathlib import Path

import npcc
from npcc.kernels import images, parameters, symbols

SOURCE = '''
extern "C" __global__ void plain(const float *__restrict__ x, float *y, unsigned n) { y[n] = x[n]; }
namespace inner { __global__ void nested(double *x) { *x = 1; } }
__global__ void twice(int *x) { *x *= 2; }
__global__ void twice(float *x) { *x *= 2; }
template <typename T, int N> __global__ void fill(T *x, T value) { x[N] = value; }
__device__ int counter;
'''
module = npcc.RawModule(code=SOURCE, name_expressions=("fill<float, 3>", "fill<short, 1>", "&counter"))
image = module._source.image()
assert symbols.kind_of(image.data) == "cubin", image.data[:8]
assert sorted(module.kernels) == ["fill<float, 3>(float*, float)", "fill<short, 1>(short*, short)", "inner::nested(double*)", "plain", "twice(float*)", "twice(int*)"], module.kernels
assert image.symbol("plain") == "plain"
for name in ("inner::nested", "fill<float, 3>", "fill<float,3>"):
    assert image.symbol(name) in image.kernels, name
assert image.lowered["&counter"] == "counter" or image.lowered["&counter"].startswith("_Z"), image.lowered
try:
    image.symbol("twice")
except ValueError as error:
    assert str(error) == "there are several kernels 'twice': twice(float*), twice(int*)", str(error)
else:
    raise AssertionError("found")

# What they take.
D = parameters.DTYPES
assert parameters.of_kernel("plain", SOURCE) == (("P", D["float32"], 8, "const float *__restrict__ x"), ("P", D["float32"], 8, "float *y"), ("S", D["uint32"], -1, "unsigned n"))
assert [p[:2] for p in parameters.of_kernel(image.symbol("fill<short, 1>"), SOURCE)] == [("P", D["int16"]), ("S", D["int16"])]
assert parameters.of_kernel("plain", None) is None
for text, expected in (("unsigned long long int x", ("S", "uint64")), ("const int x", ("S", "int32")), ("float x[]", ("P", "float32")), ("float const *const x", ("P", "float32")),
                       ("long x", ("S", "int64")), ("size_t n", ("S", "uint64")), ("int64_t n", ("S", "int64")), ("thrust::complex<float> z", ("S", "complex64")),
                       ("cuda::std::complex<double> *z", ("P", "complex128")), ("float **x", ("P", None)), ("void *x", ("P", None)), ("float4 *x", ("P", None)),
                       ("Settings s", ("U", None)), ("const __grid_constant__ Settings s", ("U", None)), ("float (*f)(float)", ("U", None)), ("bool b", ("S", "bool")),
                       ("unsigned char *b", ("P", "uint8")), ("char c", ("S", "int8")), ("__half h", ("S", "float16")), ("int n = 3", ("S", "int32"))):
    kind, dtype, _, shown = parameters.parameter(text, named=True)
    assert (kind, dtype) == (expected[0], -1 if expected[1] is None else D[expected[1]]), (text, kind, dtype)
for source, expected in (('extern "C" __global__ void f(int a, /* int b, */ float *c) {}', 2), ('extern "C" __global__ void f() {}', 0), ('extern "C" __global__ void f(void) {}', 0),
                         ('__global__ void __launch_bounds__(256) f(int a) {}', 1), ('void f(int a); extern "C" __global__ void f(int a, int b);', 2),
                         ("#define K(n) __global__ void n(int a)\nK(f) {}", None)):
    found = parameters.from_source(source, "f")
    assert (None if found is None else len(found)) == expected, (source, found)

# Complex numbers as programs for CuPy have them.
for source in ('#include <cupy/complex.cuh>\nextern "C" __global__ void f(complex<float> *z, complex<double> w) { *z = conj(*z) * 2.0f + complex<float>(w); }',
               '#include <cuComplex.h>\nextern "C" __global__ void f(cuFloatComplex *z, cuDoubleComplex w) { *z = cuCmulf(*z, make_cuFloatComplex(w.x, w.y)); }'):
    npcc.RawKernel(source, "f", translate_cucomplex=True).compile()
    assert [p[:2] for p in parameters.from_source(source, "f")] == [("P", D["complex64"]), ("S", D["complex128"])]

# Files.
with tempfile.TemporaryDirectory() as folder:
    for arch, kind in (("sm_90", "cubin"), ("compute_90", "ptx")):
        data = images.Source(SOURCE, (f"-arch={arch}",)).image().data
        assert symbols.kind_of(data) == kind
        path = Path(folder, f"module.{kind}")
        path.write_bytes(data.rstrip(b"\0") if kind == "ptx" else data)
        loaded = npcc.RawModule(path=path)
        assert "plain" in loaded.kernels and "twice(int*)" in loaded.kernels, loaded.kernels
        loaded.get_function("plain")
    fatbin = Path(folder, "module.fatbin")
    fatbin.write_bytes(b"\x50\xed\x55\xba\x01\x00\x10\x00")
    assert npcc.RawModule(path=fatbin).kernels is None
    other = Path(folder, "notes.txt")
    other.write_text("nothing")
    for arguments, error in ((dict(path=other), ValueError), (dict(path=Path(folder, "none.cubin")), FileNotFoundError), ({}, TypeError),
                             (dict(code="", path=other), TypeError), (dict(code="", backend="nvcc"), ValueError)):
        try:
            npcc.RawModule(**arguments)
        except error:
            pass
        else:
            raise AssertionError(arguments)
