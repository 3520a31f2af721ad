#include "frontend/extension/Types.h"

using namespace npcc;
using npcc::frontend::ParamType;

static std::string withAxes(std::string dtype, int64_t rank, uint32_t unitAxes, bool contiguous) {
  if (!rank)
    return dtype + "[()]";
  for (int64_t axis = 0; axis < rank; ++axis)
    dtype += std::string(axis ? "," : "[") + (unitAxes >> axis & 1 ? "1" : contiguous ? ":" : "::");
  return dtype + "]";
}

static std::string scalarText(const std::string &dtype, bool weak) {
  if (!weak)
    return dtype == "bool" ? "bool_" : dtype;
  return dtype == "int64" ? "int" : dtype == "float64" ? "float" : dtype == "complex128" ? "complex" : "bool";
}

static std::string listText(const std::string &dtype, int64_t levels) {
  std::string text = scalarText(dtype, true);
  for (int64_t level = 0; level < levels; ++level)
    text = "list[" + text + "]";
  return text;
}

std::string extension::typeText(npcc_key key) {
  if ((key & 3) == NPCC_GENERATOR)
    return (key >> 3 & 31) == NPCC_RANDOM_STATE ? "RandomState" : "Generator";
  std::string dtype = npcc_rt_dtype_name(npcc_dtype(key >> 3 & 31));
  if ((key & 3) == NPCC_SCALAR)
    return scalarText(dtype, key >> 2 & 1);
  if (key >> 2 & 1)
    return listText(dtype, NPCC_KEY_RANK(key));
  return withAxes(dtype, NPCC_KEY_RANK(key), NPCC_KEY_UNIT_AXES(key), true);
}

std::string extension::typeText(const ParamType &type) {
  if (type.isString)
    return "str";
  if (type.kind == ParamType::Kind::Scalar)
    return scalarText(type.dtype, type.weak);
  if (type.kind == ParamType::Kind::Generator)
    return type.dtype;
  if (type.weak)
    return listText(type.dtype, type.rank);
  return withAxes(type.dtype, type.rank, type.unitAxes, type.contiguous);
}

bool extension::parseTypeText(PyObject *object, ParamType &type) {
  std::string text = py::toString(object), error;
  llvm::StringRef rest = text;
  bool zeroRank = rest.consume_back("[()]");
  std::optional<ParamType> parsed = frontend::parseType(std::string_view(rest.data(), rest.size()), error);
  if (!parsed) {
    PyErr_SetString(PyExc_ValueError, error.c_str());
    return false;
  }
  type = *parsed;
  if (zeroRank) {
    type.kind = ParamType::Kind::Array;
    type.rank = 0;
    type.weak = false;
  }
  return true;
}
