#include "frontend/importer/PythonBits.h"
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

PyValue someNumber(Type type) { return PyValue::object(type.isF64() ? py::real(1) : py::integer(1)); }

/// The type of a number that is Python's int or float where its bit does not say otherwise: i64 or f64; null for
/// others.
static Type getOwnType(Interpreter &in, const PyValue &value) {
  if (value.isObject()) {
    PyObject *number = value.object().get();
    int overflow = 1;
    if (PyLong_CheckExact(number))
      PyLong_AsLongLongAndOverflow(number, &overflow);
    return !overflow ? Type(in.ir.getI64Type()) : PyFloat_CheckExact(number) ? Type(in.ir.getF64Type()) : Type();
  }
  Type type = value.is(PyValue::Kind::Slot) ? cast<np::SlotType>(value.slot.getType()).getValueType() : value.type();
  return isa_and_present<Float64Type>(type) || (type && type.isSignlessInteger(64)) ? type : Type();
}

Type getPythonType(Interpreter &in, const PyValue &value) {
  return value.pythonBit ? value.pythonType : getOwnType(in, value);
}

Value pythonBitOf(Interpreter &in, const PyValue &value, Type type) {
  Type own = getOwnType(in, value);
  if (!value.pythonBit)
    return in.ir.boolean(type && own == type);
  Value bit = value.is(PyValue::Kind::Slot) ? Value(np::GetOp::create(in.ir, in.ir.getI1Type(), value.pythonBit))
                                            : value.pythonBit;
  if (value.pythonType == type)
    return bit;
  return own == type ? in.ir.createOrFold<arith::XOrIOp>(bit, in.ir.boolean(true)) : in.ir.boolean(false);
}

/// Whether NumPy's scalar of a dtype holds a number of Python's.
static bool holds(Interpreter &in, const PyValue &value, Type element) {
  if (value.is(PyValue::Kind::Slot) || value.isRuntime())
    return element == getOwnType(in, value);
  if (auto type = dyn_cast<FloatType>(element)) {
    llvm::APFloat number(PyFloat_AsDouble(value.object().get()));
    bool losesInfo = false;
    number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return number.isNaN() || !losesInfo;
  }
  std::string errorType, message; // OverflowError
  return bool(py::tryCall(in.dtypes.dtype(element)["type"], {value.object()}, {}, errorType, message));
}

/// What a value may be in a slot of `type`, beside what that says.
static Type getOtherType(Interpreter &in, const PyValue &value, Type type) {
  Type own = getPythonType(in, value), element = getElementTypeOrSelf(type);
  if (!own || own == type || element.isInteger(1) || isa<ComplexType>(element) ||
      (own.isF64() && !isa<FloatType>(element)))
    return {};
  bool isKept = isa<FloatType>(element) && own.isInteger(64); // checked where it is read as an int
  return isKept || value.pythonBit || holds(in, value, element) ? own : Type();
}

Type pythonTypeAmong(Interpreter &in, ArrayRef<PyValue> values, Type type) {
  if (!type || isa<np::ArrayType>(type) || np::getRank(type) > 0)
    return {};
  Type found;
  for (const PyValue &value : values)
    if (Type other = getOtherType(in, value, type))
      found = found && found.isInteger(64) ? found : other;
  return found;
}

Type carriedPythonType(Interpreter &in, ArrayRef<PyValue> values, Type type) {
  Type found = pythonTypeAmong(in, values, type);
  return found && found.isInteger(64) ? found : Type();
}

PyValue withoutPythonBit(PyValue number) {
  number.pythonBit = Value();
  number.pythonType = Type();
  return number;
}

PyValue withPythonBit(Interpreter &in, PyValue number, Value bit, Type type) {
  bool isNumber = number.isRuntime() && !number.arrayType() && number.rank() == 0 &&
                  isa<FloatType, IntegerType>(number.elementType());
  if (!isNumber || !type || getOwnType(in, number) == type || matchPattern(bit, m_Zero()))
    return number;
  number.pythonBit = bit;
  number.pythonType = type;
  return matchPattern(bit, m_One()) ? splitNumber(in, number)->items[0] : number;
}

void addPythonBit(Interpreter &in, PyValue &slot, const std::string &name, ArrayRef<PyValue> values) {
  slot.pythonType = pythonTypeAmong(in, values, cast<np::SlotType>(slot.slot.getType()).getValueType());
  if (slot.pythonType)
    slot.pythonBit = in.env.slotFor(name + pythonBitSuffix.str(), in.ir.getI1Type());
}

PyValue heldBy(Interpreter &in, const PyValue &slot) {
  Type type = cast<np::SlotType>(slot.slot.getType()).getValueType();
  PyValue value = PyValue::runtime(np::GetOp::create(in.ir, type, slot.slot));
  if (slot.pythonBit) {
    value.pythonBit = pythonBitOf(in, slot, slot.pythonType);
    value.pythonType = slot.pythonType;
  }
  return value;
}

/// Whether a bit tells an int from a float: else both are alike but for whose they are.
static bool isIntOrFloat(const PyValue &value) {
  Type type = value.is(PyValue::Kind::Slot) ? cast<np::SlotType>(value.slot.getType()).getValueType() : value.type();
  return value.pythonBit && isa<FloatType>(getElementTypeOrSelf(type)) != isa<FloatType>(value.pythonType);
}

/// The number of Python's that a value is, zero where it is none.
static PyValue pythonPart(Interpreter &in, const PyValue &value) {
  NpBuilder &b = in.ir;
  Value number = value.tensorType() ? b.item(value.ir()) : value.ir();
  if (!isIntOrFloat(value))
    return PyValue::runtime(b.castTo(number, value.pythonType));
  auto type = cast<FloatType>(number.getType());
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0));
  Value whole = b.createOrFold<arith::SelectOp>(value.pythonBit, number, zero);
  double most = std::ldexp(1.0, type.getFPMantissaWidth());
  // The limit itself may be what an int beyond it was rounded to.
  Value size = b.emitUfunc("absolute", {whole}), limit = arith::ConstantOp::create(b, b.getFloatAttr(type, most));
  b.checkOwnLimit(b.createOrFold<arith::CmpFOp>(arith::CmpFPredicate::OLT, size, limit),
                  "a number that is an int here and a float elsewhere is too large to be both");
  return PyValue::runtime(arith::FPToSIOp::create(b, b.getI64Type(), whole));
}

PyValue splitNumber(Interpreter &in, const PyValue &value) {
  if (!value.pythonBit)
    return value;
  if (value.is(PyValue::Kind::Slot))
    return splitNumber(in, heldBy(in, value));
  auto data = std::make_shared<Composite>();
  data->items = {pythonPart(in, value), withoutPythonBit(value)};
  data->items[1].slot = Value();
  Value python = in.ir.constantInteger(in.ir.getI64Type(), 0), other = in.ir.constantInteger(in.ir.getI64Type(), 1);
  return PyValue::unionValue(in.ir.createOrFold<arith::SelectOp>(value.pythonBit, python, other), data);
}

PyValue intOf(Interpreter &in, const PyValue &value, StringRef error, StringRef words) {
  if (!value.pythonBit || value.is(PyValue::Kind::Slot))
    return value;
  if (!isIntOrFloat(value))
    return withoutPythonBit(value);
  in.ir.check(value.pythonBit, error, words);
  return pythonPart(in, value);
}

bool areApart(Interpreter &in, const PyValue &left, const PyValue &right) {
  Type mine = runtimeType(in, left), other = runtimeType(in, right);
  if (!mine || !other || mine == other || np::getRank(mine) > 0 || np::getRank(other) > 0)
    return false;
  if (isa<np::ArrayType>(mine) || isa<np::ArrayType>(other))
    return isa<np::ArrayType>(mine) != isa<np::ArrayType>(other);
  // A bit tells an int from a float, and no complex number from either.
  if (isa<ComplexType>(getElementTypeOrSelf(mine)) != isa<ComplexType>(getElementTypeOrSelf(other)))
    return true;
  if (isa<RankedTensorType>(mine) && isa<RankedTensorType>(other))
    return true;
  // Python's bool counts as 1 and has methods of its own: ~True is -2, and no float has ~.
  auto isPythonsBool = [](Type type) { return type.isInteger(1); };
  if (!isa<RankedTensorType>(mine) && !isa<RankedTensorType>(other))
    return isPythonsBool(mine) != isPythonsBool(other);
  if (isPythonsBool(mine) || isPythonsBool(other))
    return true;
  bool isLeft = !isa<RankedTensorType>(mine);
  const PyValue &pythons = isLeft ? left : right, &numpys = isLeft ? right : left;
  Type element = getElementTypeOrSelf(isLeft ? other : mine), own = getPythonType(in, pythons);
  // One bit tells two apart, not three.
  if (pythons.pythonBit || (own && numpys.pythonBit && numpys.pythonType != own))
    return true;
  if (!own)
    return false;
  // A float of the program's is rounded to a shorter one, as NumPy rounds it where the two meet.
  if (isa<FloatType>(element))
    return own.isF64() && !pythons.isRuntime() && !holds(in, pythons, element);
  return element.isInteger(1) || own.isF64() || !holds(in, pythons, element);
}

/// The type of a result, where a number with a bit is one of Python's and where it is not.
static bool isTypeAffected(Interpreter &in, const PyValue &number, const PyValue &other) {
  return resultType(in, {withoutPythonBit(number), other}) != resultType(in, {someNumber(number.pythonType), other});
}

std::optional<PyValue> binaryOfPythonBits(Interpreter &in, StringRef operation, const PyValue &left,
                                          const PyValue &right) {
  bool isExact = operation == "Add" || operation == "Sub" || operation == "Mult";
  if (operation == "Div" && left.isPythonScalar() && right.isPythonScalar())
    return std::nullopt;
  Type mine = getPythonType(in, left), other = getPythonType(in, right);
  // A sum of two that may be Python's is Python's if both are. Ints of Python's do not wrap as NumPy's do.
  auto isWide = [](const PyValue &value) { return value.isRuntime() && value.elementType().isF64(); };
  bool isNarrow = !isWide(left) && !isWide(right);
  bool areInts = mine && other && mine.isInteger(64) && other.isInteger(64);
  bool isFloat = llvm::any_of(ArrayRef<PyValue>{left, right}, [](const PyValue &value) {
    return value.isRuntime() && isa<FloatType>(value.elementType());
  });
  if (isExact && mine && other && isFloat && (areInts || !isNarrow)) {
    PyValue result = binary(in, operation, withoutPythonBit(left), withoutPythonBit(right));
    Value isPython = in.ir.createOrFold<arith::AndIOp>(pythonBitOf(in, left, mine), pythonBitOf(in, right, other));
    // A product that is an int's zero has no sign.
    if (operation == "Mult" && areInts && result.isPythonScalar()) {
      Value zero = arith::ConstantOp::create(in.ir, in.ir.getF64FloatAttr(0));
      Value unsignedZero = in.ir.createOrFold<arith::AddFOp>(result.ir(), zero);
      result = PyValue::runtime(in.ir.createOrFold<arith::SelectOp>(isPython, unsignedZero, result.ir()));
    }
    return withPythonBit(in, result, isPython, areInts ? mine : Type(in.ir.getF64Type()));
  }
  SmallVector<PyValue> operands{left, right};
  for (size_t k : {0, 1}) {
    if (!operands[k].pythonBit)
      continue;
    bool isBesideNumpys = isNumpys(in, operands[1 - k]) && !operands[1 - k].pythonBit;
    if (isBesideNumpys && !isTypeAffected(in, operands[k], operands[1 - k]) && (isExact || !isIntOrFloat(operands[k])))
      continue;
    operands[k] = splitNumber(in, operands[k]);
    return overAlternatives(in, operands,
                            [&](ArrayRef<PyValue> each) { return binary(in, operation, each[0], each[1]); });
  }
  return std::nullopt;
}

/// Whether a slot is one of a bit.
static bool isPythonBit(Value slot) {
  auto var = slot.getDefiningOp<np::VarOp>();
  return var && var.getName().ends_with(pythonBitSuffix);
}

void dropUnusedPythonBits(Region &body) {
  DenseSet<Operation *> live;
  SmallVector<Operation *> work;
  auto reach = [&](Operation *op) {
    if (op && live.insert(op).second)
      work.push_back(op);
  };
  body.walk([&](Operation *op) {
    auto set = dyn_cast<np::SetOp>(op);
    bool isOfBit = (set && isPythonBit(set.getSlot())) || isa<np::GetOp, np::VarOp>(op);
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
