#ifndef NPCC_FRONTEND_IMPORTER_TURNTAKERS_H
#define NPCC_FRONTEND_IMPORTER_TURNTAKERS_H
// Functions that call each other in turns, as those of a parser do, are functions of the module all (Recursion.h). Were
// only that one that calls itself first, its body would have a copy of the others for each way through them. Where they
// cannot be functions of the module, the copies stay.
#include "frontend/importer/PythonObject.h"
#include <set>

namespace npcc::frontend {

/// Those of the imports of one function, while it lives.
class TurnTakers {
public:
  TurnTakers() : outer(current) { current = this; }
  TurnTakers(const TurnTakers &) = delete;
  ~TurnTakers() { current = outer; }

  std::set<PyObject *> definitions; // without those that were found to call themselves
  bool areCopied = false;

  static thread_local TurnTakers *current; // an import runs in one thread

private:
  TurnTakers *outer;
};

} // namespace npcc::frontend
#endif
