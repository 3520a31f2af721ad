// Functions of PTX: their code takes the place of each call.
#include "FakePtx.h"
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace fake::ptx {
namespace {

bool isOfName(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

/// The names in "(.param .b64 a, .param .align 8 .b8 b[16])" or "(a, b)": the last word of each.
std::vector<std::string> namesIn(const std::string &list) {
  std::vector<std::string> names;
  std::string word, last;
  for (char c : list + ",") {
    if (isOfName(c) || c == '.') {
      word += c;
      continue;
    }
    if (!word.empty() && (isalpha(static_cast<unsigned char>(word[0])) || word[0] == '_'))
      last = word;
    word.clear();
    if (c == ',' && !last.empty())
      names.push_back(std::exchange(last, ""));
  }
  return names;
}

std::string bracketAt(const std::string &text, size_t open) {
  size_t close = text.find(')', open);
  return text.substr(open + 1, close - open - 1);
}

/// The names that are registers of the function: "%rd" of ".reg .b64 %rd<20>;".
std::vector<std::string> registersOf(const std::string &body) {
  std::vector<std::string> prefixes;
  for (size_t at = body.find(".reg"); at != std::string::npos; at = body.find(".reg", at + 1)) {
    size_t begin = body.find('%', at), end = body.find_first_of("<;", at);
    if (begin < end)
      prefixes.push_back(body.substr(begin, end - begin));
  }
  return prefixes;
}

/// What the function hands on to others: names of ".param .b64 param0;" between its braces, which others may have, too.
std::vector<std::string> handedOn(const std::string &body) {
  std::vector<std::string> names;
  for (size_t at = body.find(".param "); at != std::string::npos; at = body.find(".param ", at + 1))
    if (at > 0 && isspace(static_cast<unsigned char>(body[at - 1])))
      for (const std::string &name : namesIn(body.substr(at, body.find_first_of("[;", at) - at)))
        names.push_back(name);
  return names;
}

/// The code with names of its own: `suffix` makes them so.
std::string rename(const Function &function, const std::vector<std::string> &actual, const std::string &suffix) {
  std::vector<std::string> registers = registersOf(function.body), own = handedOn(function.body);
  std::string text, word;
  bool isReturn = false;
  for (char c : function.body + " ") {
    if (isOfName(c)) {
      word += c;
      continue;
    }
    if (std::find(own.begin(), own.end(), word) != own.end())
      word += suffix;
    for (size_t k = 0; k < function.formals.size() && k < actual.size(); ++k)
      if (word == function.formals[k])
        word = actual[k];
    size_t digits = word.find_last_not_of("0123456789") + 1;
    for (const std::string &prefix : registers)
      if (word == prefix || word.substr(0, digits) == prefix) {
        word = word.substr(0, digits) + suffix + word.substr(digits);
        break;
      }
    if (!word.empty() && word[0] == '$')
      word += suffix;
    isReturn = word == "ret" && c == ';';
    text += isReturn ? "bra.uni $end" + suffix : word;
    text += c;
    word.clear();
  }
  return text + "\n$end" + suffix + ":\n";
}

} // namespace

Function makeFunction(const std::string &header, const std::string &body) {
  Function function;
  // ".func (.param .b64 result) name(.param .b64 a)", or without a result.
  size_t at = header.find(".func") + 5, open = header.find('(', at);
  std::string before = header.substr(at, open - at);
  if (before.find_first_not_of(" \t\r\n") == std::string::npos) {
    function.formals = namesIn(bracketAt(header, open));
    at = header.find(')', open) + 1;
    open = header.find('(', at);
  }
  std::vector<std::string> names = namesIn(header.substr(at, open - at));
  function.name = names.empty() ? "" : names.front();
  if (open != std::string::npos)
    for (const std::string &formal : namesIn(bracketAt(header, open)))
      function.formals.push_back(formal);
  function.body = body;
  return function;
}

std::string inlineCalls(const std::string &body, const std::map<std::string, Function> &functions) {
  std::string text = body;
  int calls = 0;
  // What was put in may call others.
  for (size_t at = text.find("call"); at != std::string::npos; at = text.find("call", at)) {
    // "call.uni (result), name, (a, b);", and no part of another name
    size_t end = text.find(';', at), open = text.find_first_of("( \t", at);
    bool isCall = isspace(static_cast<unsigned char>(text[at - (at > 0)])) &&
                  (text[at + 4] == '.' || isspace(static_cast<unsigned char>(text[at + 4]))) && open < end;
    std::string call = isCall ? text.substr(open, end - open) : "";
    std::vector<std::string> actual;
    size_t begin = call.find_first_not_of(" \t");
    if (isCall && call[begin] == '(') {
      actual = namesIn(bracketAt(call, begin));
      begin = call.find(')', begin) + 1;
    }
    open = call.find('(', isCall ? begin : 0);
    std::vector<std::string> name = isCall ? namesIn(call.substr(begin, open - begin)) : actual;
    auto found = name.empty() ? functions.end() : functions.find(name.front());
    if (found == functions.end()) {
      at += 4;
      continue;
    }
    if (open != std::string::npos)
      for (const std::string &each : namesIn(bracketAt(call, open)))
        actual.push_back(each);
    if (++calls > 1000) {
      fprintf(stderr, "fake PTX: functions that call themselves\n");
      abort();
    }
    text = text.substr(0, at) + "{\n" + rename(found->second, actual, "_of" + std::to_string(calls) + "_") + "}" +
           text.substr(end + 1);
  }
  return text;
}

} // namespace fake::ptx
