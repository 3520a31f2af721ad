"""Install what the peers need. Each is tried by itself: one that cannot be had is a line, not a failure."""
from __future__ import annotations

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def requirements(target):
    """The lines of requirements.txt for this target: `# cpu`, `# cuda` or `# both` ends each."""
    wanted = []
    with open(os.path.join(HERE, "requirements.txt")) as file:
        for line in file:
            match = re.fullmatch(r"(?P<requirement>[^#\s][^#]*?)\s*# (?P<where>cpu|cuda|both)\s*", line)
            if match and match["where"] in (target, "both"):
                wanted.append(match["requirement"])
    return wanted


def install(target):
    failed = []
    for requirement in requirements(target):
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirement.split()]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        good = ran.returncode == 0
        last = (ran.stderr.strip().splitlines() or [""])[-1]
        print(f"{requirement:40s} {'installed' if good else 'not installed: ' + last[:150]}", flush=True)
        failed += [] if good else [requirement]
    print(f"{len(requirements(target)) - len(failed)} installed, {len(failed)} not")
    return 0
