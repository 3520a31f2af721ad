"""Packs what a GPU machine without LLVM needs to run this build: the npcc package with its libraries (stripped), the runtime's test, mpmath, and the
distribution's LLVM and MLIR libraries as packages. Everything goes to .pack/, which git ignores; tools/gpu/run.sh runs it there.

    ./dev gpu-pack
"""

import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = ["libllvm22", "libmlir-22", "libz3-4"]


def strip(path):
    with open(path, "rb") as file:
        if file.read(4) == b"\x7fELF":
            subprocess.run(["strip", "--strip-unneeded", path], check=False)


def main(build):
    pack = os.path.join(ROOT, ".pack")
    os.makedirs(os.path.join(pack, "debs"), exist_ok=True)
    have = os.listdir(os.path.join(pack, "debs"))
    for package in PACKAGES:
        if not any(name.startswith(package + "_") for name in have):
            subprocess.run(["apt-get", "download", "-q", package], cwd=os.path.join(pack, "debs"), check=True)

    for folder in ("python", "bin"):
        shutil.rmtree(os.path.join(pack, folder), ignore_errors=True)
    shutil.copytree(os.path.join(build, "python"), os.path.join(pack, "python"), symlinks=False,
                    ignore=shutil.ignore_patterns("__pycache__"))
    import mpmath
    shutil.copytree(os.path.dirname(mpmath.__file__), os.path.join(pack, "python", "mpmath"),
                    ignore=shutil.ignore_patterns("__pycache__", "tests"))
    os.makedirs(os.path.join(pack, "bin"))
    for name in ("npcc-info", "npcc-rt-test"):
        for folder in ("bin", "test/runtime", "tools/npcc-info"):
            path = os.path.join(build, folder, name)
            if os.path.exists(path):
                shutil.copy(path, os.path.join(pack, "bin", name))
                break
        else:
            print(f"not packed: {name}")
    for packed in ("python", "bin"):
        for folder, _, names in os.walk(os.path.join(pack, packed)):
            for name in names:
                strip(os.path.join(folder, name))
    subprocess.run(["tar", "-cJf", "files.tar.xz", "python", "bin"], cwd=pack, check=True)
    for packed in ("python", "bin"):
        shutil.rmtree(os.path.join(pack, packed))
    total = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(pack) for name in names)
    print(f"{pack}: {total / 2**20:.1f} MiB")


if __name__ == "__main__":
    main(sys.argv[1])
