#ifndef NPCC_FRONTEND_NUMPY_TABLE_H
#define NPCC_FRONTEND_NUMPY_TABLE_H
// The functions that compiled code may call: each is registered where it is defined, with its parameters. Elementwise
// functions are not here: any numpy.ufunc whose name is in dialects/Np/Ufuncs.def is one. Functions that are
// compositions are written in Python (frontend/python/npcc/library).

#include "frontend/importer/Calls.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Values.h"

namespace npcc::frontend {

struct FunctionRow;

/// The arguments of a call, bound to a row's parameters.
struct Arguments {
  const FunctionRow *row;
  std::vector<std::string> names;
  std::vector<PyValue> values;
  PyValue &operator[](llvm::StringRef name);
  bool given(llvm::StringRef name) { return !(*this)[name].isNone(); }
};

using Emitter = PyValue (*)(Interpreter &, Arguments &);

struct FunctionRow {
  const char *name;       // "numpy.sum", "ndarray.astype", "math.floor", "builtins.len"
  const char *parameters; // "a, axis=None, *shape": defaults are Python literals; the last may collect the rest
  Emitter emit;
};

/// Registers functions for the life of the process; stands behind what emits them.
class Registered {
public:
  Registered(std::initializer_list<FunctionRow> rows);
};

/// The row of a Python object, null if there is none.
const FunctionRow *findFunction(const py::Object &object);
const FunctionRow *findMethod(llvm::StringRef name);
/// The function of npcc.library that stands for a NumPy function, or null.
py::Object findLibraryFunction(const py::Object &object);
/// The NumPy function that a method of arrays is (`a.sum()` is `numpy.sum(a)`), null if there is none.
py::Object functionOfMethod(llvm::StringRef name);
/// Whether a function is computed by Python itself where its arguments are known (numpy.dtype, isinstance, ...).
bool isEvaluated(const py::Object &object);
std::string nearestFunction(const std::string &name);

/// Makes a call of a NumPy function one of the parameters that compiled code has for it; false with an error reported.
/// See Signatures.cpp.
/// `takesMore`: other keywords are passed on (**kwargs).
bool fitCall(Interpreter &in, const py::Object &function, llvm::ArrayRef<std::string> positional,
             llvm::ArrayRef<std::string> keywordOnly, Call &call, bool takesMore = false);
/// `function` is the row's Python object, null for a method of arrays.
PyValue callRow(Interpreter &in, const FunctionRow &row, Call &call, const py::Object &function = {});
/// Calls the library's function that stands for a NumPy function.
PyValue callLibrary(Interpreter &in, const py::Object &library, const py::Object &function, Call &call);
PyValue callNumpy(Interpreter &in, const char *name, std::vector<PyValue> args);
PyValue callUfunc(Interpreter &in, const py::Object &ufunc, Call &call);
PyValue callUfuncMethod(Interpreter &in, const py::Object &ufunc, const std::string &method, Call &call);
PyValue callVectorized(Interpreter &in, const py::Object &vectorized, Call &call);
PyValue convertToType(Interpreter &in, const py::Object &type, Call &call);

/// The row of Ufuncs.def that a numpy.ufunc (or one of scipy.special) is; empty if it is none.
llvm::StringRef ufuncName(const py::Object &ufunc);
/// Stores a result into `out` as a ufunc does, and gives `out`; the result itself where out is None.
PyValue storeOut(Interpreter &in, PyValue result, PyValue out, const char *casting, llvm::StringRef function);
/// Reduces over axes; `kind` is np.reduce's. The value has the reduction's element type already.
PyValue emitReduce(Interpreter &in, llvm::StringRef kind, mlir::Value value, llvm::ArrayRef<int64_t> axes,
                   bool keepdims);

} // namespace npcc::frontend
#endif
