#include "dialects/Np/Libdevice.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace npcc::np {
namespace {
struct Row {
  StringRef result, parameters; // as C writes them: "double", "(double a, int32_t *exponent)"
};

const llvm::StringMap<Row> &rows() {
  static const llvm::StringMap<Row> known = {
#define NV(name, result, parameters, ...) {#name, Row{#result, #parameters}},
#include "runtime/Libdevice.def"
  };
  return known;
}

Type typeOf(MLIRContext *context, StringRef text) {
  Builder builder(context);
  return llvm::StringSwitch<Type>(text)
      .Case("double", builder.getF64Type())
      .Case("float", builder.getF32Type())
      .Case("int64_t", builder.getI64Type())
      .Case("int32_t", builder.getI32Type())
      .Case("int16_t", builder.getIntegerType(16))
      .Default(Type());
}
} // namespace

std::optional<LibdevicePrototype> findLibdeviceFunction(MLIRContext *context, StringRef name) {
  auto found = rows().find(name);
  if (found == rows().end())
    return std::nullopt;
  LibdevicePrototype prototype{typeOf(context, found->second.result), {}};
  SmallVector<StringRef> parameters;
  found->second.parameters.trim("()").split(parameters, ',');
  for (StringRef parameter : parameters)
    prototype.parameters.push_back({typeOf(context, parameter.trim().split(' ').first), parameter.contains('*')});
  return prototype;
}

std::vector<std::string> libdeviceFunctions() {
  std::vector<std::string> names;
  for (StringRef name : rows().keys())
    names.push_back(name.str());
  llvm::sort(names);
  return names;
}

SmallVector<Type> LibdevicePrototype::operandTypes() const {
  SmallVector<Type> types;
  for (const Parameter &parameter : parameters)
    if (!parameter.isResult)
      types.push_back(parameter.type);
  return types;
}

SmallVector<Type> LibdevicePrototype::resultTypes() const {
  SmallVector<Type> types;
  if (returned)
    types.push_back(returned);
  for (const Parameter &parameter : parameters)
    if (parameter.isResult)
      types.push_back(parameter.type);
  return types;
}

} // namespace npcc::np
