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

PyValue emitStoredAsUfunc(Interpreter &in, Arguments &args) {
  std::vector<PyValue> operands;
  PyValue result = args["result"], out = outputOf(in, args["out"]);
  if (asSequence(in, args["operands"], operands) && !operands.empty() && result.isRuntime() && out.arrayType())
    if (!checkOutputOfUfunc(in, operands, result, out))
      return out;
  return storeOut(in, args["result"], args["out"], "same_kind", py::toString(args["name"].object().get()));
}
const Registered storedRows{
    {"npcc.library.routines.stored_as_ufunc", "result, out, name, operands=()", emitStoredAsUfunc}};

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

} // namespace
} // namespace npcc::frontend
