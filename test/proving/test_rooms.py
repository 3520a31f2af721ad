"""test/rooms.py finds arrows that go the wrong way."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import rooms  # noqa: E402


class Rooms(unittest.TestCase):
    def test_arrows_down_are_fine(self):
        fine = [("compiler/gpu/emit/EmitMap.cpp", "compiler/kernels/IndexMath.h"), ("compiler/cpu/CpuPasses.h", "compiler/Options.h"),
                ("compiler/Driver.cpp", "compiler/gpu/Gpu.h"), ("compiler/np/Passes.h", "compiler/np/Passes.h.inc")]
        self.assertEqual(list(rooms.complaints(fine)), [])

    def test_arrows_up_are_found(self):
        for path, included in [("compiler/memory/Aliasing.cpp", "compiler/np/Passes.h"), ("compiler/codegen/ModuleTable.cpp", "frontend/module/module.h"),
                               ("compiler/kernels/Fuse.cpp", "compiler/gpu/emit/Emitters.h"), ("compiler/gpu/emit/EmitMap.cpp", "compiler/gpu/Gpu.h"),
                               ("dialects/Np/Np.cpp", "compiler/memory/Aliasing.h"), ("compiler/np/KeepChecks.cpp", "compiler/Pipeline.h"),
                               ("compiler/attic/Old.cpp", "dialects/Np/Np.h")]:
            self.assertEqual(len(list(rooms.complaints([(path, included)]))), 1, path)

    def test_includes_are_read(self):
        root = os.path.join(os.path.dirname(__file__), "..", "..")
        self.assertIn(("compiler/Targets.cpp", "compiler/gpu/Gpu.h"), list(rooms.find_includes(root)))


if __name__ == "__main__":
    unittest.main()
