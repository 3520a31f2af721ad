#include "frontend/importer/LentArrays.h"
#include "dialects/Np/Host.h"
#include "frontend/importer/LaterStores.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

static constexpr StringRef backMark = "np.taken_back";

/// Whether a value comes from installed packages: a module or object of one, what is in it, and what its functions and
/// methods give. `seen`: names that were asked for already.
static bool isOfPackages(Interpreter &in, const py::Object &node, std::set<std::string> &seen) {
  py::Object root = node;
  for (std::string type = py::typeName(root); type != "Name"; type = py::typeName(root)) {
    if (type != "Attribute" && type != "Subscript" && type != "Call")
      return false;
    root = root[type == "Call" ? "func" : "value"];
  }
  std::string name = root.string("id");
  Frame &frame = *in.env.frame;
  bool isOwn = frame.locals.count(name) || frame.cells.count(name);
  auto found = frame.bindings.find(name);
  py::Object known;
  if (isOwn && found != frame.bindings.end() && found->second.is(PyValue::Kind::Object))
    known = found->second.object();
  for (Frame *scope = frame.parent.get(); scope; scope = scope->parent.get())
    if (!isOwn && (scope->locals.count(name) || scope->cells.count(name)))
      return false;
  if (!isOwn && frame.globals)
    known = py::Object::borrow(PyDict_GetItemString(frame.globals.get(), name.c_str()));
  if (known)
    return py::isTrue(py::call(py::lookup("npcc.lending.is_of_package"), {known}));
  if (!isOwn || !seen.insert(name).second)
    return isOwn;
  py::Object sources = py::call(py::lookup("npcc.lending.sources_of"), {frame.definition, py::string(name)});
  return sources && !sources.isNone() &&
         llvm::all_of(py::elements(sources), [&](const py::Object &source) { return isOfPackages(in, source, seen); });
}

bool looksAtArrays(const py::Object &function) {
  return function && py::isTrue(py::call(py::lookup("npcc.lending.looks_at_arrays"), {function}));
}

bool makesCall(const py::Object &function) {
  return function && py::isTrue(py::call(py::lookup("npcc.lending.makes_call"), {function}));
}

bool lendsTo(Interpreter &in, const py::Object &call) {
  std::set<std::string> seen;
  return (isOfPackages(in, call["func"], seen) || makesCall(functionCalled(in, call))) &&
         py::isTrue(py::call(py::lookup("npcc.lending.is_only_looked_at"), {in.env.frame->definition, call}));
}

PyValue lend(Interpreter &in, Value array, const std::string &place, std::vector<LentArray> &lent) {
  for (const LentArray &other : lent)
    if (other.array == array)
      return pythonObject(PyValue::runtime(other.object));
  PyValue object = arrayText(in, array, 'o');
  Value number = valueOf(in, in.env.bound(object->items[0]));
  lent.push_back({array, number, in.ir.getStringAttr(place)});
  return pythonObject(PyValue::runtime(number));
}

void takeBack(Interpreter &in, ArrayRef<LentArray> lent) {
  for (const LentArray &one : lent) {
    std::string dtype = in.dtypes.name(np::getElementType(one.array.getType()));
    auto type = np::ArrayType::get(in.ir.getContext(), {1}, in.ir.getI64Type(), true);
    Value result = np::EmptyOp::create(in.ir, type, ValueRange());
    Value number = in.ir.newArray(in.ir.rankZero(one.object));
    auto routine = np::RoutineOp::create(in.ir, in.ir.getI64Type(), "text w " + dtype, ValueRange{number},
                                         ValueRange{one.array, result});
    routine->setAttr(backMark, one.place);
    in.ir.clobber();
  }
}

void checkLentArrays(Interpreter &in) {
  SmallVector<np::RoutineOp> all;
  in.ir.function.walk([&](np::RoutineOp routine) {
    if (routine->hasAttr(backMark))
      all.push_back(routine);
  });
  if (all.empty())
    return;
  LaterStores stores(in.ir.function, [](Operation *op) { return op->hasAttr(backMark); });
  for (np::RoutineOp routine : all) {
    Value array = routine.getOutputs().front();
    llvm::SetVector<Value> roots;
    bool areKnown = addRoots(array, roots);
    bool isGiven = llvm::any_of(roots, [](Value root) { return isa<BlockArgument>(root); });
    // What is stored into the argument of a function that calls itself, its callers do.
    if (!areKnown || (isGiven && in.ir.function.isPrivate()) || stores.isChangedBehind(routine, array))
      notePlaceOf(in, cast<StringAttr>(routine->getAttr(backMark)).getValue());
    routine->removeAttr(backMark);
  }
}

} // namespace npcc::frontend
