#include "frontend/importer/LoopItems.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

bool areFewObjects(Interpreter &in, ArrayRef<PyValue> items) {
  return items.size() <= mostAlternatives && llvm::all_of(items, [&](const PyValue &item) {
           bool isObject = item.isObject() && !item.isNone() && !isString(item) && !runtimeType(in, item) &&
                           !item.hasItems() &&
                           (PyDict_Check(item.object().get()) || PyCallable_Check(item.object().get()));
           return isObject || item.is(PyValue::Kind::Function) ||
                  (item.is(PyValue::Kind::Instance) && !item.isTabled() && !isBox(item));
         });
}

bool areArraysOfOneType(Interpreter &in, ArrayRef<PyValue> items) {
  std::string kind = items.empty() ? "" : arrayKind(in, items[0]);
  return !kind.empty() &&
         llvm::all_of(items, [&](const PyValue &item) { return item.arrayType() && arrayKind(in, item) == kind; });
}

bool isShort(Interpreter &in, const py::Object &node, size_t iterations) {
  constexpr size_t mostIterations = 16, mostNodes = 4096;
  return iterations <= mostIterations && iterations * in.syntax.nodesIn(node).size() <= mostNodes;
}

static bool holdsArrays(const PyValue &list) {
  return list.isSequence() &&
         llvm::any_of(list->items, [](const PyValue &item) { return item.isArray() && item.rank() > 0; });
}

bool picksArrays(Interpreter &in, const py::Object &node) {
  const std::vector<py::Object> &nodes = in.syntax.nodesIn(node);
  if (py::typeName(node["target"]) != "Name")
    return false;
  std::string counter = node["target"].string("id");
  return llvm::any_of(nodes, [&](const py::Object &one) {
    if (py::typeName(one) != "Subscript" || py::typeName(one["value"]) != "Name")
      return false;
    auto list = in.env.frame->bindings.find(one["value"].string("id"));
    return list != in.env.frame->bindings.end() && holdsArrays(list->second) &&
           llvm::any_of(in.syntax.nodesIn(one["slice"]), [&](const py::Object &part) {
             return py::typeName(part) == "Name" && part.string("id") == counter;
           });
  });
}

bool picksByKeys(Interpreter &in, const py::Object &node, const std::vector<PyValue> &items) {
  if (items.empty() || !isString(items[0]) || py::typeName(node["target"]) != "Name")
    return false;
  std::string key = node["target"].string("id");
  return llvm::any_of(in.syntax.nodesIn(node), [&](const py::Object &one) {
    bool isPick =
        py::typeName(one) == "Subscript" && py::typeName(one["slice"]) == "Name" && one["slice"].string("id") == key;
    if (!isPick || py::typeName(one["value"]) != "Name")
      return isPick && py::typeName(one["value"]) == "Attribute";
    auto dict = in.env.frame->bindings.find(one["value"].string("id"));
    return dict != in.env.frame->bindings.end() && isDictionary(dict->second);
  });
}

bool growsByArrays(Interpreter &in, const std::set<std::string> &grown) {
  return llvm::any_of(grown, [&](const std::string &name) {
    auto list = in.env.frame->bindings.find(name);
    return list != in.env.frame->bindings.end() && holdsArrays(list->second);
  });
}

bool areOfOneType(Interpreter &in, const PyValue &left, const PyValue &right, bool areColumns) {
  if (areColumns && left.arrayType() && right.arrayType())
    return arrayKind(in, left) == arrayKind(in, right);
  if (isString(left) || isString(right))
    return isString(left) && isString(right);
  if (left.isSequence() || right.isSequence())
    return left.isSequence() && right.isSequence() && left.isLike(right) && !left->cls && !left->isList &&
           llvm::all_of(llvm::zip(left->items, right->items), [&](const auto &pair) {
             return areOfOneType(in, std::get<0>(pair), std::get<1>(pair), areColumns);
           });
  auto isNumber = [](const PyValue &one) { return one.isObject() || one.isPythonScalar(); };
  return isNumber(left) && isNumber(right) && !left.pythonBit && !right.pythonBit && runtimeType(in, left) &&
         runtimeType(in, left) == runtimeType(in, right);
}

bool isGivenList(const PyValue &iterable) {
  if (iterable.is(PyValue::Kind::Iterator))
    return llvm::any_of(iterable->items, isGivenList);
  return iterable.hasItems() && iterable->isList && iterable->site == "given";
}

static bool hasText(const PyValue &item) {
  return isString(item) || (item.isSequence() && llvm::any_of(item->items, hasText));
}

bool isLong(Interpreter &in, const std::vector<PyValue> &items) {
  // The subscripts of numpy.einsum are letters that name axes.
  auto isLetter = [](const PyValue &item) {
    return isString(item) && item.isObject() && PyUnicode_GetLength(item.object().get()) == 1;
  };
  constexpr size_t mostNumbers = 64, letters = 52;
  const size_t mostStrings = in.env.frame->isLibrary && llvm::all_of(items, isLetter) ? letters : 16;
  return items.size() > mostStrings && items.size() > (hasText(items[0]) ? mostStrings : mostNumbers) &&
         llvm::all_of(items, [&](const PyValue &item) { return areOfOneType(in, items[0], item); });
}

bool givesCharacters(const PyValue &iterable) {
  bool isIterator = iterable.is(PyValue::Kind::Iterator);
  bool haveColumns = isIterator && (iterable->name == "zip" || iterable->name == "enumerate");
  return isString(iterable) || ((haveColumns || (isIterator && iterable->name == "reversed")) &&
                                llvm::any_of(iterable->items, givesCharacters));
}

PyValue listToGoOver(Interpreter &in, std::vector<PyValue> items) {
  if (!areArraysOfOneType(in, items))
    return listOfItems(in, std::move(items));
  std::string kind = arrayKind(in, items[0]);
  return asMixed(in, PyValue::sequence(std::move(items), /*isList=*/true), {kind});
}

} // namespace npcc::frontend
