#include "frontend/importer/Bindings.h"

using llvm::StringRef;

namespace npcc::frontend {

//===---- Looking ----===//

void Bindings::const_iterator::goDown(const Node *node) {
  for (; node; node = node->left.get())
    open.push_back(node);
}

Bindings::const_iterator &Bindings::const_iterator::operator++() {
  const Node *node = open.pop_back_val();
  goDown(node->right.get());
  return *this;
}

Bindings::const_iterator Bindings::begin() const {
  const_iterator first;
  first.goDown(root.get());
  return first;
}

Bindings::const_iterator Bindings::lower_bound(StringRef name) const {
  const_iterator found;
  for (const Node *node = root.get(); node;) {
    bool isBefore = StringRef(node->name->text) < name;
    if (!isBefore)
      found.open.push_back(node);
    node = isBefore ? node->right.get() : node->left.get();
  }
  return found;
}

Bindings::const_iterator Bindings::find(StringRef name) const {
  const_iterator found = lower_bound(name);
  return found != end() && name == found->first ? found : end();
}

const Bindings::Node *Bindings::lookUp(StringRef name) const {
  const Node *node = root.get();
  while (node) {
    int order = name.compare(node->name->text);
    if (order == 0)
      return node;
    node = order < 0 ? node->left.get() : node->right.get();
  }
  return nullptr;
}

const PyValue *Bindings::get(StringRef name) const {
  const Node *node = lookUp(name);
  return node ? &node->value : nullptr;
}

//===---- Changing: the nodes on the way become this map's own ----===//

bool Bindings::isAbove(const Node &one, const Node &other) {
  return one.name->hash != other.name->hash ? one.name->hash > other.name->hash : one.name->text < other.name->text;
}

void Bindings::own(Tree &tree) {
  if (tree->UseCount() > 1)
    tree = llvm::makeIntrusiveRefCnt<Node>(*tree);
}

/// The names before `name`, and the others.
std::pair<Bindings::Tree, Bindings::Tree> Bindings::split(Tree tree, StringRef name) {
  if (!tree)
    return {Tree(), Tree()};
  own(tree);
  if (StringRef(tree->name->text) < name) {
    auto [before, behind] = split(std::move(tree->right), name);
    tree->right = std::move(before);
    return {std::move(tree), std::move(behind)};
  }
  auto [before, behind] = split(std::move(tree->left), name);
  tree->left = std::move(behind);
  return {std::move(before), std::move(tree)};
}

/// Both, where the names of `left` are before those of `right`.
Bindings::Tree Bindings::joined(Tree left, Tree right) {
  if (!left || !right)
    return left ? left : right;
  if (isAbove(*left, *right)) {
    own(left);
    left->right = joined(std::move(left->right), std::move(right));
    return left;
  }
  own(right);
  right->left = joined(std::move(left), std::move(right->left));
  return right;
}

PyValue &Bindings::operator[](const std::string &name) {
  Tree made;
  if (!lookUp(name)) {
    made = llvm::makeIntrusiveRefCnt<Node>();
    made->name = llvm::makeIntrusiveRefCnt<Name>(name);
  }
  Tree *at = &root;
  while (*at && (!made || isAbove(**at, *made))) {
    own(*at);
    int order = StringRef(name).compare((*at)->name->text);
    if (order == 0)
      return (*at)->value;
    at = order < 0 ? &(*at)->left : &(*at)->right;
  }
  std::tie(made->left, made->right) = split(std::move(*at), name);
  *at = std::move(made);
  return (*at)->value;
}

void Bindings::erase(StringRef name) {
  if (!lookUp(name))
    return;
  Tree *at = &root;
  while (true) {
    int order = name.compare((*at)->name->text);
    if (order == 0)
      break;
    own(*at);
    at = order < 0 ? &(*at)->left : &(*at)->right;
  }
  *at = joined((*at)->left, (*at)->right);
}

void Bindings::update(llvm::function_ref<bool(const PyValue &)> isChanged,
                      llvm::function_ref<PyValue(const PyValue &)> change) {
  std::vector<std::string> names;
  for (const auto &[name, value] : *this)
    if (isChanged(value))
      names.push_back(name);
  for (const std::string &name : names) {
    PyValue changed = change(at(name));
    (*this)[name] = std::move(changed);
  }
}

Bindings Bindings::between(StringRef first, StringRef last) const {
  Bindings part;
  part.root = split(split(root, last).first, first).second;
  return part;
}

void Bindings::takeBetween(StringRef first, StringRef last, const Bindings &from) {
  auto [before, others] = split(std::move(root), first);
  Tree behind = split(std::move(others), last).second;
  root = joined(joined(std::move(before), from.between(first, last).root), std::move(behind));
}

//===---- Comparing ----===//

void Bindings::findDifferent(const Node *left, const Node *right, llvm::function_ref<void(const std::string &)> use) {
  if (left == right)
    return;
  if (left && right && (left->name == right->name || left->name->text == right->name->text)) {
    findDifferent(left->left.get(), right->left.get(), use);
    if (!(left->value == right->value))
      use(left->name->text);
    return findDifferent(left->right.get(), right->right.get(), use);
  }
  // Below here one has names that the other has not: few as a rule.
  const_iterator mine, other, none;
  mine.goDown(left);
  other.goDown(right);
  while (mine != none || other != none) {
    int order = mine == none ? 1 : other == none ? -1 : StringRef(mine->first).compare(other->first);
    if (order != 0 || !(mine->second == other->second))
      use(order <= 0 ? mine->first : other->first);
    if (order <= 0)
      ++mine;
    if (order >= 0)
      ++other;
  }
}

void Bindings::findDifferent(const Bindings &left, const Bindings &right,
                             llvm::function_ref<void(const std::string &)> use) {
  findDifferent(left.root.get(), right.root.get(), use);
}

} // namespace npcc::frontend
