#include "frontend/importer/Unions.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/RaisedResults.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/TabledTuples.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Values.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

static std::string nameOf(const std::string &name, size_t k) { return name + "|" + std::to_string(k); }

/// Whether a value can be one of several: what it is made of lies in slots, or is known.
static bool canBeAlternative(Interpreter &in, const PyValue &value) {
  if (isString(value)) // one of several, too
    return true;
  if (value.hasItems())
    return llvm::all_of(value->items, [&](const PyValue &item) { return canBeAlternative(in, item); });
  if (value.is(PyValue::Kind::Union)) // an item of a tuple
    return llvm::all_of(
        value->items, [&](const PyValue &one) { return one.is(PyValue::Kind::Unbound) || canBeAlternative(in, one); });
  return value.isObject() || value.is(PyValue::Kind::Function) || value.is(PyValue::Kind::Instance) ||
         runtimeType(in, value);
}

/// What Python gets is of the type that it has there, where a name in the function takes one type for all numbers.
bool isExact(StringRef name) { return name.starts_with(exactPrefix); }

bool areOneNumber(Interpreter &in, const PyValue &left, const PyValue &right) {
  Type mine = runtimeType(in, left), other = runtimeType(in, right);
  if (!mine || !other || mine == other || np::getRank(mine) > 0 || np::getRank(other) > 0)
    return true;
  // Two arrays without axes are as those with axes: how they lie is no matter of the type that Python sees.
  return isa<np::ArrayType>(mine) && isa<np::ArrayType>(other) && np::getElementType(mine) == np::getElementType(other);
}

bool keepsApart(Interpreter &in, StringRef name, const PyValue &left, const PyValue &right) {
  if (isExact(name))
    return !areOneNumber(in, left, right);
  return areApart(in, left, right);
}

bool haveOneType(Interpreter &in, const PyValue &left, const PyValue &right) {
  if (left.isRows() && right.isRows())
    return llvm::all_of(llvm::zip(left->items, right->items),
                        [&](const auto &pair) { return haveOneType(in, std::get<0>(pair), std::get<1>(pair)); });
  if (!left.isRuntimeList() || !right.isRuntimeList())
    return true;
  Type mine = runtimeType(in, left->items[0]), other = runtimeType(in, right->items[0]);
  return !mine || !other || joinTypes(in, mine, other);
}

/// Whether two values are of one alternative.
static bool areAlike(Interpreter &in, const PyValue &left, const PyValue &right) {
  if (left == right || meetAsStrings({left, right}))
    return true;
  if (left.hasItems() && right.hasItems()) {
    if (!left.isLike(right))
      return false;
    for (auto [mine, other] : llvm::zip(left->items, right->items))
      if (!areAlike(in, mine, other))
        return false;
    return true;
  }
  if (left.is(PyValue::Kind::Union)) { // the items of tuples, of which the left one holds what the right one may be
    auto isAmong = [&](const PyValue &one) {
      return one.is(PyValue::Kind::Unbound) ||
             llvm::any_of(left->items, [&](const PyValue &known) { return areAlike(in, known, one); });
    };
    return right.is(PyValue::Kind::Union) ? llvm::all_of(right->items, isAmong) : isAmong(right);
  }
  Type mine = runtimeType(in, left), other = runtimeType(in, right);
  return mine && other && joinTypes(in, mine, other);
}

static PyValue makeUnion(Interpreter &in, const std::string &name, std::vector<PyValue> alternatives,
                         bool maybeUnbound) {
  auto data = std::make_shared<Composite>();
  data->items = std::move(alternatives);
  PyValue result = PyValue::composite(PyValue::Kind::Union, std::move(data));
  result.slot = in.env.slotFor(name + "|", in.ir.getI64Type());
  if (maybeUnbound)
    result.boundSlot = in.env.slotFor(name + ".bound", in.ir.getI1Type());
  return result;
}

/// A tuple whose places that hold one of several strings hold any.
static PyValue withAnyStrings(const PyValue &value) {
  if (value.is(PyValue::Kind::Union) && isString(value))
    return stringModel();
  if (!value.isSequence())
    return value;
  std::vector<PyValue> items = value->items;
  for (PyValue &item : items)
    item = withAnyStrings(item);
  return items == value->items ? value : value.withItems(std::move(items));
}

/// Adds what a value may be, to a loop's header (`isCarried`) or where paths meet. False where that cannot be an
/// alternative.
static bool addAlternatives(Interpreter &in, const std::string &name, const PyValue &value, bool isCarried,
                            std::vector<PyValue> &alternatives) {
  if (value.is(PyValue::Kind::Union)) {
    for (const PyValue &one : value->items)
      if (!one.is(PyValue::Kind::Unbound) && !addAlternatives(in, name, one, isCarried, alternatives))
        return false;
    return true;
  }
  if (!canBeAlternative(in, value) || (isCarried && noteNestedTuples(in, value)))
    return false;
  if (value.pythonBit && isExact(name)) { // Python's number is one of its own
    PyValue number = PyValue::composite(PyValue::Kind::Slot, nullptr);
    number.slot = in.env.slotFor(name, value.pythonType);
    return addAlternatives(in, name, number, isCarried, alternatives) &&
           addAlternatives(in, name, withoutPythonBit(value), isCarried, alternatives);
  }
  if (llvm::any_of(alternatives, [&](const PyValue &known) { return meetInTable(in, known, value, isCarried); }))
    return false;
  for (auto [k, known] : llvm::enumerate(alternatives))
    if (areAlike(in, known, value) && !keepsApart(in, name, known, value)) {
      using Meeting = Environment::Meeting;
      known = in.env.unify(nameOf(name, k), known, value, isCarried ? Meeting::PartOfCarried : Meeting::Paths);
      return !known.is(PyValue::Kind::Conflict);
    }
  // Exceptions that a function of the module raises are told apart once, behind its call: there may be any number.
  if (!isRaised(value) && llvm::count_if(alternatives, [](const PyValue &known) { return !isRaised(known); }) ==
                              static_cast<int64_t>(mostAlternatives)) {
    // Objects of one class, of which the program makes many one by one: the next import has them in a table.
    auto isOther = [&](const PyValue &known) {
      return known.is(PyValue::Kind::Instance) && value.is(PyValue::Kind::Instance) && known->cls == value->cls;
    };
    if (auto other = llvm::find_if(alternatives, isOther); other != alternatives.end())
      unite(in, *other, value);
    return false;
  }
  alternatives.push_back(in.env.widen(nameOf(name, alternatives.size()), withAnyStrings(value)));
  return !isCarried || !growInLoop(in, alternatives);
}

static bool mayBeUnbound(const PyValue &value) { return value.is(PyValue::Kind::Unbound) || value.boundSlot; }

static std::string conflictWords(Interpreter &in, ArrayRef<PyValue> values) {
  // Two paths that differ, in words.
  std::string one, other;
  for (const PyValue &each : values) {
    if (each.is(PyValue::Kind::Unbound))
      continue;
    std::string words = describe(in, each);
    if (one.empty())
      one = words;
    else if (words != one)
      other = words;
  }
  return "is " + one + " on one path and " + (other.empty() ? "another" : other) + " on another";
}

/// Adds the strings that a value may be.
static void addStrings(const PyValue &value, std::vector<PyValue> &strings) {
  if (value.is(PyValue::Kind::Union))
    for (const PyValue &one : value->items)
      addStrings(one, strings);
  else if (isString(value))
    strings.push_back(value);
}

/// A value that may be one of several strings as one that may be any.
static PyValue withAnyString(const PyValue &value) {
  if (!value.is(PyValue::Kind::Union))
    return isString(value) ? stringModel() : value;
  auto data = std::make_shared<Composite>();
  for (const PyValue &one : value->items)
    data->items.push_back(withAnyString(one));
  return PyValue::unionValue(Value(), data);
}

/// The union that holds what all of them hold, or a conflict.
static PyValue unionOfAll(Interpreter &in, const std::string &name, ArrayRef<PyValue> values, bool isCarried) {
  // A dict of known keys that meets one whose keys are computed is one of those.
  if (llvm::any_of(values, [](const PyValue &value) { return isContainer(value, "Dict"); }))
    for (const PyValue &value : values)
      if (isDictionary(value) && !value->site.empty() && value->site != "given") {
        needsBox(in, value, conflictWords(in, values));
        return PyValue::poison();
      }
  std::vector<PyValue> alternatives, strings;
  bool maybeUnbound = llvm::any_of(values, mayBeUnbound);
  for (const PyValue &value : values)
    addStrings(value, strings);
  bool takesAnyString = !strings.empty() && meetAsStrings(strings); // beside None, say: too many to be told apart
  for (const PyValue &value : values)
    if (!value.is(PyValue::Kind::Unbound) &&
        !addAlternatives(in, name, takesAnyString ? withAnyString(value) : value, isCarried, alternatives))
      return PyValue::conflict(conflictWords(in, values));
  return makeUnion(in, name, std::move(alternatives), maybeUnbound);
}

/// Whether two bindings hold the same: lists of known items too, each of which is an object of its own otherwise. A
/// union that was read holds what it held then.
static bool holdTheSame(const PyValue &left, const PyValue &right) {
  if (left == right)
    return true;
  bool areUnions = left.is(PyValue::Kind::Union) && right.is(PyValue::Kind::Union) && left.slot == right.slot &&
                   !left.ir() && !right.ir() && left.boundSlot == right.boundSlot &&
                   left->items.size() == right->items.size();
  bool areLists = left.isSequence() && right.isSequence() && left.isLike(right);
  return (areUnions || areLists) && llvm::all_of(llvm::zip(left->items, right->items), [](const auto &pair) {
           return holdTheSame(std::get<0>(pair), std::get<1>(pair));
         });
}

PyValue unionOf(Interpreter &in, const std::string &name, const PyValue &left, const PyValue &right) {
  PyValue result = unionOfAll(in, name, {left, right}, /*isCarried=*/true);
  return holdTheSame(result, left) ? left : result;
}

PyValue joinAsUnion(Interpreter &in, const std::string &name, ArrayRef<PyValue> values, std::vector<Edge> &edges) {
  PyValue result = unionOfAll(in, name, values, /*isCarried=*/false);
  if (result.is(PyValue::Kind::Union))
    in.env.flushOn(edges, result, values);
  return result;
}

static Value number(Interpreter &in, size_t k) { return in.ir.constantInteger(in.ir.getI64Type(), k); }

/// Gives slots what they held `before` again, unless `isMeant`.
static void restoreUnless(Interpreter &in, Value isMeant, const PyValue &target, const PyValue &before) {
  if (target.is(PyValue::Kind::Slot) && before.isRuntime()) {
    PyValue now = heldBy(in, target);
    np::SetOp::create(in.ir, arith::SelectOp::create(in.ir, isMeant, now.ir(), before.ir()), target.slot);
    if (now.pythonBit && before.pythonBit)
      np::SetOp::create(in.ir, arith::SelectOp::create(in.ir, isMeant, now.pythonBit, before.pythonBit),
                        target.pythonBit);
  }
  if (target.is(PyValue::Kind::Union) && before.ir()) {
    Value now = np::GetOp::create(in.ir, in.ir.getI64Type(), target.slot);
    np::SetOp::create(in.ir, arith::SelectOp::create(in.ir, isMeant, now, before.ir()), target.slot);
  }
  if (target.hasItems() || target.is(PyValue::Kind::Union))
    for (auto [item, held] : llvm::zip(target->items, before->items))
      restoreUnless(in, isMeant, item, held);
}

/// A union with an alternative of its own for Python's number, of the alternatives that may be one.
static PyValue withNumbersApart(Interpreter &in, const PyValue &given,
                                llvm::function_ref<bool(const PyValue &)> isOne) {
  PyValue value = readUnion(in, given);
  auto data = std::make_shared<Composite>();
  data->items = value->items;
  Value tag = value.ir();
  for (auto [k, one] : llvm::enumerate(value->items)) {
    if (!isOne(one))
      continue;
    Value isHere = arith::CmpIOp::create(in.ir, arith::CmpIPredicate::eq, value.ir(), number(in, k));
    PyValue here = one; // where it is another alternative, its bit may be anything
    here.pythonBit = arith::AndIOp::create(in.ir, isHere, one.pythonBit);
    PyValue both = splitNumber(in, here); // Python's first
    tag = arith::SelectOp::create(in.ir, here.pythonBit, number(in, data->items.size()), tag);
    data->items.push_back(both->items[0]);
    data->items[k] = both->items[1];
  }
  return PyValue::unionValue(tag, data);
}

void flushUnion(Interpreter &in, const PyValue &target, const PyValue &value) {
  bool isUnbound = value.is(PyValue::Kind::Unbound);
  if (target.boundSlot && value.boundSlot != target.boundSlot) {
    Value bound = in.ir.boolean(!isUnbound);
    if (value.boundSlot)
      bound = np::GetOp::create(in.ir, in.ir.getI1Type(), value.boundSlot);
    np::SetOp::create(in.ir, bound, target.boundSlot);
  }
  if (isUnbound || value.isPoison() || value.is(PyValue::Kind::Conflict))
    return;
  auto hasPythons = [&](const PyValue &number) {
    return number.pythonBit && llvm::any_of(target->items, [&](const PyValue &one) {
             return !one.pythonBit && getPythonType(in, one) == number.pythonType;
           });
  };
  if (hasPythons(value))
    return flushUnion(in, target, splitNumber(in, value));
  if (value.is(PyValue::Kind::Union) && llvm::any_of(value->items, hasPythons))
    return flushUnion(in, target, withNumbersApart(in, value, hasPythons));
  std::vector<PyValue> given{value};
  Value tag; // of the value, as the target counts
  if (value.is(PyValue::Kind::Union)) {
    given = value->items;
    tag = value.ir() ? value.ir() : Value(np::GetOp::create(in.ir, in.ir.getI64Type(), value.slot));
  }
  // All are read before the first is set: the slots may be the same, in another order.
  for (PyValue &one : given)
    one = one.is(PyValue::Kind::Text) ? numbered(in, one) : readUnion(in, one);
  Value result;
  llvm::SmallDenseSet<size_t> taken;
  for (auto [k, one] : llvm::enumerate(given)) {
    if (one.is(PyValue::Kind::Unbound))
      continue;
    auto find = [&, &one = one](llvm::function_ref<bool(const PyValue &)> isMeant) {
      return llvm::find_if(target->items, [&](const PyValue &alternative) {
        return !alternative.is(PyValue::Kind::Unbound) && areAlike(in, alternative, one) && isMeant(alternative);
      });
    };
    auto like = find([&, &one = one](const PyValue &known) { return areOneNumber(in, known, one); });
    if (like == target->items.end()) // an int goes where a float is, with a bit, not where a bool is
      like = find([&, &one = one](const PyValue &known) { return !keepsApart(in, "%return", known, one); });
    if (like == target->items.end())
      like = find([](const PyValue &) { return true; });
    if (like == target->items.end())
      continue;
    size_t place = like - target->items.begin();
    Value isMeant =
        result ? Value(arith::CmpIOp::create(in.ir, arith::CmpIPredicate::eq, tag, number(in, k))) : Value();
    // Two that are one to the target, as an int and a float are.
    bool isShared = !taken.insert(place).second;
    PyValue before = isShared ? readUnion(in, *like) : PyValue();
    in.env.flush(*like, one);
    if (isShared)
      restoreUnless(in, isMeant, *like, before);
    Value mine = number(in, place);
    result = isMeant ? in.ir.createOrFold<arith::SelectOp>(isMeant, mine, result) : mine;
  }
  if (result)
    np::SetOp::create(in.ir, result, target.slot);
  if (value.is(PyValue::Kind::Union))
    return;
  // Nobody reads the arrays that the value is not. Without this, a loop would carry those of earlier iterations along.
  for (auto [k, alternative] : llvm::enumerate(target->items))
    if (alternative.is(PyValue::Kind::Slot) && !taken.contains(k)) {
      Type type = cast<np::SlotType>(alternative.slot.getType()).getValueType();
      if (isa<np::ArrayType>(type))
        np::SetOp::create(in.ir, ub::PoisonOp::create(in.ir, type), alternative.slot);
    }
}

PyValue readUnion(Interpreter &in, const PyValue &binding) {
  if (binding.is(PyValue::Kind::Slot)) {
    PyValue value = heldBy(in, binding);
    value.slot = binding.slot;
    return value;
  }
  if (!binding.hasItems() && !binding.is(PyValue::Kind::Union))
    return binding;
  std::vector<PyValue> items = binding->items;
  for (PyValue &item : items)
    item = readUnion(in, item);
  if (binding.hasItems())
    return items == binding->items ? binding : binding.withItems(std::move(items));
  auto data = std::make_shared<Composite>();
  data->items = std::move(items);
  PyValue result = PyValue::unionValue(
      binding.ir() ? binding.ir() : Value(np::GetOp::create(in.ir, in.ir.getI64Type(), binding.slot)), data);
  result.slot = binding.slot;
  return result;
}

//===---- Operations ----===//

PyValue isAlternative(Interpreter &in, const PyValue &given, llvm::function_ref<bool(const PyValue &)> select) {
  PyValue value = readUnion(in, given);
  Value found;
  size_t picked = 0, possible = 0;
  for (auto [k, one] : llvm::enumerate(value->items)) {
    if (one.is(PyValue::Kind::Unbound))
      continue;
    ++possible;
    if (!select(one))
      continue;
    ++picked;
    Value is = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, value.ir(), number(in, k));
    found = found ? in.ir.createOrFold<arith::OrIOp>(found, is) : is;
  }
  if (picked == 0 || picked == possible)
    return PyValue::object(py::boolean(picked > 0));
  return PyValue::runtime(found);
}

bool hasSeveralNumbers(Interpreter &in, const PyValue &value) {
  if (!value.is(PyValue::Kind::Union))
    return false;
  const PyValue *first = nullptr;
  for (const PyValue &one : value->items) {
    if (first && !areOneNumber(in, *first, one))
      return true;
    if (!first && runtimeType(in, one))
      first = &one;
  }
  return false;
}

PyValue overAlternatives(Interpreter &in, const PyValue &given, llvm::function_ref<PyValue(PyValue)> operation,
                         bool isCall) {
  PyValue value = readUnion(in, given);
  std::vector<size_t> possible;
  for (auto [k, one] : llvm::enumerate(value->items))
    if (!one.is(PyValue::Kind::Unbound))
      possible.push_back(k);
  llvm::SaveAndRestore<bool> keeps(in.env.keepsNumbers, in.env.keepsNumbers || hasSeveralNumbers(in, value));
  std::vector<Diagnostic> errors;
  size_t wrong = 0;
  auto attempt = [&](size_t k) -> PyValue {
    Environment::Snapshot before = in.env.snapshot();
    size_t count = in.diagnostics.size();
    PyValue result;
    // A function does all that comes before the place where it raises.
    auto run = [&] { result = operation(value->items[k]); };
    isCall ? runOrRaise(in, run, /*ofAnyClass=*/true) : run();
    if (in.diagnostics.size() == count)
      return result;
    Diagnostic problem = in.diagnostics[count];
    auto error = pythonError(problem.message);
    bool isOfNone = !isCall || StringRef(problem.message).ends_with("not None");
    if (!error && value->items[k].isNone() && isOfNone)
      error = PythonError{"TypeError", problem.message};
    if (!error)
      return result; // it stays an error of the compilation
    in.env.rollBack(before);
    errors.push_back(problem);
    if (++wrong == possible.size()) {
      in.diagnostics.push_back(errors.front());
      return PyValue::poison();
    }
    in.env.raise(exceptionClass(error->error), error->error, error->words, {});
    return PyValue::poison();
  };
  std::function<PyValue(size_t)> from = [&](size_t at) -> PyValue {
    if (at + 1 == possible.size())
      return attempt(possible[at]);
    Value is = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, value.ir(), number(in, possible[at]));
    return choose(in, PyValue::runtime(is), [&] { return attempt(possible[at]); }, [&] { return from(at + 1); });
  };
  return from(0);
}

std::optional<PyValue> overAlternatives(Interpreter &in, ArrayRef<PyValue> values,
                                        llvm::function_ref<PyValue(ArrayRef<PyValue>)> operation, bool isCall) {
  for (auto [k, value] : llvm::enumerate(values))
    if (value.is(PyValue::Kind::Union))
      return overAlternatives(
          in, value,
          [&, k = k](PyValue alternative) {
            SmallVector<PyValue> chosen(values);
            chosen[k] = alternative;
            return operation(chosen);
          },
          isCall);
  return std::nullopt;
}

//===---- Tests that tell ----===//

Narrowed::Narrowed(Interpreter &in, const py::Object &test, bool side) : in(in) { narrow(test, side); }

void Narrowed::restore(Bindings &bindings) const {
  for (const auto &[name, before, narrowed] : names) {
    const PyValue *bound = bindings.get(name);
    if (bound && *bound == narrowed)
      bindings[name] = before;
  }
}

void Narrowed::narrow(const py::Object &test, bool side) {
  std::string type = py::typeName(test);
  if (type == "UnaryOp" && py::typeName(test["op"]) == "Not")
    return narrow(test["operand"], !side);
  if (type == "BoolOp" && (py::typeName(test["op"]) == "And") == side) {
    for (const py::Object &part : test.list("values"))
      narrow(part, side);
    return;
  }
  std::vector<py::Object> operators = test.list("ops"), others = test.list("comparators");
  if (type != "Compare" || operators.size() != 1 || py::typeName(test["left"]) != "Name" ||
      py::typeName(others[0]) != "Constant" || !others[0]["value"].isNone())
    return;
  std::string operation = py::typeName(operators[0]), name = test["left"].string("id");
  auto found = in.env.frame->bindings.find(name);
  // The test has read it; what was bound since is something else.
  if ((operation != "Is" && operation != "IsNot") || found == in.env.frame->bindings.end() ||
      !found->second.is(PyValue::Kind::Union) || !found->second.ir())
    return;
  bool isNone = (operation == "Is") == side;
  PyValue before = found->second;
  std::vector<PyValue> items = before->items;
  PyValue *last = nullptr;
  size_t left = 0;
  for (PyValue &one : items) {
    if (!one.is(PyValue::Kind::Unbound) && one.isNone() != isNone)
      one = PyValue::unbound();
    if (!one.is(PyValue::Kind::Unbound)) {
      last = &one;
      ++left;
    }
  }
  if (left == 0 || items == before->items)
    return;
  PyValue narrowed = *last;
  if (left > 1) {
    auto data = std::make_shared<Composite>();
    data->items = items;
    narrowed = PyValue::unionValue(before.ir(), data);
    narrowed.slot = before.slot;
  }
  in.env.frame->bindings[name] = narrowed;
  names.emplace_back(name, before, narrowed);
}

Value emptyOf(Interpreter &in, np::ArrayType type) {
  SmallVector<Value> extents, dynamic;
  for (int64_t extent : type.getShape()) {
    bool isDynamic = ShapedType::isDynamic(extent);
    extents.push_back(in.ir.index(isDynamic ? 0 : extent));
    if (isDynamic)
      dynamic.push_back(extents.back());
  }
  if (dynamic.empty()) {
    // All axes have one element, and results are copied to the host as they are: that one is not left unwritten.
    Value zero = in.ir.castTo(in.ir.constantInteger(in.ir.getI64Type(), 0), type.getElementType());
    return convertTo(in, PyValue::runtime(in.ir.newArray(in.ir.full(zero, extents))), type);
  }
  auto made = np::ArrayType::get(type.getContext(), type.getShape(), type.getElementType(), true);
  Value empty = np::EmptyOp::create(in.ir, made, dynamic);
  return convertTo(in, PyValue::runtime(empty), type);
}

Value orEmpty(Interpreter &in, const PyValue &read, size_t k, Value value) {
  auto type = dyn_cast<np::ArrayType>(value.getType());
  if (!type)
    return value;
  Value chosen = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, read.ir(),
                                                   in.ir.constantInteger(in.ir.getI64Type(), k));
  Value slot = in.env.slotFor("%result" + std::to_string(in.temporaries++), type);
  Block *there = in.ir.newBlock(), *missing = in.ir.newBlock(), *after = in.ir.newBlock();
  cf::CondBranchOp::create(in.ir, chosen, there, missing);
  in.env.continueIn(there);
  np::SetOp::create(in.ir, value, slot);
  cf::BranchOp::create(in.ir, after);
  in.env.continueIn(missing);
  np::SetOp::create(in.ir, emptyOf(in, type), slot);
  cf::BranchOp::create(in.ir, after);
  in.env.continueIn(after);
  in.ir.forgetCaches();
  return np::GetOp::create(in.ir, type, slot);
}

} // namespace npcc::frontend
