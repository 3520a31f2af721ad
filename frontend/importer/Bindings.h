#ifndef NPCC_FRONTEND_IMPORTER_BINDINGS_H
#define NPCC_FRONTEND_IMPORTER_BINDINGS_H
// What names are bound to, in the order of the names. A branch, a loop and a call each keep the names as they were, and
// most of these are the same afterwards: so copies share what is the same in both. A copy costs nothing, and where
// control flow meets, only what differs is looked at.
//
// It is a treap: a search tree by the names, and a heap by their hashes. So the form of the tree depends on its names
// alone, and two maps of the same names can be compared node by node.
#include "frontend/importer/PyValue.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace npcc::frontend {

class Bindings {
  struct Name : llvm::RefCountedBase<Name> {
    explicit Name(const std::string &text) : text(text), hash(std::hash<std::string>()(text)) {}
    std::string text;
    size_t hash;
  };
  struct Node;
  using Tree = llvm::IntrusiveRefCntPtr<Node>;
  struct Node : llvm::RefCountedBase<Node> {
    llvm::IntrusiveRefCntPtr<Name> name;
    PyValue value;
    Tree left, right;
  };

public:
  struct Entry {
    const std::string &first;
    const PyValue &second;
  };

  class const_iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entry *;
    using reference = Entry;

    Entry operator*() const { return {open.back()->name->text, open.back()->value}; }
    struct Arrow {
      Entry entry;
      const Entry *operator->() const { return &entry; }
    };
    Arrow operator->() const { return {**this}; }
    const_iterator &operator++();
    bool operator==(const const_iterator &other) const {
      return (open.empty() ? nullptr : open.back()) == (other.open.empty() ? nullptr : other.open.back());
    }
    bool operator!=(const const_iterator &other) const { return !(*this == other); }

  private:
    friend class Bindings;
    void goDown(const Node *node);
    llvm::SmallVector<const Node *, 24> open; // the node and those above it that come later
  };

  const_iterator begin() const;
  const_iterator end() const { return {}; }
  const_iterator find(llvm::StringRef name) const;
  /// The first name that is not before this one.
  const_iterator lower_bound(llvm::StringRef name) const;
  size_t count(llvm::StringRef name) const { return lookUp(name) != nullptr; }
  const PyValue &at(llvm::StringRef name) const { return lookUp(name)->value; }
  /// What a name is bound to, null if it is not.
  const PyValue *get(llvm::StringRef name) const;

  /// To be used at once: what is done to a copy, or to another name, may move it.
  PyValue &operator[](const std::string &name);
  void erase(llvm::StringRef name);
  /// Binds each name to what `change` makes of it, where that says that there is something to change.
  void update(llvm::function_ref<bool(const PyValue &)> isChanged, llvm::function_ref<PyValue(const PyValue &)> change);

  /// The names from `first` on that are before `last`.
  Bindings between(llvm::StringRef first, llvm::StringRef last) const;
  /// Takes these names' bindings from another map, and forgets its own of them.
  void takeBetween(llvm::StringRef first, llvm::StringRef last, const Bindings &from);
  /// The names that are bound in one of both only, or to something else in each, in order.
  static void findDifferent(const Bindings &left, const Bindings &right,
                            llvm::function_ref<void(const std::string &)> use);

private:
  const Node *lookUp(llvm::StringRef name) const;
  static bool isAbove(const Node &one, const Node &other);
  static void own(Tree &tree);
  static std::pair<Tree, Tree> split(Tree tree, llvm::StringRef name);
  static Tree joined(Tree left, Tree right);
  static void findDifferent(const Node *left, const Node *right, llvm::function_ref<void(const std::string &)> use);

  Tree root;
};

} // namespace npcc::frontend
#endif
