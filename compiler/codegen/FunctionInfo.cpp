
#include "compiler/codegen/FunctionInfo.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace npcc;
using llvm::json::Array;
using llvm::json::Object;

std::string npcc::getEntrySymbol(llvm::StringRef function) { return (function + ".entry").str(); }

FunctionTable::FunctionTable(const FunctionInfo &from, llvm::function_ref<npcc_entry(llvm::StringRef)> lookup)
    : info(from) {
  auto describe = [](const std::vector<ParamInfo> &from, std::vector<npcc_param> &to) {
    for (const ParamInfo &param : from)
      to.push_back({param.name.c_str(), param.kind, param.dtype, param.rank, param.weak, param.written, param.unitAxes,
                    param.isView, param.tellsLayout});
  };
  describe(info.params, params);
  describe(info.results, results);
  for (const VariantInfo &variant : info.variants)
    variants.push_back({variant.target, variant.assumptions, int32_t(variant.guards.size()), variant.flags(),
                        variant.guards.data(), lookup(variant.entry),
                        variant.choice.empty() ? nullptr : lookup(variant.choice)});
  function = {info.name.c_str(),      info.signature.c_str(),  info.file.c_str(),        info.line,
              int32_t(params.size()), int32_t(results.size()), int32_t(variants.size()), info.resultForm.c_str(),
              info.generatorCount,    params.data(),           results.data(),           variants.data()};
}

//===---- Cache entries ----===//

// A line "npcc-code 5 <bytes of JSON>\n", the JSON, the objects.
static constexpr llvm::StringLiteral magic = "npcc-code 5 ";

static Array toJson(const std::vector<ParamInfo> &params) {
  Array array;
  for (const ParamInfo &param : params)
    array.push_back(Array{param.name, int(param.kind), int(param.dtype), param.rank, param.weak, param.written,
                          int64_t(param.unitAxes), param.isView, param.tellsLayout});
  return array;
}

static bool fromJson(const Array *array, std::vector<ParamInfo> &params) {
  if (!array)
    return false;
  for (const llvm::json::Value &value : *array) {
    const Array *fields = value.getAsArray();
    if (!fields || fields->size() != 9)
      return false;
    auto number = [&](size_t k) { return (*fields)[k].getAsInteger().value_or(0); };
    params.push_back({(*fields)[0].getAsString().value_or("").str(), npcc_kind(number(1)), npcc_dtype(number(2)),
                      int32_t(number(3)), int32_t(number(4)), (*fields)[5].getAsBoolean().value_or(false),
                      uint32_t(number(6)), (*fields)[7].getAsBoolean().value_or(false),
                      (*fields)[8].getAsBoolean().value_or(false)});
  }
  return true;
}

static Array toJson(const std::vector<VariantInfo> &variants) {
  Array array;
  for (const VariantInfo &variant : variants) {
    Array guards;
    for (const npcc_extent_guard &guard : variant.guards)
      guards.push_back(Array{guard.array_a, guard.axis_a, guard.array_b, guard.axis_b});
    array.push_back(Object{{"target", int(variant.target)},
                           {"assumptions", variant.assumptions},
                           {"distributed", variant.distributed},
                           {"awaits", variant.awaits},
                           {"moved", variant.moved},
                           {"entry", variant.entry},
                           {"choice", variant.choice},
                           {"guards", std::move(guards)}});
  }
  return array;
}

static bool fromJson(const Array *array, std::vector<VariantInfo> &variants) {
  if (!array)
    return false;
  for (const llvm::json::Value &value : *array) {
    const Object *fields = value.getAsObject();
    const Array *guards = fields ? fields->getArray("guards") : nullptr;
    if (!guards)
      return false;
    VariantInfo variant;
    variant.target = npcc_target(fields->getInteger("target").value_or(0));
    variant.assumptions = fields->getInteger("assumptions").value_or(0);
    variant.distributed = fields->getBoolean("distributed").value_or(false);
    variant.awaits = fields->getBoolean("awaits").value_or(false);
    variant.moved = fields->getBoolean("moved").value_or(false);
    variant.entry = fields->getString("entry").value_or("").str();
    variant.choice = fields->getString("choice").value_or("").str();
    for (const llvm::json::Value &guard : *guards) {
      const Array *four = guard.getAsArray();
      if (!four || four->size() != 4)
        return false;
      auto number = [&](size_t k) { return int16_t((*four)[k].getAsInteger().value_or(0)); };
      variant.guards.push_back({number(0), number(1), number(2), number(3)});
    }
    variants.push_back(std::move(variant));
  }
  return true;
}

std::string CompiledCode::serialize() const {
  Array array;
  for (const FunctionInfo &info : functions)
    array.push_back(Object{{"name", info.name},
                           {"symbol", info.symbol},
                           {"signature", info.signature},
                           {"file", info.file},
                           {"line", info.line},
                           {"form", info.resultForm},
                           {"generators", info.generatorCount},
                           {"params", toJson(info.params)},
                           {"results", toJson(info.results)},
                           {"variants", toJson(info.variants)}});
  std::string json, bytes;
  Array sizes;
  for (const std::string &object : objects)
    sizes.push_back(int64_t(object.size()));
  Object head{{"functions", std::move(array)}, {"sizes", std::move(sizes)}};
  if (!quick.isEmpty())
    head["quick"] = Object{{"object", int64_t(quick.object.size())},
                           {"bitcode", int64_t(quick.bitcode.size())},
                           {"cpu", quick.cpu},
                           {"kernels", Array(quick.kernels)}};
  llvm::raw_string_ostream(json) << llvm::json::Value(std::move(head));
  llvm::raw_string_ostream stream(bytes);
  stream << magic << json.size() << '\n' << json;
  for (const std::string &object : objects)
    stream << object;
  stream << quick.object << quick.bitcode;
  return bytes;
}

std::optional<CompiledCode> CompiledCode::deserialize(llvm::StringRef bytes) {
  size_t jsonBytes;
  if (!bytes.consume_front(magic) || bytes.consumeInteger(10, jsonBytes) || !bytes.consume_front("\n") ||
      jsonBytes > bytes.size())
    return std::nullopt;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(bytes.take_front(jsonBytes));
  if (!json) {
    llvm::consumeError(json.takeError());
    return std::nullopt;
  }
  CompiledCode code;
  bytes = bytes.drop_front(jsonBytes);
  const Object *parts = json->getAsObject();
  const Array *array = parts ? parts->getArray("functions") : nullptr,
              *sizes = parts ? parts->getArray("sizes") : nullptr;
  if (!array || !sizes)
    return std::nullopt;
  auto take = [&](std::optional<int64_t> size, std::string &to) {
    if (!size || *size < 0 || size_t(*size) > bytes.size())
      return false;
    to = bytes.take_front(*size).str();
    bytes = bytes.drop_front(*size);
    return true;
  };
  for (const llvm::json::Value &value : *sizes)
    if (!take(value.getAsInteger(), code.objects.emplace_back()))
      return std::nullopt;
  if (const Object *quick = parts->getObject("quick")) {
    const Array *kernels = quick->getArray("kernels");
    if (!kernels || !take(quick->getInteger("object"), code.quick.object) ||
        !take(quick->getInteger("bitcode"), code.quick.bitcode))
      return std::nullopt;
    code.quick.cpu = quick->getString("cpu").value_or("").str();
    for (const llvm::json::Value &kernel : *kernels)
      code.quick.kernels.push_back(kernel.getAsString().value_or("").str());
  }
  for (const llvm::json::Value &value : *array) {
    const Object *fields = value.getAsObject();
    if (!fields)
      return std::nullopt;
    FunctionInfo info;
    auto text = [&](llvm::StringRef key) { return fields->getString(key).value_or("").str(); };
    info.name = text("name");
    info.symbol = text("symbol");
    info.signature = text("signature");
    info.file = text("file");
    info.line = fields->getInteger("line").value_or(0);
    info.resultForm = text("form");
    info.generatorCount = fields->getInteger("generators").value_or(0);
    if (!fromJson(fields->getArray("params"), info.params) || !fromJson(fields->getArray("results"), info.results) ||
        !fromJson(fields->getArray("variants"), info.variants))
      return std::nullopt;
    code.functions.push_back(std::move(info));
  }
  return code;
}
