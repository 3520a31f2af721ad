#ifndef NPCC_DIALECTS_NP_UFUNC_H
#define NPCC_DIALECTS_NP_UFUNC_H
// Elementwise functions as an enumeration, and what Ufuncs.def says of each.
#include "dialects/Np/Np.h"

namespace npcc::np {

/// NumPy's elementwise functions, by NumPy's names.
enum class Ufunc {
#define UFUNC(NAME, ...) NAME,
#include "dialects/Np/Ufuncs.def"
};

/// The function of a name; none where it is no row of Ufuncs.def.
std::optional<Ufunc> symbolizeUfunc(llvm::StringRef name);
llvm::StringRef stringifyUfunc(Ufunc ufunc);

/// What an operation computes. Its name has been verified.
Ufunc getUfunc(UfuncOp op);
/// What an operation combines by (the extremum of argmax and argmin).
Ufunc getCombiner(ReduceOp op);
Ufunc getCombiner(ScanOp op);

/// Whether an element is computed again rather than kept where several read it.
bool isCheap(Ufunc ufunc);
/// Whether the type itself defines the result, so that it must not be computed in a wider one.
bool dependsOnPrecision(Ufunc ufunc);
bool isComparison(Ufunc ufunc);

/// The element that a reduction starts from (see UFUNC_REDUCTION).
enum class Neutral { Zero, One, AllOnes, Least, Greatest };
/// None of functions that are no reductions.
std::optional<Neutral> getNeutral(Ufunc ufunc);

} // namespace npcc::np
#endif
