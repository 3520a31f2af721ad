#ifndef NPCC_FRONTEND_NUMPY_UFUNCKEYWORDS_H
#define NPCC_FRONTEND_NUMPY_UFUNCKEYWORDS_H
// The keywords that every ufunc of NumPy takes, generalised ones too.

#include "frontend/numpy/Table.h"

#include <optional>

namespace npcc::frontend {

struct UfuncKeywords {
  mlir::Type dtype;       // null where it is not given
  py::Object signature;   // a string or a tuple; null where it is not given
  std::string casting;    // empty where it is not given
  bool isFortran = false; // order='F': how a new array lies
  std::vector<std::pair<std::string, PyValue>> others;

  const char *castingRule() const { return casting.empty() ? "same_kind" : casting.c_str(); }
  /// What says which dtypes are computed in, as Dtypes::resolve takes it: the signature, the dtype, or null.
  py::Object wanted(Interpreter &in) const;
  /// Takes one of the others; None where it is not given.
  PyValue take(llvm::StringRef name);
  /// storeOut() of a result; a new array lies as `order` says.
  PyValue store(Interpreter &in, PyValue result, const PyValue &out, llvm::StringRef function) const;
};

/// `dtype`, `signature`, `casting`, `order` and `subok` of a call; the rest is left in `others`. The last two say how a
/// result lies and of which class it is: they are checked, and change nothing here. Nothing, with an error reported,
/// where NumPy refuses one.
std::optional<UfuncKeywords> takeUfuncKeywords(Interpreter &in, const Call &call);
/// The same of a call of a ufunc itself, which has so many inputs and perhaps its output behind them by position.
std::optional<UfuncKeywords> takeUfuncKeywords(Interpreter &in, llvm::StringRef name, size_t inputs, const Call &call);

/// A call of one of NumPy's generalised ufuncs, matmul and its like: the keywords are taken here, what is left are
/// operands of the dtype and the axes that the function itself takes.
PyValue callGeneralized(Interpreter &in, const py::Object &ufunc, Call &call);
/// numpy.matmul (Linalg.cpp).
PyValue multiplyMatrices(Interpreter &in, const PyValue &a, const PyValue &b);

} // namespace npcc::frontend
#endif
