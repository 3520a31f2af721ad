#ifndef NPCC_FRONTEND_IMPORTER_LOOPITEMS_H
#define NPCC_FRONTEND_IMPORTER_LOOPITEMS_H
// Questions about what a loop goes over, and what its body does with it: whether it is a loop when the program runs, or
// straight code for each item.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// Whether items are objects, dicts or functions that are known one by one, so few that the loop's counter may choose
/// among them.
bool areFewObjects(Interpreter &in, llvm::ArrayRef<PyValue> items);
/// Whether items are arrays of one dtype and rank. A loop can go over them where they are, of whatever shapes.
bool areArraysOfOneType(Interpreter &in, llvm::ArrayRef<PyValue> items);
/// Few iterations with little in them: straight code for a known number of them costs little.
bool isShort(Interpreter &in, const py::Object &node, size_t iterations);
/// Whether the body takes arrays out of a known list by what `target` counts. A loop would make one array of them all
/// first; straight code computes with each where it is, and can be fused.
bool picksArrays(Interpreter &in, const py::Object &node);
/// Whether the body takes items out of a dict by what `target` names, which are strings: a loop of the program's would
/// make a dict with computed keys of it.
bool picksByKeys(Interpreter &in, const py::Object &node, const std::vector<PyValue> &items);
/// Whether one of the lists holds arrays, one by one: what a loop would have to make one array of.
bool growsByArrays(Interpreter &in, const std::set<std::string> &grown);
/// Whether items of a list are of one type: strings, or numbers, or tuples of these in the same places. A list of any
/// length may have them then. `areColumns`: tuples are items of several lists, which may have arrays, too.
bool areOfOneType(Interpreter &in, const PyValue &left, const PyValue &right, bool areColumns = false);
/// Whether a list is an argument, or the items of one are enumerated.
bool isGivenList(const PyValue &iterable);
/// Whether a loop over known items is one when the program runs, too. Straight code for each of many strings costs more
/// than it gives; that for numbers fuses what it does to arrays, as long as there are not too many.
bool isLong(Interpreter &in, const std::vector<PyValue> &items);
/// Whether characters of a string are gone over, alone or beside others. The string itself gives them to a loop: a list
/// of them would be an array that is filled item by item.
bool givesCharacters(const PyValue &iterable);
/// A list of run-time length of what a loop goes over.
PyValue listToGoOver(Interpreter &in, std::vector<PyValue> items);

} // namespace npcc::frontend
#endif
