#ifndef NPCC_FRONTEND_IMPORTER_LOOPMEMORY_H
#define NPCC_FRONTEND_IMPORTER_LOOPMEMORY_H
// The body of a loop is imported until the types of its names settle, and with it the loops in it: those of a nest of
// three would each be imported eight times. So a loop remembers what those in it have settled on, and its next attempt
// begins them with that: the nest costs a sum, and not a product.
#include "frontend/importer/ControlFlow.h"

namespace npcc::frontend {

/// What a name held, without its slots, which are gone when another attempt begins.
struct Kept {
  PyValue model;
  mlir::Type type, pythonType;
  bool mayBeUnbound = false, hasBit = false;
  std::vector<Kept> parts;
};

/// What the loops in one loop have settled on, by the calls that lead to them.
struct LoopMemory {
  struct Settled {
    std::map<std::string, std::pair<Kept, Kept>> names; // before the loop, and what it carries
    std::unique_ptr<LoopMemory> inner;
    unsigned entered = 0;     // in this attempt
    bool isAmbiguous = false; // it was imported several times in one: nobody knows which one was which
  };
  std::map<std::vector<const void *>, Settled> loops;
  const Frame *frame = nullptr; // of the loop that these are in
};

/// While a loop is imported.
class LoopScope {
public:
  LoopScope(Interpreter &in, const Loop &loop);
  LoopScope(const LoopScope &) = delete;
  ~LoopScope();

  /// Gives names what they have settled on in an earlier attempt of the loop around, if they held the same before it.
  void begin(std::map<std::string, PyValue> &header);
  void beginAttempt();
  void settle(const std::map<std::string, PyValue> &header, const Bindings &before);

private:
  Interpreter &in;
  LoopMemory *outer = nullptr;
  LoopMemory::Settled own;
  LoopMemory::Settled *settled = &own;
  std::map<std::string, Kept> atBegin;
};

} // namespace npcc::frontend
#endif
