#include "frontend/importer/Signature.h"
#include "runtime/abi/arrays.h"

#include <array>
#include <cctype>

namespace npcc::frontend {
namespace {

struct DtypeName {
  std::string_view spelling, dtype;
};
constexpr DtypeName dtypeNames[] = {
    {"bool", "bool"},
    {"bool_", "bool"},
    {"b1", "bool"},
    {"int8", "int8"},
    {"i1", "int8"},
    {"int16", "int16"},
    {"i2", "int16"},
    {"int32", "int32"},
    {"i4", "int32"},
    {"i32", "int32"},
    {"intc", "int32"},
    {"int64", "int64"},
    {"i8", "int64"},
    {"i64", "int64"},
    {"int_", "int64"},
    {"intp", "int64"},
    {"int", "int64"},
    {"uint8", "uint8"},
    {"u1", "uint8"},
    {"uint16", "uint16"},
    {"u2", "uint16"},
    {"uint32", "uint32"},
    {"u4", "uint32"},
    {"u32", "uint32"},
    {"uint64", "uint64"},
    {"u8", "uint64"},
    {"u64", "uint64"},
    {"uint", "uint64"},
    {"float16", "float16"},
    {"f2", "float16"},
    {"f16", "float16"},
    {"half", "float16"},
    {"bfloat16", "bfloat16"},
    {"bf16", "bfloat16"},
    {"float32", "float32"},
    {"f4", "float32"},
    {"f32", "float32"},
    {"single", "float32"},
    {"float64", "float64"},
    {"f8", "float64"},
    {"f64", "float64"},
    {"double", "float64"},
    {"float_", "float64"},
    {"float", "float64"},
    {"complex64", "complex64"},
    {"c8", "complex64"},
    {"complex128", "complex128"},
    {"c16", "complex128"},
    {"complex_", "complex128"},
    {"complex", "complex128"},
};

bool isPythonType(std::string_view name) {
  return name == "int" || name == "float" || name == "bool" || name == "complex";
}

/// A recursive descent over one declaration.
class Parser {
public:
  Parser(std::string_view text, std::string &error) : text(text), error(error) {}

  bool atEnd() {
    skipSpace();
    return position == text.size();
  }
  bool accept(char c) {
    skipSpace();
    if (position < text.size() && text[position] == c) {
      ++position;
      return true;
    }
    return false;
  }
  bool expect(char c) { return accept(c) || fail(std::string("'") + c + "' expected"); }
  bool fail(std::string message) {
    if (error.empty())
      error = message + " at column " + std::to_string(position + 1) + " of '" + std::string(text) + "'";
    return false;
  }
  std::string_view word() {
    skipSpace();
    size_t start = position;
    while (position < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[position])) || text[position] == '_' || text[position] == '.'))
      ++position;
    return text.substr(start, position - start);
  }
  bool type(ParamType &result) {
    std::string_view name = word();
    for (std::string_view prefix : {"npcc.", "numpy.", "np.", "random."})
      if (name.starts_with(prefix))
        name.remove_prefix(prefix.size());
    if (name == "list") {
      if (!expect('[') || !type(result) || !expect(']'))
        return false;
      if (!result.weak || result.isString)
        return fail("a list holds Python's numbers, or lists of them");
      result.kind = ParamType::Kind::Array;
      return ++result.rank <= NPCC_MAX_RANK || failOfAxes();
    }
    if (name == "Generator" || name == "RandomState") {
      result.kind = ParamType::Kind::Generator;
      result.dtype = name;
      return true;
    }
    if (name == "str") {
      result.dtype = "int64";
      result.weak = result.isString = true;
      return true;
    }
    const DtypeName *row = nullptr;
    for (const DtypeName &candidate : dtypeNames)
      if (candidate.spelling == name)
        row = &candidate;
    if (!row)
      return fail("'" + std::string(name) + "' is not a type that can be compiled");
    result.dtype = row->dtype;
    result.weak = isPythonType(name);
    if (!accept('['))
      return true;
    result.kind = ParamType::Kind::Array;
    result.weak = false;
    // Pythran writes one pair of brackets for each axis (float[][]), or one for all (float[:,:]).
    if (accept('('))
      return expect(')') && expect(']');
    do {
      if (accept(']')) {
        if (++result.rank > NPCC_MAX_RANK)
          return failOfAxes();
        continue;
      }
      do {
        skipSpace();
        if (result.rank == NPCC_MAX_RANK)
          return failOfAxes();
        if (accept(':')) {
          if (accept(':'))
            result.contiguous = false;
        } else if (std::string_view extent = word(); extent == "1") {
          result.unitAxes |= 1u << result.rank;
        } else if (extent.empty() || extent.find_first_not_of("0123456789") != std::string_view::npos) {
          return fail("an axis is written ':' (or '1' for one that broadcasts)");
        }
        ++result.rank;
      } while (accept(','));
      if (!expect(']'))
        return false;
    } while (accept('['));
    return true;
  }
  bool alternatives(std::vector<ParamType> &types) {
    do {
      ParamType one;
      if (!type(one))
        return false;
      types.push_back(one);
    } while (acceptWord("or"));
    return true;
  }
  bool signature(std::vector<Signature> &signatures) {
    std::vector<Signature> grown{Signature{std::string(word()), {}}};
    if (grown.front().function.empty())
      return fail("a function's name expected");
    if (accept('(') && !accept(')')) {
      do {
        std::vector<ParamType> types;
        if (!alternatives(types))
          return false;
        std::vector<Signature> next;
        for (const Signature &prefix : grown)
          for (const ParamType &type : types) {
            next.push_back(prefix);
            next.back().params.push_back(type);
          }
        grown = std::move(next);
      } while (accept(','));
      if (!expect(')'))
        return false;
    }
    signatures.insert(signatures.end(), grown.begin(), grown.end());
    return true;
  }

private:
  bool failOfAxes() { return fail("npcc supports at most " + std::to_string(NPCC_MAX_RANK) + " axes"); }
  void skipSpace() {
    while (position < text.size() && std::isspace(static_cast<unsigned char>(text[position])))
      ++position;
  }
  bool acceptWord(std::string_view expected) {
    size_t before = position;
    if (word() == expected)
      return true;
    position = before;
    return false;
  }

  std::string_view text;
  std::string &error;
  size_t position = 0;
};

} // namespace

std::string toString(const ParamType &type) {
  if (type.isString)
    return "str";
  if (type.kind == ParamType::Kind::Scalar) {
    if (!type.weak)
      return type.dtype == "bool" ? "bool_" : type.dtype;
    return type.dtype == "int64"        ? "int"
           : type.dtype == "float64"    ? "float"
           : type.dtype == "complex128" ? "complex"
                                        : "bool";
  }
  if (type.kind == ParamType::Kind::Constant)
    return "constant";
  if (type.kind == ParamType::Kind::Generator)
    return type.dtype;
  if (type.weak) { // list[list[int]]
    std::string text = toString(ParamType{.dtype = type.dtype, .weak = true});
    for (int64_t level = 0; level < type.rank; ++level)
      text = "list[" + text + "]";
    return text;
  }
  if (type.rank == 0)
    return type.dtype + "[()]";
  std::string result = type.dtype + "[";
  for (int64_t axis = 0; axis < type.rank; ++axis)
    result += std::string(axis ? "," : "") + (type.unitAxes >> axis & 1 ? "1" : type.contiguous ? ":" : "::");
  return result + "]";
}

std::string toString(const Signature &signature) {
  std::string result = signature.function + "(";
  for (size_t k = 0; k < signature.params.size(); ++k)
    result += (k ? ", " : "") + toString(signature.params[k]);
  return result + ")";
}

std::optional<ParamType> parseType(std::string_view text, std::string &error) {
  Parser parser(text, error);
  ParamType result;
  if (!parser.type(result) || (!parser.atEnd() && !parser.fail("end of the type expected")))
    return std::nullopt;
  return result;
}

bool parseSignatures(std::string_view text, std::vector<Signature> &signatures, std::string &error) {
  Parser parser(text, error);
  do {
    if (!parser.signature(signatures))
      return false;
  } while (parser.accept(',') || parser.accept(';'));
  return parser.atEnd() || parser.fail("',' or the end expected");
}

void findExports(std::string_view source, std::vector<Signature> &signatures, std::vector<ExportError> &errors) {
  int line = 0;
  while (!source.empty()) {
    size_t end = source.find('\n');
    std::string_view current = source.substr(0, end);
    source = end == std::string_view::npos ? std::string_view() : source.substr(end + 1);
    ++line;
    size_t start = current.find_first_not_of(" \t");
    if (start == std::string_view::npos || current[start] != '#')
      continue;
    current.remove_prefix(start + 1);
    std::string ignored;
    Parser words(current, ignored);
    std::string_view tool = words.word();
    if ((tool != "npcc" && tool != "pythran") || words.word() != "export")
      continue;
    std::string_view declaration = current.substr(current.find("export") + 6);
    std::string error;
    if (!parseSignatures(declaration, signatures, error))
      errors.push_back({line, error});
  }
}

} // namespace npcc::frontend
