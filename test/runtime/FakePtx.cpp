#include "FakePtx.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace fake::ptx {
namespace {

std::string trim(const std::string &text) {
  size_t from = text.find_first_not_of(" \t\r\n"), to = text.find_last_not_of(" \t\r\n");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

/// At the separators that stand in no bracket.
std::vector<std::string> split(const std::string &text, const char *separators) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (char c : text) {
    depth += (c == '[' || c == '{' || c == '(') - (c == ']' || c == '}' || c == ')');
    if (!depth && strchr(separators, c)) {
      if (!trim(part).empty())
        parts.push_back(trim(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trim(part).empty())
    parts.push_back(trim(part));
  return parts;
}

bool parseType(const std::string &text, char &kind, int &bits) {
  if (text == "pred") {
    kind = 'p', bits = 8;
    return true;
  }
  if (text == "f16x2") {
    kind = 'h', bits = 32;
    return true;
  }
  if (text == "bf16x2") {
    kind = 'k', bits = 32;
    return true;
  }
  if (text == "bf16") {
    kind = 'f', bits = bfloatBits;
    return true;
  }
  if (text.size() < 2 || !strchr("usfb", text[0]) || text.find_first_not_of("0123456789", 1) != std::string::npos)
    return false;
  int size = atoi(text.c_str() + 1);
  if (size != 8 && size != 16 && size != 32 && size != 64 && size != 128)
    return false;
  kind = text[0], bits = size;
  return true;
}

/// The addresses and sizes of variables by their names.
using Variables = std::map<std::string, std::pair<uint64_t, size_t>>;

/// What stands in an initializer: a number, or the address of a variable before it, "generic(name)", as tables of
/// tables have.
uint64_t initialValue(const std::string &item, const Variables &known) {
  if (item.rfind("0f", 0) == 0 || item.rfind("0d", 0) == 0)
    return strtoull(item.c_str() + 2, nullptr, 16);
  bool isGeneric = item.rfind("generic(", 0) == 0;
  auto variable = known.find(isGeneric ? trim(item.substr(8, item.rfind(')') - 8)) : item);
  return variable != known.end() ? variable->second.first : static_cast<uint64_t>(strtoll(item.c_str(), nullptr, 0));
}

/// ".global .align 4 .b8 name[16] = {1, 2}": true if it is a variable.
bool parseVariable(const std::string &text, std::string &name, Variable &variable, const Variables &known = {}) {
  std::string left = text.substr(0, text.find('=')),
              right = text.find('=') == std::string::npos ? "" : text.substr(text.find('=') + 1);
  std::vector<std::string> words = split(left, " \t\n");
  char kind = 0;
  int bits = 0;
  for (size_t k = 0; k + 1 < words.size(); ++k) {
    if (words[k] == ".align")
      variable.align = atoi(words[k + 1].c_str());
    else if (words[k][0] == '.')
      parseType(words[k].substr(1), kind, bits);
  }
  if (!bits || words.size() < 2)
    return false;
  name = words.back();
  size_t count = 1;
  if (size_t bracket = name.find('['); bracket != std::string::npos) {
    count = strtoull(name.c_str() + bracket + 1, nullptr, 10);
    name.resize(bracket);
  }
  variable.bytes = count * bits / 8;
  variable.align = std::max<size_t>(variable.align, bits / 8);
  if (right = trim(right); !right.empty()) {
    if (right.front() == '{')
      right = right.substr(1, right.size() - 2);
    for (const std::string &item : split(right, ",")) {
      uint64_t value = initialValue(item, known);
      variable.initial.append(reinterpret_cast<char *>(&value), bits / 8);
    }
  }
  return true;
}

/// Calls in different scopes have places of one name for what they hand on, of different sizes.
constexpr size_t mostHandedOn = 256;

Operand make(Operand::Kind kind) {
  Operand operand;
  operand.kind = kind;
  return operand;
}

} // namespace

Module::Module(const std::string &source, const std::function<uint64_t(const Variable &)> &place) {
  std::string text;
  for (size_t k = 0; k < source.size(); ++k) {
    bool isPlace = source.compare(k, 5, "\t.loc") == 0 && isspace(source[k + 5]); // of the source
    if (isPlace || source.compare(k, 2, "//") == 0)
      while (k < source.size() && source[k] != '\n')
        ++k;
    if (source.compare(k, 2, "/*") == 0)
      k = source.find("*/", k) + 2;
    text += k < source.size() ? source[k] : '\n';
  }
  std::vector<std::pair<std::string, std::string>> bodies; // of kernels
  std::map<std::string, Function> functions;
  size_t at = 0;
  auto statementEnd = [&](size_t from) { // of a declaration: ';' outside braces, or the end of a body
    int depth = 0;
    for (size_t k = from; k < text.size(); ++k) {
      depth += (text[k] == '{') - (text[k] == '}');
      if (!depth && text[k] == ';')
        return k + 1;
      if (!depth && text[k] == '}' && text.find('=', from) > k)
        return k + 1;
    }
    return text.size();
  };
  while ((at = text.find_first_not_of(" \t\r\n", at)) != std::string::npos) {
    if (text.compare(at, 8, ".version") == 0 || text.compare(at, 7, ".target") == 0 ||
        text.compare(at, 13, ".address_size") == 0 || text.compare(at, 5, ".file") == 0) {
      at = text.find('\n', at);
      continue;
    }
    size_t end = statementEnd(at);
    std::string statement = text.substr(at, end - at);
    at = end;
    size_t brace = statement.find('{');
    bool isKernel = statement.find(".entry") < brace, isFunction = statement.find(".func") < brace;
    if (brace != std::string::npos && (isKernel || isFunction)) {
      std::string header = statement.substr(0, brace),
                  body = statement.substr(brace + 1, statement.rfind('}') - brace - 1);
      if (isKernel) {
        bodies.emplace_back(header, body);
      } else {
        Function function = makeFunction(header, body);
        functions[function.name] = function;
      }
      continue;
    }
    if (isFunction) // what is said of one before
      continue;
    std::string name;
    Variable variable;
    if (statement.back() == ';')
      statement.pop_back();
    if (!parseVariable(statement, name, variable, variables))
      continue;
    if (statement.find(".shared") != std::string::npos)
      externShared.push_back(name);
    else
      variables[name] = {place(variable), variable.bytes};
  }
  for (const auto &[header, body] : bodies)
    parseKernel(header, inlineCalls(body, functions));
}

const Kernel *Module::find(const std::string &name) const {
  auto found = kernels.find(name);
  return found == kernels.end() ? nullptr : &found->second;
}

/// Registers in braces that have the names of others: what they are called here.
using Scope = std::map<std::string, std::string>;

/// The statement with these registers' own names.
static std::string inScopes(const std::string &statement, const std::vector<Scope> &scopes) {
  std::string result;
  auto isOfName = [](char c) { return isalnum(c) || c == '_' || c == '$'; };
  for (size_t k = 0; k < statement.size();) {
    size_t end = k + 1; // of a whole name: `p` is not a part of `setp`
    while ((statement[k] == '%' || isOfName(statement[k])) && end < statement.size() && isOfName(statement[end]))
      ++end;
    std::string word = statement.substr(k, end - k);
    for (size_t depth = scopes.size(); depth-- > 0;)
      if (auto found = scopes[depth].find(word); found != scopes[depth].end()) {
        word = found->second;
        break;
      }
    result += word;
    k = end;
  }
  return result;
}

void Module::parseKernel(const std::string &header, const std::string &body) {
  Kernel kernel;
  size_t open = header.find('('), close = header.rfind(')');
  std::string before = trim(header.substr(
      header.find(".entry") + 6, open == std::string::npos ? std::string::npos : open - header.find(".entry") - 6));
  kernel.name = before.substr(0, before.find_first_of(" \t\n"));
  std::map<std::string, Operand> names;
  if (open != std::string::npos)
    for (const std::string &parameter : split(header.substr(open + 1, close - open - 1), ",")) {
      std::string name;
      Variable variable;
      parseVariable(parameter, name, variable);
      kernel.parameterTotal = (kernel.parameterTotal + variable.align - 1) / variable.align * variable.align;
      Operand operand = make(Operand::Immediate);
      operand.value = kernel.parameterTotal;
      names[name] = operand;
      kernel.parameterOffsets.push_back(kernel.parameterTotal);
      kernel.parameterBytes.push_back(variable.bytes);
      kernel.parameterTotal += variable.bytes;
    }
  for (auto &[name, global] : variables) {
    Operand operand = make(Operand::Immediate);
    operand.value = global.first;
    names[name] = operand;
  }
  // Registers and variables first, labels next: both are used before they stand.
  std::map<std::string, std::pair<int, int>> ranges; // prefix -> first, count
  std::vector<std::string> lines;
  std::vector<Scope> scopes;
  std::string flat;
  for (char c : body)
    flat += c == '\n' ? ' ' : c;
  for (const std::string &piece : [&] { // ';' ends a statement, ':' a label; braces of scopes stand alone
         std::vector<std::string> pieces;
         std::string piece;
         for (size_t k = 0; k < flat.size(); ++k) {
           char c = flat[k];
           bool scope = (c == '{' || c == '}') && trim(piece).empty();
           if (c == ';' || scope || (c == ':' && trim(piece).find(' ') == std::string::npos && flat[k + 1] != ':')) {
             if (c == ':')
               piece += ':';
             if (!trim(piece).empty())
               pieces.push_back(trim(piece));
             if (scope)
               pieces.push_back(std::string(1, c));
             piece.clear();
           } else {
             piece += c;
           }
         }
         return pieces;
       }()) {
    if (piece == "{") {
      scopes.emplace_back();
      continue;
    }
    if (piece == "}") {
      if (!scopes.empty())
        scopes.pop_back();
      continue;
    }
    if (piece.rfind(".reg", 0) == 0) {
      std::string list; // behind ".reg .b32"
      std::vector<std::string> words = split(piece, " \t");
      for (size_t k = 2; k < words.size(); ++k)
        list += words[k] + " ";
      for (const std::string &name : split(list, ",")) {
        size_t angle = name.find('<');
        int count = angle == std::string::npos ? 1 : atoi(name.c_str() + angle + 1);
        std::string prefix = name.substr(0, angle);
        for (int k = 0; k < count; ++k) {
          Operand operand = make(Operand::Register);
          operand.reg = kernel.registers++;
          std::string given = angle == std::string::npos ? prefix : prefix + std::to_string(k);
          if (!scopes.empty() && names.count(given)) {
            std::string own = given + "@" + std::to_string(kernel.registers);
            scopes.back()[given] = own;
            given = own;
          }
          names[given] = operand;
        }
      }
      continue;
    }
    bool shared = piece.rfind(".shared", 0) == 0, isHandedOn = piece.rfind(".param", 0) == 0,
         local = piece.rfind(".local", 0) == 0 || isHandedOn;
    if (shared || local) {
      std::string name;
      Variable variable;
      parseVariable(piece, name, variable);
      size_t &total = shared ? kernel.sharedBytes : kernel.localBytes;
      total = (total + variable.align - 1) / variable.align * variable.align;
      Operand operand = make(Operand::Immediate);
      operand.value = total;
      operand.name = isHandedOn ? Word("param") : Word();
      names[name] = operand;
      total += std::max<size_t>(variable.bytes, isHandedOn ? mostHandedOn : 0);
      continue;
    }
    lines.push_back(inScopes(piece, scopes));
  }
  kernel.sharedBytes = (kernel.sharedBytes + 15) / 16 * 16;
  for (const std::string &name : externShared) {
    Operand operand = make(Operand::Immediate);
    operand.value = kernel.sharedBytes;
    names[name] = operand;
  }
  std::vector<std::string> code;
  std::map<std::string, std::string> branches; // the labels that brx.idx goes to, by the label that they stand at
  std::string label;
  const std::string targets = ".branchtargets";
  for (const std::string &line : lines) {
    if (line.back() == ':') {
      Operand operand = make(Operand::Label);
      operand.value = code.size();
      label = line.substr(0, line.size() - 1);
      names[label] = operand;
    } else if (line.rfind(targets, 0) == 0) {
      branches[label] = "{" + line.substr(targets.size()) + "}";
    } else if (line[0] != '.') {
      code.push_back(line);
    }
  }
  std::function<Operand(std::string)> parseOperand = [&](std::string text) -> Operand {
    text = trim(text);
    if (auto found = branches.find(text); found != branches.end())
      text = found->second;
    if (size_t bar = text.find('|'); bar != std::string::npos) {
      Operand operand = parseOperand(text.substr(0, bar));
      operand.parts.push_back(parseOperand(text.substr(bar + 1)));
      return operand;
    }
    if (text[0] == '{') {
      Operand operand = make(Operand::Vector);
      for (const std::string &part : split(text.substr(1, text.size() - 2), ","))
        operand.parts.push_back(parseOperand(part));
      return operand;
    }
    if (text[0] == '[') {
      Operand operand = make(Operand::Memory);
      for (const std::string &part : split(text.substr(1, text.size() - 2), "+")) {
        Operand term = parseOperand(part);
        if (term.kind == Operand::Register)
          operand.reg = term.reg;
        else
          operand.value += term.value;
        if (term.name == "param")
          operand.name = term.name;
      }
      return operand;
    }
    if (auto found = names.find(text); found != names.end())
      return found->second;
    Operand operand = make(Operand::Immediate);
    if (text == "_") {
      operand.kind = Operand::None;
    } else if (text[0] == '%') {
      operand.kind = Operand::Special;
      size_t dot = text.find('.'); // "%tid.x"
      operand.name = Word(text.substr(0, dot));
      operand.value = dot == std::string::npos ? 0 : text.back() - 'x';
    } else if (text.rfind("0f", 0) == 0 || text.rfind("0d", 0) == 0 || text.rfind("0F", 0) == 0 ||
               text.rfind("0D", 0) == 0) {
      operand.value = strtoull(text.c_str() + 2, nullptr, 16);
    } else if (isdigit(text[0])) {
      operand.value = strtoull(text.c_str(), nullptr, 0);
    } else if (text[0] == '-') {
      operand.value = uint64_t(strtoll(text.c_str(), nullptr, 0));
    } else {
      operand.kind = Operand::None; // the name of a function
    }
    return operand;
  };
  for (std::string line : code) {
    Instruction in;
    in.text = line;
    if (line[0] == '@') {
      size_t space = line.find_first_of(" \t");
      in.negated = line[1] == '!';
      in.predicate = parseOperand(line.substr(1 + in.negated, space - 1 - in.negated)).reg;
      line = trim(line.substr(space));
    }
    size_t space = line.find_first_of(" \t");
    std::string name = line.substr(0, space);
    for (size_t from = 0, dot; from <= name.size(); from = dot + 1) {
      dot = std::min(name.find('.', from), name.size());
      std::string word = name.substr(from, dot - from);
      if (from == 0) {
        in.op = Word(word);
        continue;
      }
      char kind;
      int bits;
      if (parseType(word, kind, bits)) {
        // The first type is the result's; cvt has a second, the source's.
        if (in.suffixes.empty() || !in.has("typed")) {
          in.kind = in.fromKind = kind;
          in.bits = in.fromBits = bits;
          in.suffixes.push_back("typed");
        } else {
          in.fromKind = kind;
          in.fromBits = bits;
        }
      } else if (word == "global") {
        in.space = Space::Global;
      } else if (word.rfind("shared", 0) == 0) {
        in.space = Space::Shared;
      } else if (word == "local") {
        in.space = Space::Local;
      } else if (word == "param") {
        in.space = Space::Param;
      } else if (word == "const") {
        in.space = Space::Const;
      } else if (word == "v2" || word == "v4" || word == "v8") {
        in.lanes = word[1] - '0';
      } else {
        in.suffixes.push_back(Word(word));
      }
    }
    if (space != std::string::npos)
      for (const std::string &operand : split(line.substr(space), ","))
        in.operands.push_back(parseOperand(operand));
    for (const Operand &operand : in.operands)
      if (operand.kind == Operand::Memory && operand.name == "param")
        in.space = Space::Local;
    if ((in.kind == 'h' && in.op != "cvt") || in.op == "call")
      in.op = "unknown"; // known when it is reached
    kernel.code.push_back(std::move(in));
  }
  kernels[kernel.name] = std::move(kernel);
}

} // namespace fake::ptx
