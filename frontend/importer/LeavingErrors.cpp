#include "frontend/importer/LeavingErrors.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Text.h"

using namespace mlir;

namespace npcc::frontend {

/// Whether a container is surely as it was at the entry. Stores into a list that is an object, and into the lists of a
/// table, need leave no trace in names.
static bool isUnchanged(Interpreter &in, const Given &given, const Given::Container &container) {
  const PyValue &value = container.value;
  if (value.isRecords() || value.isRows() || value.is(PyValue::Kind::Function) || isContainer(value, "FrozenSet") ||
      value.isPoison())
    return true;
  if (value.isSequence())
    return value->items == container.items;
  const Environment::ChangedLists &changed = in.env.changedLists;
  if (value.isTabled())
    return !changed.ofTables;
  if (isBox(value))
    return !changed.boxes.contains(value->id);
  if (!value.is(PyValue::Kind::Instance))
    return true;
  if (isContainerClass(value->cls))
    return given.isAsGiven(container);
  return given.holdsAsGiven(container);
}

LeavingErrors::LeavingErrors(Interpreter &in, const Given *given) : in(in) {
  if (!given || given->containers().empty())
    return;
  outermost.frame = in.env.frame;
  outermost.raised.resize(1);
  in.env.outermost = &outermost;
  in.env.changedLists = {in.env.instances + 1, {}, false};
  in.env.hasChanged = [&in, given] {
    return !llvm::all_of(given->containers(), [&](const auto &one) { return isUnchanged(in, *given, one); });
  };
  takeChecks(in);
}

bool leave(Interpreter &in, const py::Object &cls, StringRef error, const std::string &message, ValueRange values,
           const PyValue &object) {
  // Of the names only what objects hold is read behind it.
  Handler &outermost = *in.env.outermost;
  Raised one{{in.ir.getInsertionBlock(), heldBindings(in.env.frame->bindings)},
             cls,
             error.str(),
             message,
             SmallVector<Value>(values),
             object,
             in.ir.getLoc()};
  outermost.raised[0].push_back(std::move(one));
  in.env.isReachable = false;
  return true;
}

/// Whether a loop that runs is around this place.
static bool isInLoop(Interpreter &in) {
  for (const Frame *frame = in.env.frame.get(); frame; frame = frame->caller)
    if (llvm::any_of(frame->loops, [](const LoopTargets *loop) { return loop->header; }))
      return true;
  return false;
}

/// Whether a check is one of arithmetic or of a position, as the iterations of a loop over elements make them.
static bool isOfElements(StringRef error, StringRef message) {
  return error == "ZeroDivisionError" || error == "OverflowError" || error == "FloatingPointError" ||
         (error == "IndexError" && message.contains("out of")) || (error == "ValueError" && message.contains("domain"));
}

bool leavesAt(Interpreter &in, StringRef error, StringRef message) {
  return !(isOfElements(error, message) && isInLoop(in)) && in.env.leavesChanges();
}

void LeavingErrors::addToReturns() {
  if (!in.env.outermost)
    return;
  in.env.outermost = nullptr;
  in.ir.onCheck = nullptr;
  in.ir.isCaught = nullptr;
  static const py::Object cls = py::lookup("npcc.structures.LeavingError");
  for (Raised &one : outermost.raised[0]) {
    in.env.continueIn(one.edge.block);
    in.env.frame->bindings = std::move(one.edge.bindings);
    in.ir.forgetCaches();
    std::string file;
    int64_t line = 0;
    one.place.walk([&](Location inner) {
      auto range = dyn_cast<FileLineColRange>(inner);
      if (!range)
        return WalkResult::advance();
      file = range.getFilename().str();
      line = range.getStartLine();
      return WalkResult::interrupt();
    });
    PyValue what = isPythons(one.object) ? one.object : exceptionString(in, one.message, one.values);
    PyValue result = PyValue::sequence({PyValue::object(py::string(one.error)), what, PyValue::object(py::string(file)),
                                        PyValue::object(py::integer(line))});
    result->cls = cls;
    in.env.frame->bindings["%return"] = result;
    in.env.frame->returns.push_back(in.env.edgeHere());
    in.env.isReachable = false;
  }
}

} // namespace npcc::frontend
