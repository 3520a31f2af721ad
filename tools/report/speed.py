"""Writes the README's table of times from benchmarks/data/*.json.

    python3 tools/report/speed.py            # rewrites README.md
    python3 tools/report/speed.py --check    # fails if README.md is not what the data say
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = [("cuda", ROOT / "benchmarks/data/h200.json"), ("cpu", ROOT / "benchmarks/data/cpu.json")]
BEGIN, END = "<!-- BEGIN SPEED -->", "<!-- END SPEED -->"


def number(value):
    return "" if value is None else f"{value:.3g}"


def milliseconds(data, peer, name):
    return data["rows"].get(peer, {}).get(name, {}).get("ms")


def section(target, data):
    machine = data["machine"]
    peers = [p for p in data["peers"] if p != "npcc"]
    floors = data["floor"]
    lines = [f"| {target} | floor | npcc | " + " | ".join(peers) + " | of the floor |", "|---" * (len(peers) + 4) + "|"]
    for name in data["names"]:
        time, floor = milliseconds(data, "npcc", name), floors.get(name)
        if time is None:
            continue
        floor = floor["ms"] if isinstance(floor, dict) else floor
        share = f"{100 * floor / time:.0f} %" if floor else ""
        others = " | ".join(number(milliseconds(data, peer, name)) for peer in peers)
        lines.append(f"| {name.replace('_', ' ')} | {number(floor)} | **{number(time)}** | {others} | {share} |")
    device = ", ".join(machine["gpu"]) if machine.get("gpu") and target == "cuda" else f"{machine['cpu']}, {machine['cores']} cores"
    lines += ["", f"{device}; {machine['date'][:10]}. Milliseconds: medians of one run."]
    return "\n".join(lines)


def main():
    parts = [section(target, json.loads(path.read_text())) for target, path in DATA if path.exists()]
    text = ("## Speed\n\nEach program is one NumPy function (`benchmarks/programs/`), the peers' versions beside it in the same run; the floor is the time for the "
            "bytes that it must move at the machine's copy bandwidth, or for its arithmetic.\n\n" + "\n\n".join(parts))
    readme = ROOT / "README.md"
    old = readme.read_text()
    new = old[:old.index(BEGIN) + len(BEGIN)] + "\n" + text + "\n" + old[old.index(END):]
    if "--check" in sys.argv:
        sys.exit(0 if new == old else "README.md is not what the data say: run tools/report/speed.py")
    readme.write_text(new)


if __name__ == "__main__":
    main()
