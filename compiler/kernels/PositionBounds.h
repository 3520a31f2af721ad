#ifndef NPCC_COMPILER_KERNELS_POSITIONBOUNDS_H
#define NPCC_COMPILER_KERNELS_POSITIONBOUNDS_H
#include "compiler/memory/Accesses.h"

namespace npcc {

// Bounds of positions inside a loop of the host. Positions of loops and kernels inside are replaced by the ends of
// these loops, from the innermost one on: so i - 1 - j with j from 0 to i is never negative, whatever i is.

/// What `value` never falls below (or, with `most`, never exceeds) inside `outer`, as a value before it: where it
/// depends on positions of loops, and on what is defined before. Without a builder nothing is made: only whether there
/// is a bound is told. What is loaded from an array of integers that the loop leaves as it is has the least (greatest)
/// element of the part that the loop loads from as its bound, which a kernel finds.
std::optional<mlir::Value> emitBound(mlir::Value value, mlir::scf::ForOp outer, mlir::OpBuilder *builder, bool most);
std::optional<mlir::Value> emitBound(const LinearForm &form, mlir::scf::ForOp outer, mlir::OpBuilder *builder,
                                     bool most);

/// The number that a sum never falls below inside `outer`, if it is known when the program is compiled.
std::optional<int64_t> getLeast(const LinearForm &form, mlir::scf::ForOp outer);
/// The number that it never exceeds.
std::optional<int64_t> getMost(const LinearForm &form, mlir::scf::ForOp outer);

/// Whether it is known that a sum is not negative where `place`, inside `outer`, is reached: by the loops and the
/// conditions around it.
bool isNeverNegative(const LinearForm &form, mlir::Operation *place, mlir::scf::ForOp outer);

/// Whether a number is never below 0 by what it is computed of: extents, positions, products and quotients of such.
bool isNotNegative(mlir::Value value);

/// The position that a check passes on if it counts from the start; any other index as it is.
mlir::Value stripCheck(mlir::Value index);

/// The sum that an index is. A check of a position that is known not to be negative lets it pass unchanged; others count from the end.
LinearForm getKnownForm(mlir::Value index, mlir::scf::ForOp outer);
/// The sum that an index is, as if every check of a position inside `outer` let it pass unchanged.
LinearForm getUncheckedForm(mlir::Value index, mlir::scf::ForOp outer);

} // namespace npcc
#endif
