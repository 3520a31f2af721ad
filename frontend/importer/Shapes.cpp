#include "frontend/importer/Shapes.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

static bool isNumber(Interpreter &in, const PyValue &value) {
  return value.isRuntime() || value.is(PyValue::Kind::Slot) || (value.isObject() && runtimeType(in, value));
}

/// The tables whose rows a value is, or has.
static void meetTables(Interpreter &in, const PyValue &value, TakenApart &taken) {
  auto meet = [&](unsigned id) {
    if (!keyOfTable(in, id).empty() && !llvm::is_contained(taken.instances, id))
      taken.instances.push_back(id);
  };
  if (value.isTabled() || value.isRows())
    meet(value->id);
  if (!value.isRows())
    return;
  for (StringRef kind : value->kinds)
    if (isRowKind(kind))
      meet(rowOfKind(in, kind, PyValue::object(py::integer(0)))->id);
}

std::optional<Shape> takeApart(Interpreter &in, const PyValue &given, TakenApart &taken, bool isHeld) {
  Shape shape;
  SmallVector<Value> &values = taken.values;
  auto takeParts = [&](const PyValue &value) {
    for (const PyValue &item : value->items) {
      std::optional<Shape> part = takeApart(in, item, taken, isHeld);
      if (!part)
        return false;
      shape.parts.push_back(std::move(*part));
    }
    return true;
  };
  PyValue value = in.env.bound(given);
  if (taken.followsRows)
    meetTables(in, value, taken);
  if (value.is(PyValue::Kind::Unbound)) {
    shape.model = value;
    return shape;
  }
  if (isNumber(in, value)) {
    if (value.is(PyValue::Kind::Slot))
      value = heldBy(in, value);
    shape.pythonType = value.pythonType;
    Value bit = value.pythonBit;
    Value one = value.isRuntime() ? value.ir() : valueOf(in, value);
    if (!one) // a known integer of more than 64 bits
      return std::nullopt;
    shape.type = one.getType();
    values.push_back(isa<RankedTensorType>(shape.type) ? in.ir.item(one) : one);
    if (bit)
      values.push_back(bit);
    return shape;
  }
  if (value.isObject()) {
    shape.model = value;
    return shape;
  }
  if (value.is(PyValue::Kind::Function)) { // what its names are bound to is taken by who knows where they are
    shape.model = value;
    if (!takeParts(value)) // its defaults
      return std::nullopt;
    return shape;
  }
  if (value.is(PyValue::Kind::Text)) {
    PyValue string = numbered(in, value);
    return string.isPoison() ? std::nullopt : takeApart(in, string, taken, isHeld);
  }
  if (value.isSequence() && value->isList) {
    if (value->items.empty()) {
      shape.model = value.withItems({});
      shape.model->depth = value->depth;
      shape.model->isCopy = !isHeld;
      return shape;
    }
    PyValue list = ofRuntimeLength(in, value);
    if (list.isPoison())
      return std::nullopt;
    list->isCopy = !isHeld;
    return takeApart(in, list, taken, isHeld);
  }
  if (value.is(PyValue::Kind::Instance) && !value.isTabled()) {
    auto found = llvm::find(taken.instances, value->id);
    shape.instance = found - taken.instances.begin();
    if (found == taken.instances.end()) {
      if (taken.isClosed) {
        needsTable(in, value, "an object that is made in a function that calls itself cannot leave it",
                   "make it outside");
        return std::nullopt;
      }
      taken.instances.push_back(value->id);
    }
    shape.model = value;
    return shape;
  }
  if (value.hasItems()) {
    shape.model = value.withItems({});
    if (!takeParts(value))
      return std::nullopt;
    return shape;
  }
  if (value.is(PyValue::Kind::Union)) {
    PyValue read = readUnion(in, value);
    shape.model = PyValue::unionValue(Value(), std::make_shared<Composite>());
    values.push_back(read.ir());
    for (auto [k, item] : llvm::enumerate(read->items)) {
      size_t first = values.size();
      std::optional<Shape> part = takeApart(in, item, taken, isHeld);
      if (!part)
        return std::nullopt;
      shape.parts.push_back(std::move(*part));
      for (Value &one : llvm::MutableArrayRef(values).drop_front(first))
        one = orEmpty(in, read, k, one);
    }
    return shape;
  }
  if (!value.isPoison())
    in.fail(describe(in, value) + " cannot be given to a function that calls itself, or be given by one",
            "use numbers, arrays, tuples and lists there");
  return std::nullopt;
}

void collectTypes(Interpreter &in, const Shape &shape, SmallVectorImpl<Type> &types) {
  if (shape.type)
    types.push_back(isa<RankedTensorType>(shape.type) ? getElementTypeOrSelf(shape.type) : shape.type);
  if (shape.pythonType)
    types.push_back(in.ir.getI1Type());
  if (shape.model.is(PyValue::Kind::Union))
    types.push_back(in.ir.getI64Type());
  for (const Shape &part : shape.parts)
    collectTypes(in, part, types);
}

PyValue putTogether(Interpreter &in, const Shape &shape, ValueRange &values, ArrayRef<unsigned> instances) {
  if (shape.type) {
    Value one = values.front();
    values = values.drop_front();
    PyValue number = PyValue::runtime(isa<RankedTensorType>(shape.type) ? in.ir.rankZero(one) : one);
    if (!shape.pythonType)
      return number;
    Value bit = values.front();
    values = values.drop_front();
    return withPythonBit(in, number, bit, shape.pythonType);
  }
  if (shape.model.is(PyValue::Kind::Union)) {
    auto data = std::make_shared<Composite>();
    Value tag = values.front();
    values = values.drop_front();
    for (const Shape &part : shape.parts)
      data->items.push_back(putTogether(in, part, values, instances));
    return PyValue::unionValue(tag, data);
  }
  if (shape.model.is(PyValue::Kind::Instance) && shape.parts.empty()) {
    auto data = std::make_shared<Composite>(*shape.model);
    data->id = instances[shape.instance];
    return shape.model.withData(data);
  }
  if (shape.parts.empty())
    return shape.model;
  std::vector<PyValue> items;
  for (const Shape &part : shape.parts)
    items.push_back(putTogether(in, part, values, instances));
  if (shape.model.is(PyValue::Kind::Function)) {
    auto data = std::make_shared<Composite>(*shape.model);
    data->items = std::move(items);
    return shape.model.withData(data);
  }
  PyValue result = shape.model.withItems(std::move(items));
  // Nobody knows here which names it has there.
  result->isShared = true;
  result->owner = nullptr;
  return result;
}

/// Whether two scalars are of types that a number cannot stand for: a bool of Python's and another number, two dtypes.
static bool areTold(Type left, Type right) {
  if (left == right || np::getRank(left) > 0 || np::getRank(right) > 0 || isa<np::ArrayType>(left) ||
      isa<np::ArrayType>(right))
    return false;
  return left.isInteger(1) || right.isInteger(1) || (isa<RankedTensorType>(left) && isa<RankedTensorType>(right));
}

std::optional<Shape> join(Interpreter &in, const Shape &left, const Shape &right) {
  Shape joined = left;
  if (left.type || right.type) {
    if (left.type && right.type && areTold(left.type, right.type))
      return std::nullopt;
    joined.type = left.type && right.type ? joinTypes(in, left.type, right.type) : Type();
    if (!joined.type)
      return std::nullopt;
    joined.pythonType = left.pythonType ? left.pythonType : right.pythonType;
    auto isInt = [](const Shape &shape) { return shape.type.isInteger(64); }; // Python's: NumPy's are tensors
    if (joined.type.isF64() && (isInt(left) || isInt(right)))
      joined.pythonType = in.ir.getI64Type();
    return joined;
  }
  const PyValue &a = left.model, &b = right.model;
  if (a.kind() != b.kind() || left.parts.size() != right.parts.size())
    return std::nullopt;
  bool areTabled = !left.parts.empty();
  if (a.is(PyValue::Kind::Instance)
          ? left.instance != right.instance || !(a->cls == b->cls) || (areTabled && a->id != b->id)
      : a.is(PyValue::Kind::Function) ? !(a->definition == b->definition)
      : a.isObject()                  ? !(a == b)
      : a.hasItems()                  ? !a.withItems({}).isLike(b.withItems({}))
                                      : false)
    return std::nullopt;
  for (auto [mine, other] : llvm::zip(joined.parts, right.parts)) {
    std::optional<Shape> part = join(in, mine, other);
    if (!part)
      return std::nullopt;
    mine = std::move(*part);
  }
  return joined;
}

bool isSame(const Shape &left, const Shape &right) {
  return left.type == right.type && left.pythonType == right.pythonType && left.parts.size() == right.parts.size() &&
         llvm::all_of(llvm::zip(left.parts, right.parts),
                      [](const auto &pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

void convertValues(Interpreter &in, const Shape &from, const Shape &to, ArrayRef<Value> &values,
                   SmallVectorImpl<Value> &converted) {
  auto take = [&] {
    Value one = values.front();
    values = values.drop_front();
    return one;
  };
  if (to.model.is(PyValue::Kind::Union))
    converted.push_back(take());
  if (to.type) {
    Value one = take();
    Value bit = from.pythonType ? take() : in.ir.boolean(from.type == to.pythonType);
    if (from.type != to.type) {
      Value wider =
          convertTo(in, PyValue::runtime(isa<RankedTensorType>(from.type) ? in.ir.rankZero(one) : one), to.type);
      if (wider)
        one = isa<RankedTensorType>(to.type) ? in.ir.item(wider) : wider;
    }
    converted.push_back(one);
    if (to.pythonType)
      converted.push_back(bit);
  }
  for (auto [mine, other] : llvm::zip(from.parts, to.parts))
    convertValues(in, mine, other, values, converted);
}

bool takeHeld(Interpreter &in, TakenApart &taken, std::vector<HeldName> &names, std::vector<Shape> &shapes,
              function_ref<bool(const std::string &)> isTaken) {
  const Bindings &bindings = in.env.frame->bindings;
  for (size_t k = 0; k < taken.instances.size(); ++k) {
    std::string keys = "@" + std::to_string(taken.instances[k]);
    std::vector<std::string> all;
    for (auto at = bindings.lower_bound(keys); at != bindings.end() && StringRef(at->first).starts_with(keys); ++at)
      if (instanceOf(at->first) == taken.instances[k])
        all.push_back(at->first);
    for (const std::string &name : all) {
      const PyValue &binding = bindings.at(name);
      if (binding.is(PyValue::Kind::Unbound) || (isTaken && !isTaken(name)))
        continue;
      if (binding.boundSlot) {
        in.fail("an object without a certain attribute on some path is given to a function that calls itself",
                "give it the same attributes on all paths");
        return false;
      }
      std::optional<Shape> shape = takeApart(in, in.env.readName(in.currentNode, name), taken, /*isHeld=*/true);
      if (!shape)
        return false;
      names.push_back({k, name.substr(keys.size())});
      shapes.push_back(std::move(*shape));
    }
  }
  return true;
}

std::string nameOf(const HeldName &held, ArrayRef<unsigned> instances) {
  return "@" + std::to_string(instances[held.instance]) + held.rest;
}

bool isSame(ArrayRef<HeldName> left, ArrayRef<HeldName> right) {
  return left.size() == right.size() && llvm::all_of(llvm::zip(left, right), [](const auto &pair) {
           return std::get<0>(pair).instance == std::get<1>(pair).instance &&
                  std::get<0>(pair).rest == std::get<1>(pair).rest;
         });
}

} // namespace npcc::frontend
