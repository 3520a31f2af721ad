"""A measuring process that can be killed: asked by lines of JSON, with a time limit, and started again when it is gone."""
from __future__ import annotations

import json
import math
import os
import select
import signal
import subprocess
import sys
import tempfile
import time


class Child:
    def __init__(self, command, environment=None, start_limit=90):
        self.command, self.environment, self.start_limit = command, environment, start_limit
        self.process, self.greeting = None, None

    def start(self):
        """The child's first reply: {"ready": …} or {"missing": reason}."""
        self.log, self.buffer = tempfile.TemporaryFile(), b""
        self.process = subprocess.Popen([sys.executable, *self.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
                                        env=dict(os.environ, **(self.environment or {})), start_new_session=True)
        self.greeting = self._line(self.start_limit)
        return self.greeting

    def ask(self, request, limit, limits={}, deadline=math.inf):
        """A reply, or {"error": …} when the child died or passed the limit; it is started again at the next request.

        A child may say {"phase": name} before its reply: for what follows it has `limits[name]` seconds from then on, up to the deadline.
        With {"row": reply} beside it, that is the reply if no better one follows."""
        if self.process is None:
            self.start()
        if "ready" not in self.greeting:
            return {"error": self.greeting.get("missing") or self.greeting.get("error", "did not start")}
        try:
            self.process.stdin.write((json.dumps(request) + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # _line finds out how it died
        reply, best = self._line(limit), None
        while "phase" in reply:
            best = reply.get("row") or best
            reply = self._line(min(limits[reply["phase"]], deadline - time.monotonic()))
        return best if best and "error" in reply else reply

    def _line(self, limit):
        deadline, stream = time.monotonic() + limit, self.process.stdout.fileno()
        while b"\n" not in self.buffer:
            if not select.select([stream], [], [], max(deadline - time.monotonic(), 0))[0]:
                self.close()
                return {"error": f"over the limit of {limit:.0f} s"}
            part = os.read(stream, 65536)
            if not part:
                return {"error": self._died()}
            self.buffer += part
        line, _, self.buffer = self.buffer.partition(b"\n")
        return json.loads(line)

    def _died(self):
        status = self.process.wait()
        self.log.seek(0)
        tail = self.log.read()[-300:].decode(errors="replace").strip().splitlines()
        self.close()
        return f"died with status {status}" + (f": {tail[-1][:150]}" if tail else "")

    def close(self):
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)  # its group is its own: compilers leave workers behind
            except ProcessLookupError:
                pass
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout, self.log):
                try:
                    stream.close()
                except OSError:
                    pass
            self.process = None
