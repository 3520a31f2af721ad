#include "frontend/importer/IntOrFloat.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace mlir;

namespace npcc::frontend {

static bool isInt(const py::Object &object) { return PyLong_CheckExact(object.get()); }

bool mayBeInt(const PyValue &value) {
  if (value.intBit)
    return true;
  if (value.isObject())
    return isInt(value.object());
  if (value.is(PyValue::Kind::Slot))
    return cast<np::SlotType>(value.slot.getType()).getValueType().isSignlessInteger(64);
  return value.isPythonScalar() && value.type().isSignlessInteger(64);
}

Value intBitOf(Interpreter &in, const PyValue &value) {
  if (!value.intBit)
    return in.ir.boolean(mayBeInt(value));
  return value.is(PyValue::Kind::Slot) ? Value(np::GetOp::create(in.ir, in.ir.getI1Type(), value.intBit))
                                       : value.intBit;
}

bool needsIntBit(ArrayRef<PyValue> values, Type type) {
  Type element = type ? getElementTypeOrSelf(type) : Type();
  bool isReal = isa_and_present<FloatType>(element) && !isa<np::ArrayType>(type) && np::getRank(type) == 0;
  return isReal && llvm::any_of(values, mayBeInt);
}

PyValue withoutIntBit(PyValue number) {
  number.intBit = Value();
  return number;
}

PyValue withIntBit(Interpreter &in, PyValue number, Value bit) {
  bool isRealNumber =
      number.isRuntime() && !number.arrayType() && number.rank() == 0 && isa<FloatType>(number.elementType());
  if (!isRealNumber || matchPattern(bit, m_Zero()))
    return number;
  number.intBit = bit;
  return matchPattern(bit, m_One()) ? splitNumber(in, number)->items[0] : number;
}

PyValue heldBy(Interpreter &in, const PyValue &slot) {
  Type type = cast<np::SlotType>(slot.slot.getType()).getValueType();
  PyValue value = PyValue::runtime(np::GetOp::create(in.ir, type, slot.slot));
  if (slot.intBit)
    value.intBit = intBitOf(in, slot);
  return value;
}

/// The int that a number is, zero where it is a float.
static PyValue wholePart(Interpreter &in, const PyValue &value) {
  NpBuilder &b = in.ir;
  Value number = value.tensorType() ? b.item(value.ir()) : value.ir();
  auto type = cast<FloatType>(number.getType());
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0));
  Value whole = b.createOrFold<arith::SelectOp>(value.intBit, number, zero);
  double most = std::ldexp(1.0, type.getFPMantissaWidth());
  Value size = b.emitUfunc("absolute", {whole}), limit = arith::ConstantOp::create(b, b.getFloatAttr(type, most));
  b.check(b.createOrFold<arith::CmpFOp>(arith::CmpFPredicate::OLE, size, limit), "OverflowError",
          "a number that is an int here and a float elsewhere is too large to be both");
  return PyValue::runtime(arith::FPToSIOp::create(b, b.getI64Type(), whole));
}

PyValue splitNumber(Interpreter &in, const PyValue &value) {
  if (!value.intBit)
    return value;
  if (value.is(PyValue::Kind::Slot))
    return splitNumber(in, heldBy(in, value));
  auto data = std::make_shared<Composite>();
  data->items = {wholePart(in, value), withoutIntBit(value)};
  data->items[1].slot = Value();
  Value isInt = in.ir.constantInteger(in.ir.getI64Type(), 0), isFloat = in.ir.constantInteger(in.ir.getI64Type(), 1);
  return PyValue::unionValue(in.ir.createOrFold<arith::SelectOp>(value.intBit, isInt, isFloat), data);
}

PyValue intOf(Interpreter &in, const PyValue &value, StringRef error, StringRef words) {
  if (!value.intBit || value.is(PyValue::Kind::Slot))
    return value;
  in.ir.check(value.intBit, error, words);
  return wholePart(in, value);
}

/// Whether the result has another dtype where the number beside `other` is an int.
static bool isTypeAffected(Interpreter &in, const PyValue &number, const PyValue &other) {
  Type asFloat = resultType(in, {withoutIntBit(number), other});
  return asFloat != resultType(in, {PyValue::object(py::integer(1)), other});
}

std::optional<PyValue> binaryOfIntOrFloat(Interpreter &in, StringRef operation, const PyValue &left,
                                          const PyValue &right) {
  bool isExact = operation == "Add" || operation == "Sub" || operation == "Mult";
  if (operation == "Div" && left.isPythonScalar() && right.isPythonScalar())
    return std::nullopt;
  auto again = [&](ArrayRef<PyValue> operands) { return binary(in, operation, operands[0], operands[1]); };
  // A product that is an int's zero has no sign.
  if (isExact && mayBeInt(left) && mayBeInt(right)) {
    PyValue result = binary(in, operation, withoutIntBit(left), withoutIntBit(right));
    Value isInt = in.ir.createOrFold<arith::AndIOp>(intBitOf(in, left), intBitOf(in, right));
    if (operation == "Mult" && result.isPythonScalar()) {
      Value zero = arith::ConstantOp::create(in.ir, in.ir.getF64FloatAttr(0));
      Value unsignedZero = in.ir.createOrFold<arith::AddFOp>(result.ir(), zero);
      result = PyValue::runtime(in.ir.createOrFold<arith::SelectOp>(isInt, unsignedZero, result.ir()));
    }
    return withIntBit(in, result, isInt);
  }
  bool isBesideFloat = (left.intBit ? right : left).isPythonScalar() && !mayBeInt(left.intBit ? right : left);
  SmallVector<PyValue> operands{left, right};
  for (size_t k : {0, 1})
    if (operands[k].intBit && !(isExact && isBesideFloat) &&
        (!isExact || isTypeAffected(in, operands[k], operands[1 - k]))) {
      operands[k] = splitNumber(in, operands[k]);
      return overAlternatives(in, operands, again);
    }
  return std::nullopt;
}

/// Whether a slot is one of a bit.
static bool isIntBit(Value slot) {
  auto var = slot.getDefiningOp<np::VarOp>();
  return var && var.getName().ends_with(intBitSuffix);
}

void dropUnusedIntBits(Region &body) {
  DenseSet<Operation *> live;
  SmallVector<Operation *> work;
  auto reach = [&](Operation *op) {
    if (op && live.insert(op).second)
      work.push_back(op);
  };
  body.walk([&](Operation *op) {
    auto set = dyn_cast<np::SetOp>(op);
    bool isOfBit = (set && isIntBit(set.getSlot())) || isa<np::GetOp, np::VarOp>(op);
    bool mayGo =
        isOfBit || (op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && isMemoryEffectFree(op));
    if (!mayGo)
      reach(op);
  });
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (auto var = dyn_cast<np::VarOp>(op))
      for (Operation *user : var->getUsers())
        if (isa<np::SetOp>(user))
          reach(user);
    for (Value operand : op->getOperands())
      reach(operand.getDefiningOp());
  }
  SmallVector<Operation *> unused;
  body.walk([&](Operation *op) {
    auto set = dyn_cast<np::SetOp>(op);
    if (set && !live.contains(set))
      unused.push_back(set);
  });
  SmallVector<Operation *> values;
  auto erase = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *value = operand.getDefiningOp())
        values.push_back(value);
    op->erase();
  };
  for (Operation *set : unused)
    erase(set);
  llvm::SmallSetVector<Operation *, 8> left(values.begin(), values.end());
  while (!left.empty()) {
    Operation *value = left.pop_back_val();
    if (!isOpTriviallyDead(value))
      continue;
    values.clear();
    erase(value);
    left.insert(values.begin(), values.end());
  }
}

} // namespace npcc::frontend
