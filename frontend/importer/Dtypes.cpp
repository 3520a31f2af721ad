#include "frontend/importer/Dtypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace npcc::frontend {

Dtypes::Dtypes(MLIRContext *context) : numpy(py::import("numpy")) {
  Builder b(context);
  auto signless = [&](unsigned width) -> Type { return b.getIntegerType(width); };
  auto isUnsigned = [&](unsigned width) -> Type { return IntegerType::get(context, width, IntegerType::Unsigned); };
  Type f16 = b.getF16Type(), f32 = b.getF32Type(), f64 = b.getF64Type();
  rows = {{"bool", signless(1), {}},
          {"int8", signless(8), {}},
          {"int16", signless(16), {}},
          {"int32", signless(32), {}},
          {"int64", signless(64), {}},
          {"uint8", isUnsigned(8), {}},
          {"uint16", isUnsigned(16), {}},
          {"uint32", isUnsigned(32), {}},
          {"uint64", isUnsigned(64), {}},
          {"float16", f16, {}},
          {"float32", f32, {}},
          {"float64", f64, {}},
          {"complex64", ComplexType::get(f32), {}},
          {"complex128", ComplexType::get(f64), {}},
          {"bfloat16", b.getBF16Type(), bfloat16(/*import=*/false)}};
  for (Row &row : rows)
    if (!row.type.isBF16())
      row.dtype = py::call(numpy["dtype"], {py::string(row.name)});
}

Type Dtypes::elementType(llvm::StringRef name) {
  for (const Row &row : rows)
    if (name == row.name)
      return row.type;
  return {};
}

Type Dtypes::elementType(const py::Object &dtype) {
  if (!dtype)
    return {};
  // (A dtype of another type is no row's, and rows without one are nobody's.)
  for (const Row &row : rows)
    if (row.dtype == dtype)
      return row.type;
  // C's `long long` and `long` are two dtypes of one name and size; byte-swapped ones are refused.
  if (py::isTrue(dtype["isnative"]))
    return elementType(llvm::StringRef(dtype.string("name")));
  return {};
}

py::Object Dtypes::bfloat16(bool import) {
  if (!import && !PyDict_GetItemString(PyImport_GetModuleDict(), "ml_dtypes"))
    return {};
  py::Object package = py::Object::take(PyImport_ImportModule("ml_dtypes"));
  if (!package) {
    PyErr_Clear();
    return {};
  }
  return py::call(numpy["dtype"], {package["bfloat16"]});
}

py::Object Dtypes::dtype(Type elementType) {
  for (Row &row : rows)
    if (row.type == elementType) {
      if (!row.dtype)
        row.dtype = bfloat16(/*import=*/true);
      return row.dtype;
    }
  return {};
}

std::string Dtypes::name(Type elementType) {
  for (const Row &row : rows)
    if (row.type == elementType)
      return row.name;
  return "?";
}

py::Object Dtypes::toDtype(const py::Object &object) {
  if (py::Object dtype = py::call(numpy["dtype"], {object}))
    return dtype;
  // npcc's own types, and those of Numba's that programs keep.
  py::Object dtype = py::call(py::lookup("npcc.types.dtype_of"), {object});
  return dtype && !dtype.isNone() ? dtype : py::Object();
}

std::vector<Type> Dtypes::resolve(const py::Object &ufunc, llvm::ArrayRef<py::Object> keys, const py::Object &wanted,
                                  llvm::StringRef casting, std::string &error) {
  // A signature is a new object each time, so that its address says nothing.
  bool isSignature = wanted && (PyUnicode_Check(wanted.get()) || PyTuple_Check(wanted.get()));
  bool isKept = casting.empty() && !isSignature;
  std::vector<PyObject *> key{ufunc.get(), wanted.get()};
  for (const py::Object &operand : keys)
    key.push_back(operand.get());
  if (auto found = resolved.find(key); isKept && found != resolved.end())
    return found->second;
  std::vector<py::Object> operands(keys.begin(), keys.end());
  for (int64_t k = 0; k < ufunc.integer("nout"); ++k)
    operands.push_back(py::none());
  py::Object keywords;
  if (wanted) {
    // The signature of resolve_dtypes fixes outputs: that is what the keyword dtype does.
    std::vector<py::Object> fixed(keys.size(), py::none());
    for (int64_t k = 0; k < ufunc.integer("nout"); ++k)
      fixed.push_back(wanted);
    keywords = py::Object::take(PyDict_New());
    PyDict_SetItemString(keywords.get(), "signature", (isSignature ? wanted : py::tuple(fixed)).get());
  }
  if (!casting.empty()) {
    keywords = keywords ? keywords : py::Object::take(PyDict_New());
    PyDict_SetItemString(keywords.get(), "casting", py::string(casting).get());
  }
  std::string errorType;
  py::Object answer = py::tryCall(ufunc["resolve_dtypes"], {py::tuple(operands)}, keywords, errorType, error);
  if (!error.empty()) // NumPy's own errors of ufuncs are kinds of TypeError
    error = (errorType == "ValueError" ? "ValueError: " : "TypeError: ") + error;
  std::vector<Type> types;
  for (const py::Object &one : py::elements(answer)) {
    Type type = elementType(one);
    if (!type) {
      error = "TypeError: dtype " + py::text(one) + " cannot be compiled";
      return {};
    }
    types.push_back(type);
  }
  if (!types.empty() && isKept)
    resolved[key] = types;
  return types;
}

Type Dtypes::resultType(llvm::ArrayRef<py::Object> keys) {
  std::vector<PyObject *> key;
  std::vector<py::Object> operands;
  for (const py::Object &operand : keys) {
    key.push_back(operand.get());
    // result_type takes values where resolve_dtypes takes Python's types.
    operands.push_back(PyType_Check(operand.get()) ? py::call(operand, {}) : operand);
  }
  if (auto found = results.find(key); found != results.end())
    return found->second;
  return results[key] = elementType(py::call(numpy["result_type"], operands));
}

bool Dtypes::canCast(Type from, Type to, const char *rule) {
  return py::isTrue(py::call(numpy["can_cast"], {dtype(from), dtype(to), py::string(rule)}));
}

} // namespace npcc::frontend
