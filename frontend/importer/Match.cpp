// match: each pattern is a test of the subject, and what it binds.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Unions.h"

using namespace mlir;

namespace npcc::frontend {

namespace {
/// A pattern's test so far, and the names that it binds where it holds.
struct Match {
  PyValue holds = PyValue::object(py::boolean(true));
  /// What gives each name's value is asked where the pattern holds: an item of a list may not be there otherwise.
  std::vector<std::pair<std::string, std::function<PyValue()>>> bound;

  void bind(const std::string &name, const PyValue &value) {
    bound.emplace_back(name, [value] { return value; });
  }
  bool isKnownFalse() const { return holds.isObject() && !py::isTrue(holds.object()); }
};
} // namespace

static void also(Interpreter &in, Match &match, const PyValue &test) {
  PyValue before = match.holds;
  match.holds = choose(in, before, [&] { return test; }, [&] { return PyValue::object(py::boolean(false)); });
}

static void pattern(Interpreter &in, const py::Object &node, const PyValue &subject, Match &match);

/// A list or tuple whose length is known at run time only: its items are looked at where the length fits.
static void longSequencePattern(Interpreter &in, const py::Object &node, const PyValue &subject, Match &match) {
  std::vector<py::Object> parts = node.list("patterns");
  auto isStar = [](const py::Object &part) { return py::typeName(part) == "MatchStar"; };
  int64_t count = parts.size(), star = llvm::find_if(parts, isStar) - parts.begin();
  bool hasStar = star < count;
  auto number = [](int64_t value) { return PyValue::object(py::integer(value)); };
  PyValue list = unboxed(in, subject);
  PyValue fits = compare(in, hasStar ? "GtE" : "Eq", lengthOf(in, list), number(count - hasStar));
  auto item = [&in, list, number, star, count](int64_t k) { // behind the star they are counted from the end
    return subscript(in, list, number(k < star ? k : k - count));
  };
  auto isName = [&](const py::Object &part) { return py::typeName(part) == "MatchAs" && part["pattern"].isNone(); };
  auto itemsFit = [&] {
    Match inner;
    for (int64_t k = 0; k < count; ++k)
      if (!isStar(parts[k]) && !isName(parts[k]))
        pattern(in, parts[k], item(k), inner);
    if (!inner.bound.empty())
      return in.fail(node, "names inside of an item of a list whose length is known at run time only cannot be bound",
                     "give the item a name, and match that");
    return inner.holds;
  };
  also(in, match, choose(in, fits, itemsFit, [&] { return PyValue::object(py::boolean(false)); }));
  for (int64_t k = 0; k < count; ++k) {
    if ((!isStar(parts[k]) && !isName(parts[k])) || parts[k]["name"].isNone())
      continue;
    PyValue stop = k + 1 < count ? number(k + 1 - count) : PyValue::object(py::none());
    PyValue middle = PyValue::slice(number(k), stop, PyValue::object(py::none()));
    match.bound.emplace_back(parts[k].string("name"), [=, &in, isMiddle = isStar(parts[k])] {
      return isMiddle ? callBuiltin(in, "list", {subscript(in, list, middle)}) : item(k);
    });
  }
}

static void sequencePattern(Interpreter &in, const py::Object &node, const PyValue &subject, Match &match) {
  std::vector<py::Object> parts = node.list("patterns");
  std::vector<PyValue> items;
  bool isString = subject.isObject() && PyUnicode_Check(subject.object().get());
  PyValue list = isBox(subject) && !isString ? unboxed(in, subject) : subject;
  if (isRuntimeLength(list))
    return longSequencePattern(in, node, list, match);
  if (subject.is(PyValue::Kind::Range) && !asSequence(in, subject, items)) {
    in.fail(node, "a range whose bounds are known at run time only cannot be matched", "match a list of it: list(r)");
    return;
  }
  if (isString || isDictionary(subject) || subject.is(PyValue::Kind::Iterator) || !asSequence(in, subject, items))
    return also(in, match, PyValue::object(py::boolean(false)));
  auto star = llvm::find_if(parts, [](const py::Object &part) { return py::typeName(part) == "MatchStar"; });
  bool fits = star == parts.end() ? items.size() == parts.size() : items.size() + 1 >= parts.size();
  also(in, match, PyValue::object(py::boolean(fits)));
  if (!fits)
    return;
  size_t rest = items.size() + 1 - parts.size(), at = 0;
  for (const py::Object &part : parts) {
    if (py::typeName(part) != "MatchStar") {
      pattern(in, part, items[at++], match);
      continue;
    }
    std::vector<PyValue> middle(items.begin() + at, items.begin() + at + rest);
    at += rest;
    if (!part["name"].isNone())
      match.bind(part.string("name"), PyValue::sequence(std::move(middle), true));
  }
}

static void mappingPattern(Interpreter &in, const py::Object &node, const PyValue &subject, Match &match) {
  if (!isDictionary(subject))
    return also(in, match, PyValue::object(py::boolean(false)));
  std::vector<py::Object> keys = node.list("keys"), parts = node.list("patterns");
  for (auto [keyNode, part] : llvm::zip(keys, parts)) {
    py::Object key = asObject(in, in.expression(keyNode));
    bool isThere = key && holds(in, subject, key);
    also(in, match, isThere ? isHeld(in, subject, key) : PyValue::object(py::boolean(false)));
    if (isThere)
      pattern(in, part, readHeld(in, subject, key), match);
  }
  if (!node["rest"].isNone())
    in.fail(node, "'**" + node.string("rest") + "' in a pattern cannot be compiled");
}

static void classPattern(Interpreter &in, const py::Object &node, const PyValue &subject, Match &match) {
  PyValue cls = in.expression(node["cls"]);
  Call call;
  call.node = node;
  call.args = {subject, cls};
  also(in, match, callObject(in, py::import("builtins")["isinstance"], call));
  if (match.isKnownFalse() || cls.isPoison())
    return;
  std::vector<py::Object> parts = node.list("patterns"), names = node.list("kwd_attrs"),
                          byName = node.list("kwd_patterns");
  py::Object order = cls.isObject() ? cls.object()["__match_args__"] : py::Object();
  std::vector<py::Object> positions = order ? py::elements(order) : std::vector<py::Object>();
  if (parts.size() == 1 && !order) // int(x), str(x), ...
    return pattern(in, parts[0], subject, match);
  if (parts.size() > positions.size()) {
    in.fail(node, "TypeError: a pattern of this class accepts " + Twine(positions.size()) +
                      " positional sub-patterns (" + Twine(parts.size()) + " given)");
    return;
  }
  for (auto [name, part] : llvm::zip(positions, parts))
    pattern(in, part, attribute(in, subject, py::toString(name.get())), match);
  for (auto [name, part] : llvm::zip(names, byName))
    pattern(in, part, attribute(in, subject, py::toString(name.get())), match);
}

static void pattern(Interpreter &in, const py::Object &node, const PyValue &subject, Match &match) {
  if (match.isKnownFalse() || subject.isPoison())
    return;
  NodeScope scope(in, node);
  std::string type = py::typeName(node);
  if (type == "MatchValue")
    return also(in, match, compare(in, "Eq", subject, in.expression(node["value"])));
  if (type == "MatchSingleton")
    return also(in, match, compare(in, "Is", subject, PyValue::object(node["value"])));
  if (type == "MatchSequence")
    return sequencePattern(in, node, subject, match);
  if (type == "MatchMapping")
    return mappingPattern(in, node, subject, match);
  if (type == "MatchClass")
    return classPattern(in, node, subject, match);
  if (type == "MatchAs") {
    if (!node["pattern"].isNone())
      pattern(in, node["pattern"], subject, match);
    if (!node["name"].isNone())
      match.bind(node.string("name"), subject);
    return;
  }
  // One of several: they bind the same names, which only known tests keep apart.
  PyValue any = PyValue::object(py::boolean(false));
  for (const py::Object &one : node.list("patterns")) {
    Match alternative;
    pattern(in, one, subject, alternative);
    if (alternative.isKnownFalse())
      continue;
    if (!alternative.bound.empty() && !alternative.holds.isObject()) {
      in.fail(one, "names in one of several patterns cannot be compiled", "write a case for each");
      return;
    }
    llvm::append_range(match.bound, alternative.bound);
    PyValue before = any;
    any = choose(in, before, [&] { return before; }, [&] { return alternative.holds; });
    if (alternative.holds.isObject())
      break;
  }
  also(in, match, any);
}

static void matchOn(Interpreter &in, const py::Object &node, const PyValue &subject);

void matchStatement(Interpreter &in, const py::Object &node) {
  PyValue subject = in.env.bound(in.expression(node["subject"]));
  if (subject.isPoison())
    return;
  matchOn(in, node, subject);
}

/// A subject that is one of several is matched as each of them.
static void matchOn(Interpreter &in, const py::Object &node, const PyValue &subject) {
  auto asOne = [&](PyValue one) {
    matchOn(in, node, one);
    return PyValue::object(py::none());
  };
  if (subject.is(PyValue::Kind::Union)) {
    overAlternatives(in, subject, asOne, /*isCall=*/true);
    return;
  }
  std::vector<py::Object> cases = node.list("cases");
  std::function<void(size_t)> from = [&](size_t k) {
    if (k == cases.size())
      return;
    Match match;
    pattern(in, cases[k]["pattern"], subject, match);
    if (match.holds.isPoison())
      return;
    branch(
        in, match.holds,
        [&] {
          for (const auto &[name, value] : match.bound)
            in.env.bindName(name, value());
          auto body = [&] { in.statements(cases[k].list("body")); };
          if (cases[k]["guard"].isNone())
            return body();
          branch(in, condition(in, cases[k]["guard"]), body, [&] { from(k + 1); });
        },
        [&] { from(k + 1); });
  };
  from(0);
}

} // namespace npcc::frontend
