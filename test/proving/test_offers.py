"""test/offers.py finds offers that are not planned, and decisions that are no offers."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import offers  # noqa: E402


class Offers(unittest.TestCase):
    def test_planned_offers_are_fine(self):
        passes = ["npcc-fuse-rows", "npcc-plan-alternatives", "canonicalize", "npcc-merge-loops"]
        self.assertEqual(list(offers.complaints([], [passes], {"npccfuserows"})), [])

    def test_offers_that_nobody_plans_are_found(self):
        for passes in (["npcc-fuse-rows"], ["npcc-fuse-rows", "canonicalize", "npcc-plan-alternatives"]):
            self.assertEqual(len(list(offers.complaints([], [passes], {"npccfuserows"}))), 1)

    def test_choices_of_passes_are_found(self):
        source = "Value few = np::ChoiceOp::create(builder, loc, \"few\", condition);"
        self.assertEqual(len(list(offers.complaints([("compiler/cpu/SplitKernel.cpp", source)], [], set()))), 1)
        self.assertEqual(list(offers.complaints([("compiler/gpu/emit/HostSide.cpp", source)], [], set())), [])

    def test_passes_that_offer_are_known(self):
        root = os.path.join(os.path.dirname(__file__), "..", "..")
        offering = offers.find_offering(root, list(offers.read(root)))
        self.assertTrue({"npccfuserows", "npccskewloops", "npccsplitlaunches", "npccversionextents", "npcccallproducts"} <= offering)


if __name__ == "__main__":
    unittest.main()
