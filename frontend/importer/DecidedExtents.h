#ifndef NPCC_FRONTEND_IMPORTER_DECIDEDEXTENTS_H
#define NPCC_FRONTEND_IMPORTER_DECIDEDEXTENTS_H
// What a function of the library gives may depend on an extent: the cross product of vectors of three has an axis more
// than that of vectors of two. Names that a loop carries, and lists that it makes, hold arrays whose extents are not
// part of their types. So the library's conditions look through what such slots are set to:
//
//   frame = np.eye(4); frames = [frame]
//   for link in links:
//       frame = frame @ link        4 rows before the loop, and as many as before afterwards: 4
//       frames.append(frame)
//   [np.cross(f[:3, 2], tip) for f in frames]      the first 3 of 4: 3
//
// A slot may be set again later. So the conditions that were decided are looked at once more when the function is
// complete; the next import leaves those to run time that do not hold any more.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// Whether a condition of extents holds; nothing where that is known at run time only.
std::optional<bool> decide(Interpreter &in, mlir::Value condition);
/// Notes what was decided and does not hold any more.
void checkDecided(Interpreter &in);

} // namespace npcc::frontend
#endif
