#ifndef NPCC_FRONTEND_NUMPY_RANDOM_RANDOM_H
#define NPCC_FRONTEND_NUMPY_RANDOM_RANDOM_H
// numpy.random: methods and functions are Python in npcc.library.random, around the primitives that are rows here.
#include "frontend/numpy/Table.h"

namespace npcc::frontend {

/// Calls a method of numpy.random's own generator (`numpy.random.normal`), or of one that a global or closure names;
/// nothing if `callee` is none.
std::optional<PyValue> callGeneratorMethod(Interpreter &in, const py::Object &callee, Call &call);
/// The method of a generator of the program, as a value to call; poison with an error reported if there is none of that
/// name.
PyValue generatorMethod(Interpreter &in, const PyValue &generator, const std::string &name);
/// Calls it.
PyValue callGeneratorMethod(Interpreter &in, const PyValue &generator, const std::string &name, Call &call);
/// Whether a value is a random.Random, most methods of which are Python functions.
bool isGeneratorOfPython(const PyValue &value);

/// Whether an argument of a call is a generator, which arrays' functions do not take; an error is reported then.
bool refuseGenerators(Interpreter &in, const Call &call, llvm::StringRef function);
/// "numpy.random.Generator.normal" and the function of npcc.library that it is, for all methods.
std::vector<std::pair<std::string, py::Object>> generatorMethods();

} // namespace npcc::frontend
#endif
