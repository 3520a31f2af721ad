"""Packs what a GPU machine without LLVM needs to run this build: the npcc package with its libraries (stripped), the runtime's test, mpmath, and the
distribution's LLVM and MLIR libraries. Everything goes to .pack/, which git ignores; tools/gpu/run.sh runs it there. The libraries are compressed once, for
some minutes, with a filter for machine code and a dictionary as large as they are: a fifth less than the packages that they come in.

    ./dev gpu-pack
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = ["libllvm22", "libmlir-22"]
LIBRARIES = ["usr/lib/x86_64-linux-gnu/libLLVM.so.*", "usr/lib/llvm-22/lib/libMLIR.so.*", "usr/lib/llvm-22/lib/libLLVM.so.*"]


def strip(path):
    with open(path, "rb") as file:
        if file.read(4) == b"\x7fELF":
            subprocess.run(["strip", "--strip-unneeded", path], check=False)


def make_stand_in(library, prefix, stand_in):
    """Writes the library `stand_in`, which has the functions that `library` imports under names with `prefix`, and ends a process that calls one. LLVM
    loads Z3, which is a tenth of the pack, but npcc never asks it for anything."""
    symbols = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True).stdout
    names = sorted({line.split()[-1] for line in symbols.splitlines() if "*UND*" in line and line.split()[-1].startswith(prefix)})
    source = "#include <stdlib.h>\n" + "".join(f"void {name}(void) {{ abort(); }}\n" for name in names)
    subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", stand_in, f"-Wl,-soname,{os.path.basename(stand_in)}"], input=source, text=True, check=True)


def pack_libraries(archive):
    if os.path.exists(archive):
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", "-q", *PACKAGES], cwd=folder, check=True)
        for name in os.listdir(folder):
            subprocess.run(["dpkg", "-x", name, "root"], cwd=folder, check=True)
        root = os.path.join(folder, "root")
        found = [os.path.relpath(path, root) for pattern in LIBRARIES for path in glob.glob(os.path.join(root, pattern))]
        make_stand_in(os.path.join(root, found[0]), "Z3_", os.path.join(root, os.path.dirname(found[0]), "libz3.so.4"))
        found.append(os.path.join(os.path.dirname(found[0]), "libz3.so.4"))
        tar = subprocess.Popen(["tar", "-c", "-C", root, *found], stdout=subprocess.PIPE)
        with open(archive + ".part", "wb") as file:
            subprocess.run(["xz", "--x86", "--lzma2=preset=9e,dict=192MiB"], stdin=tar.stdout, stdout=file, check=True)
        if tar.wait():
            sys.exit("tar failed")
        os.rename(archive + ".part", archive)


def main(build):
    pack = os.path.join(ROOT, ".pack")
    os.makedirs(pack, exist_ok=True)
    pack_libraries(os.path.join(pack, "libraries.tar.xz"))

    for folder in ("python", "bin"):
        shutil.rmtree(os.path.join(pack, folder), ignore_errors=True)
    # NVIDIA's compiler of PTX is linked for this machine alone; a GPU machine has ptxas.
    shutil.copytree(os.path.join(build, "python"), os.path.join(pack, "python"), symlinks=False,
                    ignore=shutil.ignore_patterns("__pycache__", "libnpcc_ptx.so"))
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
