// Memory that the code of a thread has: arrays of a block, of a thread and of constants, and the fields of records in
// such arrays.
#include "dialects/Np/Threads.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Threads.h"
#include "frontend/importer/Values.h"
#include <numeric>

using namespace mlir;

namespace npcc::frontend {

/// The dtype of records, with fields; null for any other.
static py::Object recordDtype(Interpreter &in, const PyValue &value) {
  py::Object given = asObject(in, value), dtype = given && !given.isNone() ? in.dtypes.toDtype(given) : py::Object();
  py::Object fields = dtype ? dtype["fields"] : py::Object();
  return fields && !fields.isNone() ? dtype : py::Object();
}

static Type recordByte(Interpreter &in) { return in.ir.getIntegerType(8, /*isSigned=*/false); }

/// Bytes with one axis more, as the array of records that the library has for them.
static PyValue recordsOf(Interpreter &in, np::ThreadArrayOp bytes, const py::Object &dtype) {
  bytes.setRecords(true);
  constexpr int64_t alignment = 16; // of the memory of blocks, threads and constants
  int64_t unit = std::gcd(alignment, dtype.integer("itemsize"));
  Call call;
  call.args = {PyValue::runtime(bytes), PyValue::object(dtype),
               PyValue::object(py::call(py::lookup("npcc.threads.records.bytes_dtype"), {py::integer(unit)}))};
  return callObject(in, py::lookup("npcc.threads.records.Records"), call);
}

static constexpr int64_t mostLocal = 512 << 10; // bytes of a thread

PyValue newThreadArray(Interpreter &in, StringRef kind, Call &call) {
  std::vector<PyValue> values, items;
  if (!takeArguments(in, (kind + ".array").str(), "shape, dtype, alignment=None", call, values))
    return PyValue::poison();
  if (!asSequence(in, values[0], items))
    items = {values[0]};
  py::Object records = recordDtype(in, values[1]);
  Type element = records ? Type(recordByte(in)) : asDtype(in, values[1], {});
  if (!element)
    return in.hasErrors() ? PyValue::poison() : in.fail("TypeError: " + Twine(kind) + ".array needs a dtype");
  SmallVector<int64_t> shape;
  int64_t count = 1;
  for (const PyValue &item : items) {
    std::optional<int64_t> extent = asInteger(in, item);
    if (!extent)
      return item.isPoison() ? item
                             : in.fail("the shape of " + Twine(kind) +
                                       ".array must be known at compile time: integers, or globals that hold them");
    shape.push_back(*extent);
    count *= *extent;
  }
  if (records && (kind != "shared" || count != 0)) {
    shape.push_back(records.integer("itemsize"));
    count *= shape.back();
  } else if (records) {
    return in.fail("the memory that a launch gives is an array of numbers: records cannot be compiled there");
  }
  bool isDynamic = kind == "shared" && shape.size() == 1 && shape[0] == 0;
  if (!isDynamic && (shape.empty() || llvm::any_of(shape, [](int64_t extent) { return extent < 1; })))
    return in.fail("ValueError: the extents of " + Twine(kind) + ".array are at least 1" +
                   (kind == "shared" ? ", or all of the shape is 0 for the memory that the launch gives" : ""));
  Type bits = isa<ComplexType>(element) ? cast<ComplexType>(element).getElementType() : element;
  int64_t bytes = count * std::max<int64_t>(bits.getIntOrFloatBitWidth() / 8, 1) * (isa<ComplexType>(element) ? 2 : 1);
  if (kind == "local" && bytes > mostLocal)
    return in.fail("ValueError: local.array of " + Twine(bytes) + " bytes: a thread has at most " + Twine(mostLocal));
  if (isDynamic)
    shape.clear();
  SmallVector<int64_t> extents(isDynamic ? 1 : shape.size(), ShapedType::kDynamic);
  Type type = np::ArrayType::get(in.ir.getContext(), extents, element, /*contiguous=*/true);
  auto made = np::ThreadArrayOp::create(in.ir, type, in.ir.getStringAttr(isDynamic ? "dynamic" : kind),
                                        in.ir.getDenseI64ArrayAttr(shape), ElementsAttr());
  return records ? recordsOf(in, made, records) : PyValue::runtime(made);
}

PyValue newConstants(Interpreter &in, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, "const.array_like", "array", call, values))
    return PyValue::poison();
  py::Object known = asObject(in, values[0]);
  if (!known || !py::isInstance(known, in.dtypes.numpy["ndarray"]))
    return in.fail("TypeError: const.array_like takes a NumPy array that is known at compile time: a global");
  py::Object records = recordDtype(in, PyValue::object(known["dtype"]));
  if (records) {
    std::vector<py::Object> shape = known.list("shape");
    shape.push_back(records["itemsize"]);
    py::Object bytes =
        py::call(in.dtypes.numpy["frombuffer"], {py::call(known["tobytes"], {}), in.dtypes.numpy["uint8"]});
    known = py::call(bytes["reshape"], {py::tuple(shape)});
  }
  Value made = constantArray(in, known);
  if (!made)
    return PyValue::poison();
  return records ? recordsOf(in, made.getDefiningOp<np::ThreadArrayOp>(), records) : PyValue::runtime(made);
}

Value constantArray(Interpreter &in, const py::Object &array) {
  Type element = in.dtypes.elementType(array["dtype"]);
  if (!element) {
    in.fail("dtype " + py::text(array["dtype"]) + " cannot be compiled");
    return {};
  }
  SmallVector<int64_t> shape;
  for (const py::Object &extent : array.list("shape"))
    shape.push_back(*py::asInteger(extent));
  py::Object bytes = py::call(array["tobytes"], {});
  Type stored = element;
  if (auto integer = dyn_cast<IntegerType>(element))
    stored = in.ir.getIntegerType(std::max(8u, integer.getWidth()));
  ArrayRef<char> raw(PyBytes_AsString(bytes.get()), PyBytes_Size(bytes.get()));
  auto values = DenseElementsAttr::getFromRawBuffer(RankedTensorType::get(shape, stored), raw);
  Type type = np::ArrayType::get(in.ir.getContext(), SmallVector<int64_t>(shape.size(), ShapedType::kDynamic), element,
                                 /*contiguous=*/true);
  return np::ThreadArrayOp::create(in.ir, type, in.ir.getStringAttr("constant"), in.ir.getDenseI64ArrayAttr(shape),
                                   cast<ElementsAttr>(Attribute(values)));
}

PyValue memberOf(Interpreter &in, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, "member", "dtype, name", call, values))
    return PyValue::poison();
  py::Object dtype = asObject(in, values[0]), name = asObject(in, values[1]);
  if (!name || !PyUnicode_Check(name.get()))
    return in.fail("the name of a field must be known at compile time");
  py::Object found = dtype ? py::call(dtype["fields"]["get"], {name}) : py::Object();
  if (!found || found.isNone())
    return in.fail("AttributeError: a record of dtype " + py::text(dtype) + " has no field '" +
                   py::toString(name.get()) + "'");
  std::vector<py::Object> parts = py::elements(found);
  return PyValue::sequence({PyValue::object(parts[0]), PyValue::object(parts[1])});
}

PyValue fieldOf(Interpreter &in, Call &call) {
  std::vector<PyValue> values, extents;
  if (!takeArguments(in, "field", "bytes, dtype, shape, alignment", call, values))
    return PyValue::poison();
  PyValue bytes = in.env.bound(values[0]);
  Type element = asDtype(in, values[1], {});
  std::optional<int64_t> alignment = asInteger(in, values[3]);
  if (!element || !bytes.arrayType() || bytes.rank() != 1 || !alignment || !asSequence(in, values[2], extents))
    return in.hasErrors() ? PyValue::poison()
                          : in.fail("field() takes the bytes of a record, not " + describe(in, bytes));
  SmallVector<int64_t> shape;
  for (const PyValue &extent : extents)
    shape.push_back(asInteger(in, extent).value_or(0));
  Type type = np::ArrayType::get(in.ir.getContext(), SmallVector<int64_t>(shape.size(), ShapedType::kDynamic), element,
                                 /*contiguous=*/true);
  return PyValue::runtime(np::FieldOp::create(in.ir, type, bytes.ir(), ValueRange(), in.ir.getDenseI64ArrayAttr(shape),
                                              in.ir.getI64IntegerAttr(*alignment)));
}

/// returned(value): what a device function that is compiled alone gives. Its dtype is told to the object, or converted

} // namespace npcc::frontend
