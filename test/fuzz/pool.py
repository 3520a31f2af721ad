"""The parent's side of a worker process: ask with a time limit; a dead or silent child becomes an exception."""
from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time


class Crash(Exception):
    """The child ended: by which signal or status, and the end of what it printed."""


class Hang(Exception):
    """The child did not answer in time."""


class WorkerFailed(Exception):
    """The child could not start, or the fuzzer's own code in it raised."""


class Worker:
    """A child that is started when first asked, and again after it died."""

    def __init__(self, compiler="", target="", start_limit=120, environment=None):
        self.command = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py"),
                        "--compiler", compiler, "--target", target]
        self.start_limit, self.child, self.environment = start_limit, None, environment
        self.served = 0

    def ask(self, request, limit):
        if self.child is None:
            self._start()
        self.served += 1
        body = pickle.dumps(request)
        try:
            self.child.stdin.write(struct.pack("<Q", len(body)) + body)
            self.child.stdin.flush()
        except BrokenPipeError:
            self._crashed()
        reply = self._reply(limit)
        if "failed" in reply:
            raise WorkerFailed(reply["failed"])
        return reply["value"]

    def _start(self):
        self.served = 0
        self.log = tempfile.TemporaryFile()
        environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", **(self.environment or {}))
        self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, env=environment)
        reply = self._reply(self.start_limit)
        if "failed" in reply:
            self.close()
            raise WorkerFailed(reply["failed"])

    def _reply(self, limit):
        head = self._read(8, deadline := time.monotonic() + limit)
        return pickle.loads(self._read(struct.unpack("<Q", head)[0], deadline))

    def _read(self, count, deadline):
        data, stream = b"", self.child.stdout.fileno()
        while len(data) < count:
            ready, _, _ = select.select([stream], [], [], max(deadline - time.monotonic(), 0))
            if not ready:
                self.close()
                raise Hang("no answer within the limit")
            part = os.read(stream, count - len(data))
            if not part:
                self._crashed()
            data += part
        return data

    def _crashed(self):
        status = self.child.wait()
        self.log.seek(0)
        tail = self.log.read()[-1500:].decode(errors="replace").strip()
        self.close()
        name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        raise Crash(f"{name}\n{tail}" if tail else name)

    def close(self):
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            self.child.stdin.close()
            self.child.stdout.close()
            self.log.close()
            self.child = None
