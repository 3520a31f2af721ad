#ifndef NPCC_FRONTEND_IMPORTER_ATTEMPT_H
#define NPCC_FRONTEND_IMPORTER_ATTEMPT_H
// Code that is imported to see what comes of it, and may be taken back.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// What an attempt starts with: a known list that it changes is, after it was taken back, as it was.
class Attempt {
public:
  explicit Attempt(Interpreter &in) : before(in.env.snapshot()), in(in) { in.env.starts.push_back(&before.bindings); }
  Attempt(const Attempt &) = delete;
  ~Attempt() { in.env.starts.pop_back(); }
  bool failed() const { return in.diagnostics.size() > before.diagnostics; }
  void takeBack() { in.env.rollBack(before); }

private:
  Environment::Snapshot before;
  Interpreter &in;
};

} // namespace npcc::frontend
#endif
