"""npcc.cuda with the CPU in a GPU's place (NPCC_CUDA_TARGET=cpu, or debug): arrays, records and arrays of other libraries, as programs for a GPU use them."""
import os
import subprocess
import sys
import textwrap
import unittest

PRELUDE = """
import numpy as np, npcc
from npcc import cuda

class Other:
    "Another library's array, of which only the interface is known."
    def __init__(self, array):
        self.array = array
    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__

@cuda.jit
def increase(x, by):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += by
"""


class OnTheHost(unittest.TestCase):
    def run_program(self, text, target="cpu"):
        environment = dict(os.environ, NPCC_CUDA_TARGET=target)
        done = subprocess.run([sys.executable, "-c", "import sys; exec(compile(open(sys.argv[1]).read(), sys.argv[1], 'exec'))", self.write(text)],
                              capture_output=True, text=True, env=environment, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def write(self, text):
        import tempfile
        file = tempfile.NamedTemporaryFile("w", suffix=".py", delete=False)
        self.addCleanup(os.unlink, file.name)
        with file:
            file.write(PRELUDE + textwrap.dedent(text))
        return file.name

    def test_arrays_of_others(self):
        self.run_program("""
            device = cuda.get_current_device()
            assert device.WARP_SIZE == 32 and device.MAX_THREADS_PER_BLOCK == 1024 and device.MULTIPROCESSOR_COUNT >= 1
            d = cuda.to_device(np.arange(10.0))
            assert cuda.is_cuda_array(d) and not cuda.is_cuda_array(np.arange(3)) and d.__cuda_array_interface__["strides"] is None
            other = Other(d)
            increase[1, 32](other, 5)                         # in place
            assert (d.copy_to_host() == np.arange(10) + 5).all()
            view = cuda.as_cuda_array(Other(d[::2]))
            view[:] = 0
            assert (d.copy_to_host()[::2] == 0).all() and view.alloc_size == 8 * 9
            masked = dict(d.__cuda_array_interface__, mask=d)
            try:
                cuda.from_cuda_array_interface(masked)
            except NotImplementedError as error:
                assert str(error) == "Masked arrays are not supported"
            else:
                raise AssertionError
            increase[1, 32](Other(cuda.device_array(0)), 1)   # nothing is done

            @npcc.vectorize(["float64(float64, float64)"], target="cuda")
            def added(a, b):
                return a + b

            out = cuda.device_array(10)
            assert (added(Other(d), 1.0).get() == d.get() + 1).all()
            added(d, 2.0, out=Other(out))
            assert (out.get() == d.get() + 2).all()
        """)

    def test_races_of_programs_for_gpus(self):
        """With NPCC_CUDA_TARGET=debug the same arrays, and the kernels of the debug target."""
        self.run_program("""
            @cuda.jit
            def mirror(x, waits):
                part = cuda.shared.array(32, np.float64)
                t = cuda.threadIdx.x
                part[t] = x[t]
                if waits:
                    cuda.syncthreads()
                x[t] = part[31 - t]

            @npcc.vectorize(["float64(float64)"], target="cuda")
            def doubled(x):
                return x + x

            d = cuda.to_device(np.arange(32.0))
            mirror[1, 32](d, True)
            assert (d.copy_to_host() == np.arange(32.0)[::-1]).all()
            try:
                mirror[1, 32](d, False)
            except RuntimeError as error:
                assert "kernel 'mirror': a race" in str(error), error
            else:
                raise AssertionError
            assert (doubled(d).copy_to_host() == 2 * d.copy_to_host()).all()
        """, target="debug")

    def test_records(self):
        self.run_program("""
            inner = np.dtype([("i", "i4"), ("j", "f4", (2, 3))])
            dtype = np.dtype([("a", "f8"), ("b", "c8"), ("name", "U5"), ("inner", inner)], align=True)
            d = cuda.device_array(3, dtype)
            for k in range(3):
                d[k]["a"], d[k]["b"], d[k]["name"] = k / 2, k * 1j, "x" * k
                d[k]["inner"]["i"] = k
                d[k]["inner"]["j"][:] = np.full((2, 3), k)
            d[1]["inner"]["j"][0, 2] = 7
            host = d.copy_to_host()
            assert host["a"].tolist() == [0, 0.5, 1] and host["b"].tolist() == [0, 1j, 2j] and host["name"].tolist() == ["", "x", "xx"]
            assert host["inner"]["j"][1].tolist() == [[1, 1, 7], [1, 1, 1]] and d[2]["name"] == "xx" and d[1]["a"] == 0.5
            assert d["inner"]["i"].copy_to_host().tolist() == [0, 1, 2]

            from npcc.cuda import devicearray
            record, copied = devicearray.auto_device(host[1])
            assert copied and record.shape == () and record.alloc_size == dtype.itemsize and record.copy_to_host() == host[1]
            like = devicearray.from_record_like(record)
            assert like.gpu_data != record.gpu_data and devicearray.is_cuda_ndarray(like)
            try:
                d[0]["none"]
            except KeyError as error:
                assert error.args == ("none",)
        """)

    def test_orders_and_views(self):
        self.run_program("""
            from npcc.cuda import devicearray
            for host in (np.zeros((3, 4)), np.zeros((3, 4), order="F"), np.zeros((6, 8))[::2, ::2], np.zeros((6, 8), order="F")[::2, ::2]):
                like = cuda.device_array_like(host)
                assert like.strides == np.empty_like(host).strides and like.shape == host.shape
                assert devicearray.is_contiguous(like) == (host.strides[1] <= host.strides[0])
                assert all(f(host).strides == like.strides for f in (cuda.pinned_array_like, cuda.mapped_array_like))
            f = cuda.to_device(np.arange(6).reshape(2, 3, order="F"))
            assert f.copy_to_host().flags.f_contiguous and f.ravel(order="A").get().tolist() == list(range(6))
            repeated = np.broadcast_to(np.arange(3), (4, 3))
            assert devicearray.array_core(repeated).shape == (3,)
            d = cuda.to_device(np.arange(12).reshape(3, 4))
            for axes, words in (((0, 0), "repeated axis in transpose"), ((0, 2), "axis 2 is out of bounds for array of dimension 2")):
                try:
                    d.transpose(axes)
                except ValueError as error:
                    assert words in str(error)
                else:
                    raise AssertionError
            assert (d.transpose(1, 0).get() == np.arange(12).reshape(3, 4).T).all() and (d.T.get() == d.transpose().get()).all()
        """)


if __name__ == "__main__":
    unittest.main()
