#include "compiler/codegen/ModuleTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace npcc;

static const char *getCType(npcc_dtype dtype) {
  static const char *const names[] = {"bool",     "int8_t",   "int16_t",  "int32_t", "int64_t", "uint8_t", "uint16_t",
                                      "uint32_t", "uint64_t", "float", "float",   "double",  "npcc_complex", "npcc_complex", "float"};
  static_assert(sizeof(names) / sizeof(*names) == NPCC_DTYPE_COUNT);
  return names[dtype];
}

static std::string declare(const ParamInfo &param, bool isResult, llvm::StringRef fallback) {
  std::string name = param.name.empty() ? fallback.str() : getCName(param.name);
  if (param.kind == NPCC_ARRAY)
    return (isResult ? "npcc_array *" : "const npcc_array *") + name;
  if (param.kind == NPCC_GENERATOR)
    return "npcc_generator *" + name;
  bool byAddress = isResult || param.dtype == NPCC_COMPLEX64 || param.dtype == NPCC_COMPLEX128;
  return (isResult || !byAddress ? "" : "const ") + std::string(getCType(param.dtype)) + (byAddress ? " *" : " ") + name;
}

std::string npcc::emitHeader(const ModuleInfo &module) {
  std::string text, guard = "NPCC_MODULE_" + llvm::StringRef(module.name).upper() + "_H";
  llvm::raw_string_ostream out(text);
  out << "/* The functions of " << module.name << ", compiled by npcc. They return 0, or an npcc_error whose text npcc_rt_last_error() gives.\n"
      << " * Array results own one reference to their base (npcc_rt_release), unless it is the base of an argument. */\n"
      << "#ifndef " << guard << "\n#define " << guard << "\n#include \"npcc_rt.h\"\n#include <stdbool.h>\n"
      << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const ExportInfo &exported : module.exports)
    for (const FunctionInfo &info : exported.signatures) {
      out << "\n/* " << info.signature << " */\nint32_t " << info.symbol << "(";
      std::vector<std::string> params;
      for (auto [k, param] : llvm::enumerate(info.params))
        if (param.kind != NPCC_NONE)
          params.push_back(declare(param, false, "arg" + std::to_string(k)));
      for (auto [k, result] : llvm::enumerate(info.results))
        if (result.kind != NPCC_NONE)
          params.push_back(declare(result, true, info.results.size() == 1 ? "result" : "result" + std::to_string(k)));
      out << (params.empty() ? "void" : llvm::join(params, ", ")) << ");\n";
    }
  out << "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return text;
}
