"""Timings of every kernel class on a GPU, beside the device's own copy; and the emulator's checks, run on the device.

    python3 bench.py build FOLDER [NPCC_OPT]   here
    python3 bench.py run FOLDER [NAME...]      on the machine with the GPU: needs NumPy and libcuda.so.1
"""
import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import device

SOURCES = [os.path.join(HERE, "..", "emulator", "kernels.mlir"), os.path.join(HERE, "bench.mlir")]


def cases(p):
    """name, kernel, arguments, bytes moved at least"""
    def new(*shape, dtype=np.float64, offset=0):
        return device.DeviceArray(p.library, shape, dtype, offset).set(fill(shape, dtype))

    def fill(shape, dtype):
        base = np.random.default_rng(1).random(1 << 20) + 0.5
        return np.resize(base.astype(dtype), shape)

    f32 = np.float32
    n = 10**8
    x, y = new(n), new(n)
    yield "saxpy 1e8 f8", "saxpy", [2.0, x, y], 24 * n
    yield "saxpy 1e8 f8, off by one", "saxpy", [2.0, new(n, offset=1), y], 24 * n
    yield "dot 1e8 f8", "dot", [x, y, new()], 16 * n
    yield "sum 1e4 x 1e4 f8", "sumall", [new(10**4, 10**4), new()], 8 * n
    yield "saxpy 1e4 x 1e4 f8", "saxpy2", [2.0, new(10**4, 10**4), new(10**4, 10**4)], 24 * n
    yield "saxpy 1e8 f4", "saxpy32", [2.0, new(n, dtype=f32), new(n, dtype=f32)], 12 * n
    yield "escape 1e7", "escape", [new(10**7), new(10**7), new(10**7, dtype=np.int64)], 24 * 10**7
    del x, y
    n = 5 * 10**7
    yield "black-scholes 5e7 f8", "blackscholes", [new(n), new(n), new(n), new(n), new(n), 0.03, 0.2], 40 * n
    for side in (1000, 4096, 16384, 16383):
        yield f"heat {side}^2 f8", "heat", [new(side, side), new(side, side)], 16 * side**2
    yield "heat 16384^2 f4", "heat32", [new(16384, 16384, dtype=f32), new(16384, 16384, dtype=f32)], 8 * 16384**2
    yield "heat 512^3 f4", "heat3", [new(512, 512, 512, dtype=f32), new(512, 512, 512, dtype=f32)], 8 * 512**3
    yield "gradient 16384^2 f8", "gradient", [new(16384, 16384), new(16384, 16384)], 16 * 16384**2
    yield "a * row + column 16384^2", "broadcast", [new(16384, 16384), new(16384), new(16384), new(16384, 16384)], 16 * 16384**2
    for rows, columns in ((6250000, 16), (10**6, 100), (10**6, 101), (10**5, 1000), (6000, 16384), (100, 10**6), (4 * 10**7, 3)):
        yield f"norms {rows} x {columns}", "rownorm", [new(rows, 1, columns), new(rows, 1)], 8 * rows * columns
    yield "softmax 16384 x 4096", "softmax", [new(16384, 4096), new(16384, 4096)], 24 * 16384 * 4096
    yield "softmax 10^6 x 64", "softmax", [new(10**6, 64), new(10**6, 64)], 24 * 64 * 10**6
    for rows, columns in ((16384, 16384), (10**7, 4), (10**7, 3), (10**6, 100), (100, 10**6), (1024, 1024)):
        yield f"sum0 {rows} x {columns} f4", "sum0", [new(rows, columns, dtype=f32), new(columns, dtype=f32)], 4 * rows * columns
    yield "mean01 100 x 1000 x 1000 f8", "mean01", [new(100, 1000, 1000), new(1000)], 8 * 10**8
    yield "channels 100 x 3 x 512 x 512", "channels", [new(100, 3, 512, 512), new(100, 3, 512, 512)], 24 * 300 * 512**2
    yield "standardize 1e4 x 1e4", "standardize", [new(10**4, 10**4), new(10**4, 10**4)], 32 * 10**8
    yield "transpose 16384 x 8192", "transpose", [new(16384, 8192), new(8192, 16384)], 16 * 16384 * 8192
    yield "symmetric 16 x 2048 x 2048", "symmetric", [new(16, 2048, 2048), new(16, 2048, 2048)], 16 * 16 * 2048**2


def run(folder, names):
    program = device.Program(folder)
    a, b = (device.DeviceArray(program.library, (1 << 27,), np.float64).set(np.zeros(1 << 27)) for _ in range(2))
    copy = 2 * a.nbytes / program.time_copy(b, a) / 1e6
    del a, b
    print(f"device copy of 1 GiB {copy:.0f} GB/s")
    for label, kernel, arguments, moved in cases(program):
        if names and not any(name in label for name in names):
            continue
        milliseconds = program.time(kernel, arguments)
        speed = moved / milliseconds / 1e6
        print(f"{label:32s} {milliseconds:9.4f} ms {speed:7.0f} GB/s {100 * speed / copy:6.1f} % of copy", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "build":
        device.build(SOURCES, sys.argv[2], *sys.argv[3:4])
    else:
        checks = os.path.join(HERE, "..", "emulator", "run.py")
        if len(sys.argv) == 3:
            subprocess.run([sys.executable, checks, "--device", sys.argv[2]])
        run(sys.argv[2], sys.argv[3:])
