// cuda.atomic: elements of arrays that are changed in one step.
#include "dialects/Np/Threads.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Threads.h"
#include "frontend/importer/Values.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

using np::AtomicKind;

/// The kind of np.atomic for a name of cuda.atomic.
static std::optional<AtomicKind> kindOf(StringRef name) {
  if (!name.consume_front("atomic."))
    return std::nullopt;
  return np::symbolizeAtomicKind(name == "and_" ? "and" : name == "or_" ? "or" : name);
}

static bool isTaken(AtomicKind kind, Type element) {
  if (isa<FloatType>(element))
    return !llvm::is_contained(
        {AtomicKind::bits_and, AtomicKind::bits_or, AtomicKind::bits_xor, AtomicKind::inc, AtomicKind::dec}, kind);
  return isa<IntegerType>(element) && !element.isInteger(1);
}

std::optional<PyValue> callAtomic(Interpreter &in, StringRef name, Call &call) {
  bool isFirst = name == "atomic.compare_and_swap"; // of the first element
  std::optional<AtomicKind> kind = isFirst ? AtomicKind::cas : kindOf(name);
  if (!kind)
    return std::nullopt;
  std::vector<PyValue> values;
  if (!takeArguments(in, name,
                     isFirst                   ? "ary, old, val"
                     : kind == AtomicKind::cas ? "ary, idx, old, val"
                                               : "ary, idx, val",
                     call, values))
    return PyValue::poison();
  const PyValue &array = values[0];
  if (!array.arrayType())
    return in.fail("TypeError: cuda." + Twine(name) + " changes an element of an array, not " + describe(in, array));
  Type element = array.elementType();
  if (!isTaken(*kind, element))
    return in.fail("TypeError: cuda." + Twine(name) + " of an array of " + in.dtypes.name(element));
  PyValue index = values[1];
  if (isFirst)
    index = PyValue::sequence(std::vector<PyValue>(array.rank(), PyValue::object(py::integer(0))));
  SmallVector<AxisIndex> axes;
  if (!parseIndex(in, array, index, axes))
    return PyValue::poison();
  if (llvm::any_of(axes, [](const AxisIndex &axis) { return axis.kind != AxisIndex::Position; }))
    return in.fail("IndexError: cuda." + Twine(name) +
                   ": the index names one element, by as many integers as the array has axes");
  SmallVector<Value> numbers;
  for (const PyValue &value : ArrayRef(values).drop_front(isFirst ? 1 : 2)) {
    Value number = operandAs(in, value, element);
    if (!number)
      return PyValue::poison();
    if (np::getRank(number.getType()) > 0)
      return in.fail("TypeError: cuda." + Twine(name) + " takes numbers");
    numbers.push_back(isa<RankedTensorType>(number.getType()) ? in.ir.item(number) : number);
  }
  Value place = in.ir.makeView(array.ir(), axes);
  Value old = np::AtomicOp::create(in.ir, element, *kind, place, ValueRange(), numbers, element.isUnsignedInteger());
  in.ir.clobber();
  return PyValue::runtime(in.ir.rankZero(old));
}

} // namespace npcc::frontend
