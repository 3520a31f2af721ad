"""Products and a training step in mixed precision, beside PyTorch's AMP: python3 benchmarks/mixed_precision.py [--sizes 2048,4096,8192] [--json FILE].

Needs a GPU and PyTorch. Every row is a median over runs of calls that follow each other; arrays lie on the device, and the two take turns. `ratio` is
npcc's speed over PyTorch's. Results are held against products of float64 of some rows.
"""
import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import numpy as np

import npcc

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

RUNS = 7


def timed(call, wait, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    wait()
    return (time.perf_counter() - begin) / calls


def compare(name, mine, theirs, wait, work, rows):
    """Medians of both in seconds; `work` is what one call computes, in operations."""
    for call in (mine, theirs):
        for _ in range(3):
            call()
    wait()
    calls = max(3, int(0.05 / max(timed(mine, wait, 3), 1e-6)))
    pairs = [(timed(mine, wait, calls), timed(theirs, wait, calls)) for _ in range(RUNS)]
    a, b = (statistics.median(times) for times in zip(*pairs))
    rows.append(dict(name=name, npcc_ms=1e3 * a, torch_ms=1e3 * b, ratio=b / a, tflops=work / a / 1e12))
    print(f"{name:34} npcc {1e3 * a:9.3f} ms {work / a / 1e12:7.1f} TFLOP/s   torch {1e3 * b:9.3f} ms   ratio {b / a:5.2f}", flush=True)


def product(a, b):
    return a @ b


def transposed(a, b):
    return a.T @ b


def check(got, a, b, bound):
    want = a[:3].astype(np.float64) @ b.astype(np.float64)
    error = np.abs(np.asarray(got[:3], np.float64) - want).max() / np.abs(want).max()
    assert error < bound, f"relative error {error:.1e}, allowed are {bound:.1e}"


def products(torch, sizes, rows):
    def wait():
        npcc.synchronize()
        torch.cuda.synchronize()

    exact, tf32, bf16 = (npcc.jit(product, target="cuda", matmul=m) for m in ("exact", "tf32", "bf16"))
    plain, turned = npcc.jit(product, target="cuda"), npcc.jit(transposed, target="cuda")
    for n in sizes:
        random = np.random.default_rng(n)
        host_a, host_b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in range(2))
        a, b = (torch.from_numpy(x).cuda() for x in (host_a, host_b))
        mine = [npcc.from_dlpack(x) for x in (a, b)]
        work = 2 * n**3

        def under_tf32():
            torch.backends.cuda.matmul.allow_tf32 = True
            a @ b
            torch.backends.cuda.matmul.allow_tf32 = False

        def under_amp(dtype):
            def call():
                with torch.autocast("cuda", dtype=dtype):
                    a @ b
            return call

        def autocast(name):
            def call():
                with npcc.autocast(name):
                    plain(*mine)
            return call

        check(exact(*mine).get(), host_a, host_b, 1e-4)
        check(tf32(*mine).get(), host_a, host_b, 1e-2)
        check(bf16(*mine).get(), host_a, host_b, 3e-2)
        compare(f"{n}: float32", lambda: exact(*mine), lambda: a @ b, wait, work, rows)
        compare(f"{n}: float32, tf32", lambda: tf32(*mine), under_tf32, wait, work, rows)
        compare(f"{n}: float32, bf16", lambda: bf16(*mine), under_amp(torch.bfloat16), wait, work, rows)
        compare(f"{n}: autocast float16", autocast("float16"), under_amp(torch.float16), wait, work, rows)
        compare(f"{n}: autocast bfloat16", autocast("bfloat16"), under_amp(torch.bfloat16), wait, work, rows)
        for dtype in (torch.float16, torch.bfloat16):
            p, q = a.to(dtype), b.to(dtype)
            x, y = npcc.from_dlpack(p), npcc.from_dlpack(q)
            name = str(dtype).removeprefix("torch.")
            compare(f"{n}: {name} arrays, dot", lambda: DOT(x, y), lambda: p @ q, wait, work, rows)
            compare(f"{n}: {name} arrays, a.T @ b", lambda: turned(x, y), lambda: p.T @ q, wait, work, rows)
        batch = max(n // 512, 1)
        p, q = (torch.randn(batch * 8, 512, 512, device="cuda").to(torch.bfloat16) for _ in range(2))
        x, y = npcc.from_dlpack(p), npcc.from_dlpack(q)
        # A product of bfloat16 stacks is float32 in NumPy; PyTorch's is bfloat16.
        compare(f"{batch * 8} x 512: bfloat16 stacks", lambda: ROUNDED(x, y), lambda: p @ q, wait, batch * 8 * 2 * 512**3, rows)


ROUNDED = npcc.jit(lambda a, b: (a @ b).astype(a.dtype), target="cuda")
DOT = npcc.jit(lambda a, b: np.dot(a, b), target="cuda")


def training(torch, rows, width=2048, batch=4096):
    """One step of the example's network; PyTorch's by its own layers, autograd and optimiser."""
    import mixed_precision as example

    def wait():
        npcc.synchronize()
        torch.cuda.synchronize()

    random = np.random.default_rng(0)
    x, labels = example.spirals(random, batch)
    layers = example.network(random, (18, width, width, 3))
    modules = []
    for w, b in layers:
        linear = torch.nn.Linear(*w.shape)
        with torch.no_grad():
            linear.weight.copy_(torch.from_numpy(w.T))
            linear.bias.copy_(torch.from_numpy(b))
        modules += [linear, torch.nn.ReLU()]
    model = torch.nn.Sequential(*modules[:-1]).cuda()
    optimiser = torch.optim.SGD(model.parameters(), lr=1e-6)  # so that the losses stay what they are
    tx, tl = torch.from_numpy(x).cuda(), torch.from_numpy(labels).cuda()
    mine = [tuple(npcc.asarray(p, device="cuda") for p in layer) for layer in layers]
    nx, nl = npcc.asarray(x, device="cuda"), npcc.asarray(labels, device="cuda")
    compute, update = npcc.jit(example.loss_and_gradients, target="cuda"), npcc.jit(example.update, target="cuda")

    def my_step(name):
        def call():
            with npcc.autocast(name or "float16", enabled=name is not None):
                loss, gradients = compute(mine, nx, nl, np.float32(1))
            update(mine, gradients, np.float32(1e-6))
            return loss
        return call

    def their_step(dtype):
        def call():
            with torch.autocast("cuda", dtype=dtype or torch.float16, enabled=dtype is not None):
                loss = torch.nn.functional.cross_entropy(model(tx), tl)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            return loss
        return call

    work = 6 * batch * sum(w.size for w, _ in layers)
    for name, dtype in ((None, None), ("bfloat16", torch.bfloat16), ("float16", torch.float16)):
        a, b = float(np.asarray(my_step(name)())), their_step(dtype)().item()
        assert abs(a - b) < 3e-2 * max(abs(b), 1), (name, a, b)
        compare(f"training step, {name or 'float32'}", my_step(name), their_step(dtype), wait, work, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1024,2048,4096,8192")
    parser.add_argument("--json")
    options = parser.parse_args()
    import ml_dtypes  # noqa: F401
    import torch
    rows = []
    products(torch, [int(n) for n in options.sizes.split(",")], rows)
    training(torch, rows)
    if options.json:
        Path(options.json).write_text(json.dumps(dict(device=torch.cuda.get_device_name(), torch=torch.__version__, rows=rows), indent=1))


if __name__ == "__main__":
    main()
