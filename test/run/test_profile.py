"""Recordings: kernels with their lines, calls, copies and compilation, as events of the trace format."""
import inspect
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

import npcc
from harness import TARGET, jit
from npcc import cuda


def smooth(x):
    y = np.sin(x) + 1
    return (y * y).sum(axis=1)


def increase(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


class Profile(unittest.TestCase):
    def test_events(self):
        x = np.random.default_rng(0).random((300, 400))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.json"
            f = jit(smooth, cache=False)
            with npcc.profile(path) as recording:
                f(x)
                f(x)
            trace = json.loads(path.read_text())
        self.assertEqual(trace["traceEvents"], recording.events)
        spans = [event for event in recording.events if event["ph"] == "X"]
        kinds = {kind: [event for event in spans if event["cat"] == kind] for kind in {event["cat"] for event in spans}}
        self.assertEqual(len(kinds["call"]), 2)
        self.assertIn("smooth", kinds["call"][0]["name"])
        self.assertEqual(kinds["compile"][0]["name"], "smooth")
        if TARGET != "debug":  # which runs loops one after the other, in no kernel
            first = inspect.getsourcelines(smooth)[1]
            places = {event["args"]["place"] for event in kinds["kernel"]}
            self.assertTrue(places <= {f"{__file__}:{line}" for line in range(first, first + 3)}, places)
            for event in kinds["kernel"]:
                self.assertGreaterEqual(event["dur"], 0)
        if TARGET == "cuda":
            self.assertGreater(sum(event["args"]["bytes"] for event in kinds["copy to device"]), x.nbytes - 1)
            self.assertTrue(any(event["name"] == "process_name" and event["args"]["name"] == "cuda:0" for event in recording.events))
        self.assertIn("smooth", recording.summary())

    @unittest.skipUnless(TARGET == "cuda", "launches of a GPU")
    def test_own_kernels(self):
        x, line = cuda.to_device(np.zeros(8)), inspect.getsourcelines(increase)[1]
        ptx, _ = cuda.compile(increase, (npcc.float64[:],))
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "increase.ptx").write_text(ptx)
            raw = npcc.RawModule(path=str(Path(folder, "increase.ptx"))).get_function("increase")
            kernel = cuda.jit(increase)
            with npcc.profile(None) as recording:
                for _ in range(2):
                    kernel[1, 32](x)
                    raw(1, 32, (x, x.size))
        kernels = [event for event in recording.events if event["ph"] == "X" and event["cat"] == "kernel"]
        self.assertEqual([event["name"] for event in kernels], ["increase"] * 4)
        self.assertEqual({event["args"].get("place") for event in kernels}, {None, f"{__file__}:{line}"})
        calls = [(event["name"], event["args"]) for event in recording.events if event["ph"] == "X" and event["cat"] == "call"]
        self.assertEqual(calls, [("launch of increase(float64[:])", {})] * 2)
        self.assertEqual(x.copy_to_host().tolist(), [4.0] * 8)

    @unittest.skipUnless(TARGET == "cuda", "streams of a GPU")
    def test_copies_on_streams(self):
        host, stream = cuda.pinned_array(1000, np.float64), cuda.stream()
        host[:] = 1
        with npcc.profile(None) as recording:
            array = cuda.to_device(host, stream=stream)
            cuda.jit(increase)[8, 128, stream](array)
            array.copy_to_host(host, stream=stream)
            stream.synchronize()
        spans = [event for event in recording.events if event["ph"] == "X" and event["cat"] in ("copy to device", "kernel", "copy to host")]
        self.assertEqual([event["cat"] for event in sorted(spans, key=lambda event: event["ts"])], ["copy to device", "kernel", "copy to host"])
        self.assertEqual([event["args"]["bytes"] for event in spans if event["cat"] != "kernel"], [host.nbytes] * 2)
        self.assertEqual(len({event["tid"] for event in spans}), 1)
        self.assertTrue((host == 2).all())

    def test_nothing_is_recorded_outside(self):
        f = jit(smooth)
        with npcc.profile(None) as recording:
            pass
        f(np.ones((3, 4)))
        self.assertEqual([event for event in recording.events if event["ph"] == "X"], [])

    def test_one_at_a_time(self):
        with npcc.profile(None):
            with self.assertRaisesRegex(RuntimeError, "recording already"):
                npcc.profile(None).__enter__()
