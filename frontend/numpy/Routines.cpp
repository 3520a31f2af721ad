// A routine of the runtime's libraries on new arrays: what numpy.linalg's and numpy.fft's functions in npcc/library are
// made of.
#include "dialects/Np/Host.h"
#include "frontend/numpy/OutputShapes.h"
#include "frontend/numpy/Table.h"

#include "dialects/Np/Choice.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

/// The arrays of a tuple. What is a value is made an array: an input that is computed is written to memory here.
bool arraysOf(Interpreter &in, const PyValue &tuple, SmallVector<Value> &arrays) {
  for (const PyValue &item : tuple->items) {
    if (item.isPoison())
      return false;
    Value array = item.ir();
    if (!isa<np::ArrayType>(array.getType())) {
      auto read = array.getDefiningOp<np::LoadOp>();
      array = read ? read.getArray() : in.ir.newArray(array);
    }
    arrays.push_back(array);
  }
  return true;
}

PyValue emitRoutine(Interpreter &in, Arguments &args) {
  SmallVector<Value> inputs, outputs;
  if (!arraysOf(in, args["inputs"], inputs) || !arraysOf(in, args["outputs"], outputs))
    return PyValue::poison();
  Value failed =
      np::RoutineOp::create(in.ir, in.ir.getI64Type(), py::toString(args["name"].object().get()), inputs, outputs);
  in.ir.clobber();
  return PyValue::runtime(failed);
}
const Registered routineRows{{"npcc.library.routines.routine", "name, inputs, outputs", emitRoutine}};

PyValue emitChoice(Interpreter &in, Arguments &args, bool knownOnly) {
  const PyValue &condition = args["condition"];
  if (!condition.isRuntime())
    return condition;
  Value value = valueOf(in, condition);
  if (!value)
    return PyValue::poison();
  std::string what = py::toString(args["what"].object().get());
  return PyValue::runtime(np::ChoiceOp::create(in.ir, value.getType(), what, knownOnly, value));
}
PyValue emitPlanned(Interpreter &in, Arguments &args) { return emitChoice(in, args, /*knownOnly=*/false); }
PyValue emitPlannedIfKnown(Interpreter &in, Arguments &args) { return emitChoice(in, args, /*knownOnly=*/true); }
const Registered plannedRows{{"npcc.library.routines.planned", "condition, what", emitPlanned},
                             {"npcc.library.routines.planned_if_known", "condition, what", emitPlannedIfKnown}};

PyValue emitRunsOnGpu(Interpreter &in, Arguments &) {
  auto target = in.ir.function->getAttrOfType<StringAttr>("np.target");
  return PyValue::object(py::boolean(target && target.getValue() == "cuda"));
}
const Registered targetRows{{"npcc.library.routines.runs_on_gpu", "", emitRunsOnGpu}};

PyValue emitIsCaught(Interpreter &in, Arguments &args) {
  std::string error = py::toString(args["error"].object().get());
  return PyValue::object(py::boolean(in.ir.isCaught && in.ir.isCaught(error, "")));
}
const Registered caughtRows{{"npcc.library.routines.is_caught", "error", emitIsCaught}};

PyValue emitStoredAsUfunc(Interpreter &in, Arguments &args) {
  return storeOut(in, args["result"], args["out"], "same_kind", py::toString(args["name"].object().get()));
}
PyValue emitCheckOperands(Interpreter &in, Arguments &args) {
  std::vector<PyValue> operands;
  PyValue out = outputOf(in, args["out"]);
  std::string name = py::toString(args["name"].object().get()), casting = py::toString(args["casting"].object().get());
  UfuncOutputs outputs{{out.arrayType() ? out : PyValue::object(py::none())}, {}, name, casting};
  Type result = asDtype(in, args["dtype"], {});
  if (!result || !asSequence(in, args["operands"], operands) ||
      (!checkOutputsOfUfunc(in, operands, {result}, outputs) && !outputs.areTooShort))
    return PyValue::poison();
  return PyValue::object(py::none());
}
const Registered storedRows{
    {"npcc.library.routines.stored_as_ufunc", "result, out, name", emitStoredAsUfunc},
    {"npcc.library.routines.check_operands", "operands, dtype, out, name, casting", emitCheckOperands}};

PyValue emitCheckReduced(Interpreter &in, Arguments &args) {
  Value operand = asArray(in, args["operand"]), result = asArray(in, args["result"]);
  PyValue out = outputOf(in, args["out"]);
  SmallVector<int64_t> axes;
  if (operand && result && out.arrayType() && out.rank() == np::getRank(result.getType()) &&
      asAxes(in, args["axes"], np::getRank(operand.getType()), axes))
    checkOutputOfReduction(in, operand, axes, args["keepdims"].isObject() && py::isTrue(args["keepdims"].object()),
                           result, out.ir());
  return PyValue::object(py::none());
}
const Registered reducedRows{
    {"npcc.library.routines.check_reduced", "operand, axes, keepdims, result, out", emitCheckReduced}};

PyValue emitCheckReduceat(Interpreter &in, Arguments &args) {
  Value operand = asArray(in, args["operand"]), starts = asArray(in, args["starts"]);
  PyValue out = outputOf(in, args["out"]);
  std::optional<int64_t> axis = asInteger(in, args["axis"]);
  if (!operand || !starts || !axis ||
      (out.arrayType() && !checkOutputOfReduceat(in, operand, in.ir.dim(starts, 0), *axis, out.ir())))
    return PyValue::poison();
  return PyValue::object(py::none());
}
const Registered reduceatRows{
    {"npcc.library.routines.check_reduceat", "operand, starts, axis, out", emitCheckReduceat}};

} // namespace
} // namespace npcc::frontend
