// PTX programs joined as texts, so that ptxas and the driver's own compiler have one program and can inline what is
// called.
//
//   .version 7.8 .target sm_90 .address_size 64  .extern .func (...) bar(...);  .visible .entry f(...) { call bar }
//   .version 8.0 .target sm_50 .address_size 64  .visible .func (...) bar(...) { ... }
// becomes
//   .version 8.0 .target sm_90 .address_size 64  .visible .func (...) bar(...) { ... }  .visible .entry f(...) { call
//   bar }
#include "compiler/gpu/image/LinkPtx.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace npcc::cuda {

static constexpr StringLiteral functionWord = ".func", externWord = ".extern";

/// The name in a function's head: what stands before the parameters, behind the result's.
static StringRef nameOf(StringRef head) {
  head = head.ltrim();
  if (head.starts_with("("))
    head = head.drop_front(head.find(')') + 1).ltrim();
  return head.take_while([](char c) { return isAlnum(c) || c == '_' || c == '$'; });
}

bool definesFunction(StringRef ptx, StringRef name) {
  for (size_t at = ptx.find(functionWord); at != StringRef::npos; at = ptx.find(functionWord, at + 1)) {
    StringRef head = ptx.drop_front(at + functionWord.size());
    size_t body = head.find_first_of("{;");
    if (nameOf(head) == name && body != StringRef::npos && head[body] == '{')
      return true;
  }
  return false;
}

static std::pair<int, int> versionOf(StringRef ptx) {
  std::pair<int, int> version;
  size_t at = ptx.find(".version");
  if (at == StringRef::npos)
    return version;
  StringRef number = ptx.drop_front(at + 8).ltrim();
  number.consumeInteger(10, version.first);
  number.consume_front(".");
  number.consumeInteger(10, version.second);
  return version;
}

std::string linkPtx(StringRef ptx, StringRef linked) {
  std::string result, body;
  SmallVector<StringRef> lines;
  linked.split(lines, '\n');
  for (StringRef line : lines)
    if (StringRef start = line.ltrim();
        !start.starts_with(".version") && !start.starts_with(".target") && !start.starts_with(".address_size"))
      body += (line + "\n").str();
  // Declarations of what is defined now.
  for (size_t at = 0; !ptx.empty();) {
    at = ptx.find(externWord);
    size_t end = at == StringRef::npos ? at : ptx.find(';', at);
    if (end == StringRef::npos) {
      result += ptx;
      break;
    }
    StringRef declaration = ptx.slice(at + externWord.size(), end).ltrim();
    bool isDefined = declaration.consume_front(functionWord) && definesFunction(linked, nameOf(declaration));
    result += isDefined ? ptx.take_front(at) : ptx.take_front(end + 1);
    ptx = ptx.drop_front(end + 1);
  }
  auto [major, minor] = std::max(versionOf(result), versionOf(linked));
  size_t version = result.find(".version"), end = result.find('\n', version);
  if (version != std::string::npos && end != std::string::npos)
    result.replace(version, end - version, ".version " + std::to_string(major) + "." + std::to_string(minor));
  size_t head = result.find('\n', result.find(".address_size"));
  result.insert(head == std::string::npos ? result.size() : head + 1, body);
  return result;
}

} // namespace npcc::cuda
