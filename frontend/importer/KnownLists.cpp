// Lists of known items change at compile time, in place, as Python's do. A jump (return, break, an exception) carries
// what names held when it left: where it carries the list, all other names go on with a copy.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Lists.h"

namespace npcc::frontend {

static bool hasParts(const PyValue &value) {
  return value.hasItems() || value.is(PyValue::Kind::Union) || value.is(PyValue::Kind::Method) ||
         value.is(PyValue::Kind::Iterator) || value.is(PyValue::Kind::Function);
}

static bool leadsTo(const PyValue &value, const Composite *list) {
  return hasParts(value) &&
         (&*value == list || llvm::any_of(value->items, [&](const PyValue &item) { return leadsTo(item, list); }));
}

static bool leadsTo(const Bindings &bindings, const Composite *list) {
  return llvm::any_of(bindings, [&](const auto &binding) { return leadsTo(binding.second, list); });
}

static bool isCarried(const std::vector<Edge> &edges, const Composite *list) {
  return llvm::any_of(edges, [&](const Edge &edge) { return leadsTo(edge.bindings, list); });
}

/// Whether something that left already, or that may be taken back, needs the list as it is.
static bool isNeeded(Environment &env, const Composite *list) {
  for (const Bindings *start : env.starts)
    if (leadsTo(*start, list))
      return true;
  if (env.outermost && list->site == "given" && !env.outermost->raised[0].empty())
    return true;
  for (Handler *handler : env.allHandlers())
    for (const auto &clause : handler->raised)
      for (const Raised &raised : clause)
        if (leadsTo(raised.edge.bindings, list))
          return true;
  for (Frame *frame = env.frame.get(); frame; frame = frame->caller) {
    if (isCarried(frame->returns, list))
      return true;
    for (LoopTargets *loop : frame->loops)
      if (isCarried(loop->breaks, list) || isCarried(loop->continues, list))
        return true;
  }
  return false;
}

/// The value with copies of the list and of all that it is in; what it was is shared by no name any more.
static PyValue withCopies(const PyValue &value, const Composite *list,
                          std::map<const Composite *, std::shared_ptr<Composite>> &copies) {
  if (!leadsTo(value, list))
    return value;
  std::shared_ptr<Composite> &copy = copies[&*value];
  if (!copy) {
    copy = std::make_shared<Composite>(*value);
    std::vector<PyValue> items = copy->items;
    for (PyValue &item : items)
      item = withCopies(item, list, copies);
    copies[&*value]->items = std::move(items);
  }
  return value.withData(copies[&*value]);
}

Composite &Environment::changed(const PyValue &list) {
  checkIsOwn(in, list);
  if (list->isJoined)
    needsBox(in, list, "a list changes that is one of several here, as the branch decides", "use an array");
  if (!isNeeded(*this, &*list))
    return *list;
  std::map<const Composite *, std::shared_ptr<Composite>> copies;
  lastChanged = withCopies(list, &*list, copies);
  for (Frame *each = frame.get(); each; each = each->caller)
    each->bindings.update([&](const PyValue &value) { return leadsTo(value, &*list); },
                          [&](const PyValue &value) { return withCopies(value, &*list, copies); });
  // The caller has the list itself, not the copy. A list that is an object stays the same one.
  if (llvm::any_of(copies, [](const auto &copy) { return copy.first->site == "given"; }))
    needsBox(in, list, "a list that is an argument changes where a path may not change it", "make a copy of it");
  return *lastChanged;
}

} // namespace npcc::frontend
