#ifndef NPCC_FRONTEND_IMPORTER_RESUMPTION_H
#define NPCC_FRONTEND_IMPORTER_RESUMPTION_H
// Generators that are gone over elsewhere than by one loop beside the place that makes them: by next() and send(), in
// functions and lists, after a loop that has left them. Each is an object that knows where it stands
// (npcc/library/resumption.py), and the function that goes on from there is made of the generator's
// (npcc/resumption.py). Which ones need that is found by trying, as for boxes (Boxes.h): the place of the call is
// noted, and the import begins again. The others become part of their loops (Generators.h), which is faster.
#include "frontend/importer/Generators.h"

namespace npcc::frontend {

/// Whether generators that this call makes have to be objects.
bool isResumedAt(Interpreter &in, const std::string &site);
/// Notes that, if the value is a generator, which it gives back.
bool noteResumed(Interpreter &in, const PyValue &value);
void noteResumedAt(Interpreter &in, const std::string &site);
/// The same, and reports the error where that does not help.
PyValue needsResumption(Interpreter &in, const PyValue &generator, const llvm::Twine &message, const llvm::Twine &hint);
/// `arguments`: the parameters' names, bound.
PyValue makeResumable(Interpreter &in, const PyValue &function, const Bindings &arguments, const std::string &site);
/// Such an object; other iterators are not.
bool isResumable(const PyValue &value);
/// What the generator does next: the function that it is made of.
PyValue resumptionOf(Interpreter &in, const PyValue &generator);
/// Says so of all generators of a row's table.
void registerResumption(Interpreter &in, const PyValue &row, const PyValue &function);
/// Whether two objects may be rows of one table: if they are generators, of one function.
bool goOnAlike(Interpreter &in, const PyValue &left, const PyValue &right);
/// Whether a class is that one or another of its module: each call makes a table of its own, whose objects get their
/// attributes in any order.
bool isOfGenerators(const py::Object &cls);

} // namespace npcc::frontend
#endif
