#ifndef NPCC_FRONTEND_IMPORTER_ATTEMPT_H
#define NPCC_FRONTEND_IMPORTER_ATTEMPT_H
// Code that is imported to see what comes of it, and may be taken back.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// What the names of the functions are bound to that have called the one at hand. A list that it was given is one of
/// theirs, too: where that changes, they go on with a copy, and with the list as it was where the change is taken back.
class CallersNames {
public:
  explicit CallersNames(Interpreter &in) : in(in), starts(in.env.starts.size()) {
    for (Frame *frame = in.env.frame->caller; frame; frame = frame->caller)
      saved.push_back(frame->bindings);
    for (const Bindings &bindings : saved)
      in.env.starts.push_back(&bindings);
  }
  CallersNames(const CallersNames &) = delete;
  ~CallersNames() { in.env.starts.resize(starts); }
  void restore() {
    auto bindings = saved.begin();
    for (Frame *frame = in.env.frame->caller; frame; frame = frame->caller)
      frame->bindings = *bindings++;
  }

private:
  Interpreter &in;
  size_t starts;
  std::vector<Bindings> saved;
};

/// What an attempt starts with: a known list that it changes is, after it was taken back, as it was.
class Attempt {
public:
  explicit Attempt(Interpreter &in) : before(in.env.snapshot()), callers(in), in(in) {
    in.env.starts.push_back(&before.bindings);
  }
  Attempt(const Attempt &) = delete;
  ~Attempt() { in.env.starts.pop_back(); }
  bool failed() const { return in.diagnostics.size() > before.diagnostics; }
  void takeBack() {
    in.env.rollBack(before);
    callers.restore();
  }

private:
  Environment::Snapshot before;
  CallersNames callers;
  Interpreter &in;
};

} // namespace npcc::frontend
#endif
