// The arrays that NumPy makes of a list whose items are of several types: which of them are there decides the dtype,
// and how many axes there are.
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

/// The dtype of the array that NumPy makes of items of these types, those in `mask`: of none, float64.
static Type typeOfAll(Interpreter &in, ArrayRef<std::string> kinds, unsigned mask) {
  SmallVector<py::Object> types;
  for (auto [place, kind] : llvm::enumerate(kinds))
    if (mask >> place & 1) {
      if (isArrayKind(kind)) {
        types.push_back(in.dtypes.dtype(elementOfKind(in, kind)));
        continue;
      }
      StringRef name = kind;
      name.consume_front(numpyPrefix);
      name = kind == "float" ? "float64" : kind == "int" ? "int64" : name;
      types.push_back(py::call(in.dtypes.numpy["dtype"], {py::string(name)}));
    }
  return types.empty() ? in.ir.getF64Type() : in.dtypes.resultType(types);
}

/// numpy.array(list) of the numbers in a list that may hold arrays, too.
static Value arrayOfNumbers(Interpreter &in, const PyValue &list, Type type) {
  std::vector<PyValue> arguments, kinds;
  for (const PyValue &column : list->items)
    arguments.push_back(PyValue::runtime(in.ir.load(listArray(in, column))));
  for (const std::string &kind : list->kinds)
    kinds.push_back(PyValue::object(isArrayKind(kind) ? py::none() : py::string(kind)));
  arguments.push_back(PyValue::sequence(kinds));
  arguments.push_back(PyValue::object(in.dtypes.dtype(type)));
  PyValue array = callInLibrary(in, "mixed.array_of_numbers", std::move(arguments));
  return array.isPoison() ? Value() : valueOf(in, array);
}

/// numpy.array(list) of arrays of so many axes, where `is`; elsewhere an array that nobody looks at.
static PyValue stackedWhere(Interpreter &in, const PyValue &list, Type elementType, int64_t rank, const PyValue &is) {
  PyValue dtype = PyValue::object(in.dtypes.dtype(elementType));
  auto ofFirst = [&] {
    PyValue shape = overAlternatives(in, listItem(in, list, in.ir.index(0)), [&](PyValue one) {
      bool hasRank = !arrayKind(in, one).empty() && rankOfKind(arrayKind(in, one)) == rank;
      return hasRank ? attribute(in, one, "shape") : callInLibrary(in, "mixed.raise_inhomogeneous", {list});
    });
    return shape.isPoison() ? shape : callInLibrary(in, "mixed.stacked_as", {list, shape, dtype});
  };
  auto ofNone = [&] {
    return callInLibrary(in, "mixed.stacked_from_none", {dtype, PyValue::object(py::integer(rank))});
  };
  return choose(in, is, ofFirst, ofNone);
}

std::optional<PyValue> mixedArrays(Interpreter &in, const PyValue &list) {
  constexpr size_t mostTypes = 5; // which of them are there makes 32 cases
  const std::vector<std::string> &kinds = list->kinds;
  unsigned arrays = 0; // a bit for each type that is one of arrays
  for (auto [place, kind] : llvm::enumerate(kinds)) {
    bool isNumber = kind == "bool" || kind == "int" || kind == "float" || StringRef(kind).starts_with(numpyPrefix);
    if (!isNumber && !isArrayKind(kind))
      return std::nullopt;
    arrays |= unsigned(isArrayKind(kind)) << place;
  }
  bool areArrays = llvm::popcount(arrays) == int(kinds.size());
  if (kinds.size() > mostTypes || (llvm::popcount(arrays) == 1 && areArrays))
    return std::nullopt;
  SmallVector<Type> types;
  SmallVector<std::pair<Type, int64_t>> stacks; // arrays that arrays are put together to: of which dtype and axes
  std::vector<PyValue> typeOfMask;              // the place among `types`, or, behind these, among `stacks`
  for (unsigned mask = 0; mask < 1u << kinds.size(); ++mask) {
    Type type = typeOfAll(in, kinds, mask & ~arrays);
    if (!type)
      return std::nullopt;
    if (!llvm::is_contained(types, type) && !(mask & arrays))
      types.push_back(type);
  }
  if (types.size() == 1 && !arrays)
    return std::nullopt;
  for (unsigned mask = 0; mask < 1u << kinds.size(); ++mask) {
    if (!(mask & arrays)) {
      Type type = typeOfAll(in, kinds, mask);
      typeOfMask.push_back(PyValue::object(py::integer(llvm::find(types, type) - types.begin())));
      continue;
    }
    // Of arrays of different numbers of axes NumPy makes none: those of the first find that out.
    int64_t rank = rankOfKind(kinds[llvm::countr_zero(mask & arrays)]);
    Type element = typeOfAll(in, kinds, mask & arrays);
    if (!element)
      return std::nullopt;
    std::pair<Type, int64_t> stack(element, rank);
    if (!llvm::is_contained(stacks, stack))
      stacks.push_back(stack);
    typeOfMask.push_back(PyValue::object(py::integer(types.size() + (llvm::find(stacks, stack) - stacks.begin()))));
  }
  if (types.size() + stacks.size() > mostAlternatives)
    return std::nullopt;
  PyValue places = PyValue::runtime(in.ir.load(listArray(in, list->items[0])));
  PyValue which = callInLibrary(in, "mixed.type_of_all",
                                {places, PyValue::object(py::integer(kinds.size())), PyValue::sequence(typeOfMask)});
  if (which.isPoison())
    return which;
  auto data = std::make_shared<Composite>();
  for (Type type : types) {
    Value array = arrays ? arrayOfNumbers(in, list, type) : mixedArray(in, list, type);
    if (!array)
      return PyValue::poison();
    data->items.push_back(PyValue::runtime(array));
  }
  for (auto [place, stack] : llvm::enumerate(stacks)) { // which are put together where they are what is there
    PyValue is = compare(in, "Eq", which, PyValue::object(py::integer(types.size() + place)));
    data->items.push_back(stackedWhere(in, list, stack.first, stack.second, is));
    if (data->items.back().isPoison())
      return PyValue::poison();
  }
  return PyValue::unionValue(valueOf(in, which), data);
}

} // namespace npcc::frontend
