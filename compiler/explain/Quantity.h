#ifndef NPCC_COMPILER_EXPLAIN_QUANTITY_H
#define NPCC_COMPILER_EXPLAIN_QUANTITY_H
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <optional>
#include <string>

namespace npcc {

/// A number of the program as an expression in Python of its arguments: "u.shape[0] - 2". Constants are folded.
/// `isMost` says that the number may also be less.
class Quantity {
public:
  Quantity(int64_t number) : number(number), text(std::to_string(number)), binding(number < 0 ? Sum : Atom) {}
  /// A name or a call.
  static Quantity named(std::string text) { return Quantity(std::move(text), Atom); }

  const std::string &getText() const { return text; }
  std::optional<int64_t> getNumber() const { return number; }
  bool isMost = false;
  Quantity atMost() const;

  friend Quantity operator+(const Quantity &a, const Quantity &b);
  friend Quantity operator-(const Quantity &a, const Quantity &b);
  friend Quantity operator*(const Quantity &a, const Quantity &b);
  friend Quantity max(const Quantity &a, const Quantity &b);
  friend Quantity min(const Quantity &a, const Quantity &b);
  /// Rounded down, for a positive divisor.
  friend Quantity divide(const Quantity &a, const Quantity &b);
  friend Quantity remainder(const Quantity &a, const Quantity &b);
  /// "a if condition else b", "a == b" and so on: texts of their own.
  static Quantity choose(const Quantity &condition, const Quantity &a, const Quantity &b);
  static Quantity compare(const Quantity &a, llvm::StringRef comparison, const Quantity &b);

private:
  // How strongly the text's outermost operator binds. A quotient is rounded, so in a product it has parentheses.
  enum Binding { Loose, Comparison, Sum, Quotient, Product, Atom };
  Quantity(std::string text, Binding binding) : text(std::move(text)), binding(binding) {}
  std::string inside(Binding around) const { return binding < around ? "(" + text + ")" : text; }
  Quantity like(const Quantity &a, const Quantity &b) &&;

  std::optional<int64_t> number;
  std::string text;
  Binding binding;
  std::shared_ptr<const Quantity> least;             // what the number is never less than, of a max()
  std::pair<std::string, int64_t> getOffset() const; // "n - 2": "n" and -2
  static Quantity withOffset(const Quantity &base, int64_t offset);
};

/// What the values of a function are called.
class Quantities {
public:
  Quantity of(mlir::Value value);
  /// Of the memref's axis.
  Quantity ofExtent(mlir::Value memref, int64_t axis);
  /// What the value is at most (at least) for all positions of the kernel and of the loops in it.
  Quantity bound(mlir::Value value, mlir::Operation *kernel, bool most = true);
  /// A name for the position of a loop of the host.
  void name(mlir::Value position, std::string text) { names.insert({position, Quantity::named(std::move(text))}); }
  /// A number with a name of its own: one that only a run knows (no text), or one whose text is long.
  struct Named {
    std::string name, text;
    mlir::Location loc;
  };
  const std::vector<Named> &getNamed() const { return named; }

private:
  Quantity find(mlir::Value value);
  Quantity findNew(mlir::Value value);
  Quantity makeNamed(mlir::Value value, std::string text = "");
  Quantity makeUnknown(mlir::Value value) { return makeNamed(value); }

  llvm::DenseMap<mlir::Value, Quantity> names;
  std::vector<Named> named;
};

/// How many iterations a loop from `lower` to below `upper` has.
Quantity getCount(const Quantity &lower, const Quantity &upper, const Quantity &step);

} // namespace npcc
#endif
