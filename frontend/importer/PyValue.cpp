#include "frontend/importer/PyValue.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

PyValue PyValue::conflict(std::string message) {
  auto data = std::make_shared<Composite>();
  data->name = std::move(message);
  return composite(Kind::Conflict, std::move(data));
}

PyValue PyValue::sequence(std::vector<PyValue> items, bool isList) {
  auto data = std::make_shared<Composite>();
  data->items = std::move(items);
  data->isList = isList;
  return composite(Kind::Sequence, std::move(data));
}

PyValue PyValue::slice(PyValue start, PyValue stop, PyValue step) {
  auto data = std::make_shared<Composite>();
  data->items = {std::move(start), std::move(stop), std::move(step)};
  return composite(Kind::Slice, std::move(data));
}

PyValue PyValue::list(PyValue array, int64_t levels, bool isPython) {
  auto data = std::make_shared<Composite>();
  data->items = {std::move(array)};
  data->isList = true;
  data->levels = levels;
  data->isPython = isPython;
  return composite(Kind::List, std::move(data));
}

PyValue PyValue::withItems(std::vector<PyValue> items) const {
  PyValue result = sequence(std::move(items), data->isList);
  result.valueKind = valueKind;
  result->levels = data->levels;
  result->isPython = data->isPython;
  result->owner = data->owner;
  result->isShared = data->isShared;
  result->isJoined = data->isJoined;
  result->cls = data->cls;
  result->site = data->site;
  result->itemSite = data->itemSite;
  result->itemLength = data->itemLength;
  result->isCopy = data->isCopy;
  result->holdsCopies = data->holdsCopies;
  result->id = data->id;
  result->isOptional = data->isOptional;
  result->kinds = data->kinds;
  return result;
}

PyValue PyValue::asTuple() const {
  PyValue result = withItems(data->items);
  result->isList = false;
  return result;
}

bool PyValue::isLike(const PyValue &other) const {
  return valueKind == other.valueKind && data->items.size() == other.data->items.size() &&
         data->isList == other.data->isList && data->levels == other.data->levels &&
         data->isPython == other.data->isPython && data->cls == other.data->cls && data->id == other.data->id &&
         data->isOptional == other.data->isOptional && data->kinds == other.data->kinds;
}

PyValue PyValue::rows(std::vector<PyValue> columns, py::Object cls, bool areLists) {
  auto data = std::make_shared<Composite>();
  data->levels = areLists ? 2 : 1;
  data->items = std::move(columns);
  data->isList = true;
  data->cls = std::move(cls);
  return composite(Kind::Rows, std::move(data));
}

int64_t PyValue::rank() const {
  if (np::ArrayType type = arrayType())
    return type.getRank();
  RankedTensorType type = tensorType();
  return type ? type.getRank() : 0;
}

Type PyValue::elementType() const {
  if (np::ArrayType type = arrayType())
    return type.getElementType();
  return value ? getElementTypeOrSelf(value.getType()) : Type();
}

bool PyValue::operator==(const PyValue &other) const {
  if (valueKind != other.valueKind)
    return false;
  switch (valueKind) {
  case Kind::Poison:
  case Kind::Unbound:
    return true;
  case Kind::Object: {
    if (known == other.known)
      return true;
    // Equal constants of one type are one constant (but 0.0 and -0.0 are not).
    if (Py_TYPE(known.get()) != Py_TYPE(other.known.get()))
      return false;
    bool plain = PyLong_Check(known.get()) || PyFloat_Check(known.get()) || PyUnicode_Check(known.get()) ||
                 PyComplex_Check(known.get());
    return plain && py::repr(known) == py::repr(other.known);
  }
  case Kind::Runtime:
    return value == other.value && pythonBit == other.pythonBit && pythonType == other.pythonType;
  case Kind::Slot:
    return slot == other.slot && boundSlot == other.boundSlot && pythonBit == other.pythonBit &&
           pythonType == other.pythonType;
  case Kind::Instance:
    return data->id == other.data->id && data->items == other.data->items;
  case Kind::Union:
    return value == other.value && slot == other.slot && boundSlot == other.boundSlot &&
           data->items == other.data->items;
  case Kind::Sequence:
  case Kind::Slice:
  case Kind::Range:
  case Kind::Iterator:
    return data == other.data ||
           (data->isList == other.data->isList && !data->isList && data->name == other.data->name &&
            data->cls == other.data->cls && data->items == other.data->items);
  case Kind::List:
  case Kind::Rows:
  case Kind::Records:
    return isLike(other) && data->isShared == other.data->isShared && data->holdsCopies == other.data->holdsCopies &&
           data->items == other.data->items;
  case Kind::Method:
    return data == other.data || (data->name == other.data->name && data->items == other.data->items);
  case Kind::Conflict:
  case Kind::Function:
  case Kind::Text:
    return data == other.data;
  }
  return false;
}

} // namespace npcc::frontend
