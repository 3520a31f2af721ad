// Python's module cmath. In threads its functions are NumPy's and raise nothing; elsewhere they are Python functions of
// the library (npcc/library/complex_mathematics.py).
#include "frontend/importer/Lists.h"
#include "frontend/numpy/Table.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

/// Calls what npcc.threads.complex_numbers has.
PyValue emitComposed(Interpreter &in, StringRef name, ArrayRef<PyValue> values) {
  Call call{in.currentNode, std::vector<PyValue>(values.begin(), values.end()), {}};
  return callObject(in, py::lookup(("npcc.threads.complex_numbers." + name).str()), call);
}

/// Calls NumPy's function of the same meaning, of a complex number.
PyValue emitUnary(Interpreter &in, Arguments &args) {
  StringRef name = StringRef(args.row->name).substr(6);
  if (!in.ir.isThread)
    return callInLibrary(in, "complex_mathematics." + name.str(),
                         std::vector<PyValue>(args.values.begin(), args.values.end()));
  std::string numpy = llvm::StringSwitch<std::string>(name)
                          .Case("acos", "arccos")
                          .Case("asin", "arcsin")
                          .Case("atan", "arctan")
                          .Case("acosh", "arccosh")
                          .Case("asinh", "arcsinh")
                          .Case("atanh", "arctanh")
                          .Default(name.str());
  PyValue x = args.values[0];
  bool isComplex = x.isRuntime() && isa<ComplexType>(x.elementType());
  if (!isComplex) {
    Call call{in.currentNode, {x}, {}};
    x = convertToType(in, in.dtypes.dtype(ComplexType::get(in.ir.getF64Type()))["type"], call);
  }
  if (x.isPoison())
    return x;
  if (name == "phase")
    return emitComposed(in, name, {x});
  if (args.values.size() > 1 && !args.values[1].isNone()) // log(x, base)
    return emitComposed(in, name, {x, args.values[1]});
  return callNumpy(in, numpy.c_str(), {x});
}
const Registered rows{
    {"cmath.sin", "x", emitUnary},   {"cmath.cos", "x", emitUnary},
    {"cmath.tan", "x", emitUnary},   {"cmath.asin", "x", emitUnary},
    {"cmath.acos", "x", emitUnary},  {"cmath.atan", "x", emitUnary},
    {"cmath.sinh", "x", emitUnary},  {"cmath.cosh", "x", emitUnary},
    {"cmath.tanh", "x", emitUnary},  {"cmath.asinh", "x", emitUnary},
    {"cmath.acosh", "x", emitUnary}, {"cmath.atanh", "x", emitUnary},
    {"cmath.exp", "x", emitUnary},   {"cmath.log", "x, base=None", emitUnary},
    {"cmath.log10", "x", emitUnary}, {"cmath.sqrt", "x", emitUnary},
    {"cmath.phase", "x", emitUnary}, {"cmath.isnan", "x", emitUnary},
    {"cmath.isinf", "x", emitUnary}, {"cmath.isfinite", "x", emitUnary},
};

} // namespace
} // namespace npcc::frontend
