#include "frontend/importer/ComprehensionScopes.h"

namespace npcc::frontend {

static ComprehensionScope *innermost = nullptr; // under the GIL

ComprehensionScope::ComprehensionScope(Interpreter &in, const std::set<std::string> &targets)
    : targets(targets), frame(in.env.frame.get()), outer(innermost) {
  innermost = this;
}

ComprehensionScope::~ComprehensionScope() { innermost = outer; }

void ComprehensionScope::keepTargets() {
  if (!scope)
    return;
  for (const std::string &name : targets) {
    auto found = frame->bindings.find(name);
    if (found == frame->bindings.end())
      continue;
    scope->locals.insert(name);
    scope->bindings[name] = found->second;
  }
}

std::shared_ptr<Frame> ComprehensionScope::around(Interpreter &in, const py::Object &definition) {
  std::shared_ptr<Frame> parent = in.env.frame;
  std::vector<ComprehensionScope *> open; // of this function, from the innermost
  for (ComprehensionScope *one = innermost; one && one->frame == parent.get(); one = one->outer)
    open.push_back(one);
  for (ComprehensionScope *one : llvm::reverse(open)) {
    auto isTarget = [&](const py::Object &node) {
      return py::typeName(node) == "Name" && one->targets.count(node.string("id"));
    };
    if (llvm::none_of(in.syntax.nodesIn(definition), isTarget))
      continue;
    if (!one->scope) {
      one->scope = std::make_shared<Frame>(one->frame->callLoc);
      one->scope->definition = one->frame->definition;
      one->scope->globals = one->frame->globals;
      one->scope->closure = one->frame->closure;
      one->scope->file = one->frame->file;
      one->scope->isLibrary = one->frame->isLibrary;
      one->scope->isLibraryCode = one->frame->isLibraryCode;
      one->scope->parent = parent;
    }
    parent = one->scope;
  }
  return parent;
}

} // namespace npcc::frontend
