#ifndef NPCC_DIALECTS_NP_UFUNC_H
#define NPCC_DIALECTS_NP_UFUNC_H
// Elementwise functions as an enumeration, and what Ufuncs.def says of each.
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace npcc::np {

/// NumPy's elementwise functions, by NumPy's names.
enum class Ufunc {
#define UFUNC(NAME, ...) NAME,
#include "dialects/Np/Ufuncs.def"
};
/// The function of a name; none where it is no row of Ufuncs.def.
std::optional<Ufunc> symbolizeUfunc(llvm::StringRef name);
llvm::StringRef stringifyUfunc(Ufunc ufunc);

/// Whether an element is computed again rather than kept where several read it.
bool isCheap(Ufunc ufunc);
/// Whether the type itself defines the result, so that it must not be computed in a wider one.
bool dependsOnPrecision(Ufunc ufunc);
bool isComparison(Ufunc ufunc);

/// The element that a reduction starts from (see UFUNC_REDUCTION).
enum class Neutral { Zero, One, AllOnes, Least, Greatest };
/// None of functions that reductions do not combine by.
std::optional<Neutral> getNeutral(Ufunc ufunc);
/// The bits of that element as an integer of a type; bool is an unsigned one of one bit.
llvm::APInt getNeutralBits(Neutral neutral, mlir::IntegerType type);
/// Whether a name is of a function that has a neutral element.
bool isCombiner(llvm::StringRef name);

/// What np.reduce computes: a function's reduction, or the position of an extremum.
enum class Reduction {
#define UFUNC_REDUCTION(NAME, ...) NAME,
#include "dialects/Np/Ufuncs.def"
  argmax,
  argmin,
};
std::optional<Reduction> symbolizeReduction(llvm::StringRef name);
llvm::StringRef stringifyReduction(Reduction reduction);
/// Whether the result is a position.
inline bool isPosition(Reduction reduction) { return reduction >= Reduction::argmax; }
/// The function that elements are combined by; of positions that which finds the extremum.
Ufunc getCombiner(Reduction reduction);

/// What element types an elementwise function takes and gives (see Ufuncs.def).
enum class UfuncRule {
  Arithmetic, Number, Comparison, Logical, Bitwise, Integer, Float, RealFloat, FloatTest, RealNumber, Magnitude, Part, Select
};
struct UfuncInfo {
  llvm::StringRef name;
  unsigned inputs;
  UfuncRule rule;
};
/// The row of Ufuncs.def, or null.
const UfuncInfo *lookupUfunc(llvm::StringRef name);
/// Element type of the result for operands of element type `type` (of the second operand for `where`).
mlir::Type getUfuncResultType(const UfuncInfo &ufunc, mlir::Type type);
bool acceptsElementType(UfuncRule rule, mlir::Type type);

} // namespace npcc::np
#endif
