#ifndef NPCC_FRONTEND_IMPORTER_COMPREHENSIONSCOPES_H
#define NPCC_FRONTEND_IMPORTER_COMPREHENSIONSCOPES_H
// Where functions look for their names that an item of a comprehension makes: [lambda v: v + k for k in range(3)]. The
// targets are names of the function around while the comprehension is imported. Once it has ended, what they were bound
// to last is in a scope of its own, which all these functions share.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// While it lives, the comprehension is imported that has these targets.
class ComprehensionScope {
public:
  ComprehensionScope(Interpreter &in, const std::set<std::string> &targets);
  ComprehensionScope(const ComprehensionScope &) = delete;
  ~ComprehensionScope();

  /// Called where all items were made, as long as the targets are bound.
  void keepTargets();
  /// The scope that is around a function which is made here.
  static std::shared_ptr<Frame> around(Interpreter &in, const py::Object &definition);

private:
  const std::set<std::string> &targets;
  std::shared_ptr<Frame> scope; // null as long as no function needs it
  Frame *frame;
  ComprehensionScope *outer;
};

} // namespace npcc::frontend
#endif
