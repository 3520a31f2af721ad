"""Recordings: kernels with their lines, calls, copies and compilation, as events of the trace format."""
import inspect
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

import npcc
from harness import TARGET, jit


def smooth(x):
    y = np.sin(x) + 1
    return (y * y).sum(axis=1)


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
