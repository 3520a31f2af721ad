#include "frontend/importer/Records.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/GlobalArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

PyValue recordsOf(std::vector<PyValue> fields, const py::Object &dtype, int64_t form) {
  auto data = std::make_shared<Composite>();
  data->items = std::move(fields);
  data->cls = py::call(py::lookup("npcc.records.interned"), {dtype});
  data->levels = form;
  return PyValue::composite(PyValue::Kind::Records, data);
}

py::Object structuredDtype(Interpreter &in, const PyValue &value) {
  py::Object object = value.isPoison() || value.isNone() ? py::Object() : asObject(in, value);
  py::Object found = object ? py::call(py::lookup("npcc.records.structured"), {object}) : py::Object();
  return found.isNone() ? py::Object() : found;
}

bool isRecord(const PyValue &value) { return value.isRecords() && value->levels == SingleRecord; }

py::Object recordsClass(const PyValue &records) {
  py::Object numpy = py::import("numpy");
  return records->levels == RecordArray ? numpy["recarray"]
         : isRecord(records)            ? records->cls["type"]
                                        : numpy["ndarray"];
}

static std::vector<py::Object> namesOf(const PyValue &records) { return records->cls.list("names"); }

/// How many axes a field has behind those of the records.
static int64_t fieldAxes(const PyValue &records, size_t k) {
  py::Object field = py::call(records->cls["fields"]["get"], {namesOf(records)[k]});
  return py::elements(py::elements(field)[0]["shape"]).size();
}

int64_t recordsRank(const PyValue &records) {
  for (auto [k, field] : llvm::enumerate(records->items))
    if (!field.isNone())
      return (field.isRecords() ? recordsRank(field) : field.rank()) - fieldAxes(records, k);
  return 0;
}

/// An array that has the axes of the records first.
static PyValue firstArray(const PyValue &records) {
  for (const PyValue &field : records->items)
    if (!field.isNone())
      return field.isRecords() ? firstArray(field) : field;
  return PyValue::poison();
}

std::vector<PyValue> recordsShape(Interpreter &in, const PyValue &records) {
  std::vector<PyValue> shape;
  PyValue array = firstArray(records);
  for (int64_t axis = 0; axis < recordsRank(records); ++axis)
    shape.push_back(fromIndex(in, in.ir.dim(array.ir(), axis)));
  return shape;
}

PyValue recordsAt(Interpreter &in, const PyValue &records, Value position) {
  std::vector<PyValue> fields;
  for (const PyValue &field : records->items)
    fields.push_back(field.isNone()      ? field
                     : field.isRecords() ? recordsAt(in, field, position)
                                         : PyValue::runtime(in.ir.makeView(
                                               field.ir(), {AxisIndex{AxisIndex::Position, position, {}, {}, {}}})));
  return recordsOf(std::move(fields), records->cls, recordsRank(records) == 1 ? SingleRecord : records->levels);
}

PyValue withOneLength(Interpreter &in, const PyValue &records) {
  if (recordsRank(records) == 0)
    return records;
  Value count = in.ir.dim(firstArray(records).ir(), 0), zero = in.ir.index(0), one = in.ir.index(1);
  std::function<PyValue(const PyValue &)> shortened = [&](const PyValue &all) {
    std::vector<PyValue> fields;
    for (const PyValue &field : all->items)
      fields.push_back(field.isNone() || field == firstArray(records) ? field
                       : field.isRecords() ? shortened(field)
                                           : PyValue::runtime(in.ir.makeView(
                                                 field.ir(), {AxisIndex{AxisIndex::Slice, zero, count, one, {}}})));
    return recordsOf(std::move(fields), all->cls, all->levels);
  };
  return shortened(records);
}

//===---- Keys ----===//

namespace {
/// What a key names of an array of records, with which each field is indexed.
struct RecordsKey {
  std::vector<PyValue> items;
  bool isElement = true, hasEllipsis = false;

  /// The key for a field with so many axes of its own; an element stays an array, of those axes.
  PyValue ofField(int64_t axes) const {
    std::vector<PyValue> all = items;
    PyValue none = PyValue::object(py::none());
    if (hasEllipsis)
      all.insert(all.end(), axes, PyValue::slice(none, none, none));
    else if (isElement)
      all.push_back(PyValue::object(py::Object::borrow(Py_Ellipsis)));
    return PyValue::sequence(std::move(all));
  }
};
} // namespace

static PyValue ellipsis() { return PyValue::object(py::Object::borrow(Py_Ellipsis)); }

/// Nothing with an error reported.
static std::optional<RecordsKey> parseKey(Interpreter &in, const PyValue &records, const PyValue &key) {
  RecordsKey parsed;
  bool isTuple = (key.isSequence() && !key->isList) || (key.isObject() && PyTuple_Check(key.object().get()));
  if (!isTuple)
    parsed.items = {key};
  else if (!asSequence(in, key, parsed.items))
    return std::nullopt;
  int64_t rank = recordsRank(records), used = 0;
  for (const PyValue &item : parsed.items) {
    bool isMask = item.isRuntime() && !item.isPythonScalar() && item.elementType().isInteger(1);
    bool isInteger = asInteger(in, item) || (item.isRuntime() && item.rank() == 0 &&
                                             isa<IntegerType>(item.elementType()) && !item.elementType().isInteger(1));
    parsed.hasEllipsis |= isEllipsis(item);
    parsed.isElement &= isInteger;
    used += isEllipsis(item) || item.isNone() ? 0 : isMask ? item.rank() : 1;
  }
  if (used > rank) {
    in.fail("IndexError: too many indices for array: array is " + Twine(rank) + "-dimensional, but " + Twine(used) +
            " were indexed");
    return std::nullopt;
  }
  parsed.isElement &= used == rank;
  return parsed;
}

/// Whether a key is names of fields: a string, or a list of them.
static py::Object fieldNames(Interpreter &in, const PyValue &key) {
  py::Object known = asObject(in, key);
  if (!known || PyUnicode_Check(known.get()))
    return known && PyUnicode_Check(known.get()) ? known : py::Object();
  bool areNames = PyList_Check(known.get()) && PyList_Size(known.get()) > 0 &&
                  llvm::all_of(py::elements(known), [](const py::Object &one) { return PyUnicode_Check(one.get()); });
  return areNames ? known : py::Object();
}

/// The number of a field, nothing with an error reported.
static std::optional<size_t> fieldNumber(Interpreter &in, const PyValue &records, const py::Object &name) {
  for (auto [k, one] : llvm::enumerate(namesOf(records)))
    if (py::toString(one.get()) == py::toString(name.get()))
      return k;
  in.fail("ValueError: no field of name " + py::toString(name.get()));
  return std::nullopt;
}

static bool isUsable(Interpreter &in, const PyValue &records, size_t k) {
  if (!records->items[k].isNone())
    return true;
  py::Object name = namesOf(records)[k], field = py::call(records->cls["fields"]["get"], {name});
  in.fail("the field '" + py::toString(name.get()) + "' is of dtype " + py::text(py::elements(field)[0]) +
              ", which cannot be compiled",
          "leave it alone here, or pass an array without it: a[['x', 'y']]");
  return false;
}

//===---- Reading ----===//

static PyValue fieldOf(Interpreter &in, const PyValue &records, size_t k) {
  if (!isUsable(in, records, k))
    return PyValue::poison();
  const PyValue &field = records->items[k];
  bool isNumber = isRecord(records) && !field.isRecords() && field.rank() == 0;
  return isNumber ? PyValue::runtime(in.ir.load(field.ir())) : field;
}

static PyValue severalFields(Interpreter &in, const PyValue &records, const py::Object &names) {
  std::string errorType, message;
  py::Object dtype = py::tryCall(py::import("operator")["getitem"], {records->cls, names}, {}, errorType, message);
  if (!dtype) // KeyError, which arrays give other words
    return in.fail("KeyError: " + message);
  std::vector<PyValue> fields;
  for (const py::Object &name : py::elements(names))
    fields.push_back(records->items[*fieldNumber(in, records, name)]);
  return recordsOf(std::move(fields), dtype, records->levels);
}

/// The name that a key of one record is, as a number counts them.
static PyValue nameInRecord(Interpreter &in, const PyValue &record, const PyValue &key) {
  std::optional<int64_t> number = isRecord(record) ? asInteger(in, key) : std::nullopt;
  if (!number)
    return key;
  std::vector<py::Object> names = namesOf(record);
  int64_t count = names.size();
  if (*number < -count || *number >= count)
    return in.fail("IndexError: invalid index (" + Twine(*number) + ")");
  return PyValue::object(names[*number < 0 ? *number + count : *number]);
}

PyValue recordsItem(Interpreter &in, const PyValue &records, const PyValue &given) {
  PyValue key = nameInRecord(in, records, given);
  if (key.isPoison())
    return key;
  if (py::Object names = fieldNames(in, key)) {
    if (!PyUnicode_Check(names.get()))
      return severalFields(in, records, names);
    std::optional<size_t> k = fieldNumber(in, records, names);
    return k ? fieldOf(in, records, *k) : PyValue::poison();
  }
  if (isRecord(records))
    return in.fail("the fields of a record are named by strings or numbers known at compile time");
  std::optional<RecordsKey> parsed = parseKey(in, records, key);
  if (!parsed)
    return PyValue::poison();
  std::vector<PyValue> fields;
  for (auto [k, field] : llvm::enumerate(records->items)) {
    PyValue part = field;
    if (field.isRecords())
      part = recordsItem(in, field, parsed->hasEllipsis ? parsed->ofField(fieldAxes(records, k)) : key);
    else if (!field.isNone())
      part = in.env.bound(subscript(in, field, parsed->ofField(fieldAxes(records, k))));
    if (part.isPoison())
      return part;
    fields.push_back(part);
  }
  return recordsOf(std::move(fields), records->cls, parsed->isElement ? SingleRecord : records->levels);
}

//===---- Writing ----===//

/// Stores into the records that `key` names.
static void storeAt(Interpreter &in, const PyValue &records, const RecordsKey &key, const PyValue &given) {
  PyValue value = unboxed(in, given);
  auto put = [&](size_t k, const PyValue &one) {
    const PyValue &field = records->items[k];
    int64_t axes = fieldAxes(records, k);
    if (field.isRecords()) {
      RecordsKey inner = key;
      inner.isElement &= axes == 0;
      if (key.hasEllipsis)
        inner.items = key.ofField(axes)->items;
      return storeAt(in, field, inner, one);
    }
    // A number of one record is assigned as to an element, with int()'s errors.
    PyValue place = key.isElement && !key.hasEllipsis && axes == 0 && field.rank() > 0 ? PyValue::sequence(key.items)
                                                                                       : key.ofField(axes);
    storeTo(in, field, place, one);
  };
  size_t count = records->items.size();
  for (size_t k = 0; k < count; ++k)
    if (!isUsable(in, records, k))
      return;
  if (isList(value)) {
    value = callInLibrary(in, "records.numpy_array", {value, PyValue::object(records->cls)});
    if (value.isPoison())
      return;
  }
  std::vector<PyValue> items;
  if (value.isRecords()) {
    if (value->items.size() != count) {
      in.fail("TypeError: Cannot cast array data from " + py::repr(value->cls) + " to " + py::repr(records->cls) + ".");
      return;
    }
    std::vector<py::Object> mine = namesOf(records), others = namesOf(value);
    bool areSame = llvm::all_of(llvm::zip(mine, others), [](const auto &pair) {
      return py::toString(std::get<0>(pair).get()) == py::toString(std::get<1>(pair).get());
    });
    if (!areSame) // a field may be stored that is read later
      value = callInLibrary(in, "records.numpy_copy", {value});
    if (value.isPoison())
      return;
    items = value->items;
  } else if (value.isSequence() || (value.isObject() && PyTuple_Check(value.object().get()))) {
    asSequence(in, value, items);
    if (items.size() != count) {
      in.fail("ValueError: could not assign tuple of length " + Twine(items.size()) + " to structure with " +
              Twine(count) + " fields.");
      return;
    }
  } else {
    for (size_t k = 0; k < count; ++k)
      if (value.rank() > 0 && fieldAxes(records, k) > 0) {
        in.fail("an array of numbers is not assigned to records whose fields are arrays", "assign to the fields");
        return;
      }
    items.assign(count, in.env.bound(value));
  }
  for (size_t k = 0; k < count; ++k)
    if (!items[k].isNone() || !value.isRecords())
      put(k, items[k]);
    else
      isUsable(in, value, k);
}

void storeRecords(Interpreter &in, const PyValue &records, const PyValue &given, const PyValue &value) {
  PyValue key = nameInRecord(in, records, given);
  if (key.isPoison())
    return;
  RecordsKey whole;
  whole.items = {ellipsis()};
  whole.hasEllipsis = true;
  whole.isElement = false;
  if (py::Object names = fieldNames(in, key)) {
    bool isOne = PyUnicode_Check(names.get());
    std::optional<size_t> k = isOne ? fieldNumber(in, records, names) : std::nullopt;
    if (isOne && (!k || !isUsable(in, records, *k)))
      return;
    PyValue place = isOne ? records->items[*k] : severalFields(in, records, names);
    if (place.isRecords())
      return storeAt(in, place, whole, value);
    if (!place.isPoison())
      storeTo(in, place, ellipsis(), value);
    return;
  }
  if (isRecord(records)) {
    in.fail("the fields of a record are named by strings or numbers known at compile time");
    return;
  }
  if (std::optional<RecordsKey> parsed = parseKey(in, records, key))
    storeAt(in, records, *parsed, value);
}

/// The fields of an array of records, which is `global` or lies in it.
static PyValue knownFields(Interpreter &in, const py::Object &array, const py::Object &global) {
  std::vector<PyValue> fields;
  py::Object dtype = array["dtype"];
  for (const py::Object &name : dtype.list("names")) {
    py::Object field = py::call(py::import("operator")["getitem"], {array, name});
    field = py::call(in.dtypes.numpy["asarray"], {field});
    py::Object inner = field["dtype"];
    if (!inner["names"].isNone()) {
      fields.push_back(knownFields(in, field, global));
      continue;
    }
    if (!in.dtypes.elementType(inner)) {
      fields.push_back(PyValue::object(py::none()));
      continue;
    }
    Value known = asArray(in, PyValue::object(field));
    if (!known)
      return PyValue::poison();
    Value own = asNewArray(in, known).ir();
    markField(in, known, global);
    markField(in, own, global);
    fields.push_back(PyValue::runtime(in.ir.part("read_only", own)));
  }
  bool isSingle = py::isInstance(array, in.dtypes.numpy["void"]);
  bool isRecordArray = py::isInstance(array, in.dtypes.numpy["recarray"]);
  return recordsOf(std::move(fields), dtype, isSingle ? SingleRecord : isRecordArray ? RecordArray : ArrayOfRecords);
}

PyValue knownRecords(Interpreter &in, const py::Object &array) { return knownFields(in, array, array); }

} // namespace npcc::frontend
