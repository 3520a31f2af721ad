#include "compiler/explain/Quantity.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {

//===---- Texts ----===//

Quantity Quantity::atMost() const {
  Quantity copy = *this;
  copy.isMost = true;
  return copy;
}

Quantity Quantity::like(const Quantity &a, const Quantity &b) && {
  isMost = a.isMost || b.isMost;
  return std::move(*this);
}

/// The text without a constant that is added to it, and that constant.
std::pair<std::string, int64_t> Quantity::getOffset() const {
  if (number)
    return {"", *number};
  if (binding != Sum)
    return {text, 0};
  size_t space = text.rfind(' ');
  int64_t offset;
  if (space == std::string::npos || space < 2 || StringRef(text).drop_front(space + 1).getAsInteger(10, offset))
    return {text, 0};
  char sign = text[space - 1];
  if (sign != '+' && sign != '-')
    return {text, 0};
  return {text.substr(0, space - 2), sign == '-' ? -offset : offset};
}

/// A name or a call: nothing to put into parentheses.
static bool isAtom(StringRef text) {
  int depth = 0;
  for (char letter : text) {
    depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    if (letter == ' ' && depth == 0)
      return false;
  }
  return true;
}

/// An array's extent, which is not negative.
static bool isExtent(StringRef text) { return text.ends_with("]") && isAtom(text); }

Quantity Quantity::withOffset(const Quantity &base, int64_t offset) {
  auto [text, own] = base.getOffset();
  offset += own;
  if (text.empty())
    return Quantity(offset);
  if (offset == own)
    return base;
  std::string sign = offset < 0 ? " - " : " + ";
  Quantity sum = offset == 0 ? Quantity(text, isAtom(text) ? Atom : Sum)
                             : Quantity((own ? text : base.inside(Sum)) + sign + std::to_string(std::abs(offset)), Sum);
  if (base.least)
    sum.least = std::make_shared<Quantity>(withOffset(*base.least, offset - own));
  return sum;
}

Quantity operator+(const Quantity &a, const Quantity &b) {
  if (b.number)
    return Quantity::withOffset(a, *b.number).like(a, b);
  if (a.number)
    return Quantity::withOffset(b, *a.number).like(a, b);
  if (a.text == b.text)
    return Quantity(2) * a;
  return Quantity(a.inside(Quantity::Sum) + " + " + b.inside(Quantity::Sum), Quantity::Sum).like(a, b);
}

Quantity operator-(const Quantity &a, const Quantity &b) {
  if (b.number)
    return Quantity::withOffset(a, -*b.number).like(a, b);
  auto [left, own] = a.getOffset();
  auto [right, other] = b.getOffset();
  if (left == right)
    return Quantity(own - other).like(a, b);
  return Quantity(a.inside(Quantity::Sum) + " - " + b.inside(Quantity::Product), Quantity::Sum).like(a, b);
}

Quantity operator*(const Quantity &a, const Quantity &b) {
  if (a.number && b.number)
    return Quantity(*a.number * *b.number).like(a, b);
  if (a.number == 0 || b.number == 0)
    return Quantity(0);
  if (a.number == 1)
    return Quantity(b).like(a, b);
  if (b.number == 1)
    return Quantity(a).like(a, b);
  if (b.number) // numbers first
    return b * a;
  // 8 * (4 * n)
  if (a.number && b.binding == Quantity::Product) {
    auto [first, rest] = StringRef(b.text).split(" * ");
    int64_t factor;
    if (!rest.empty() && !first.getAsInteger(10, factor))
      return Quantity(std::to_string(*a.number * factor) + " * " + rest.str(), Quantity::Product).like(a, b);
  }
  return Quantity(a.inside(Quantity::Product) + " * " + b.inside(Quantity::Product), Quantity::Product).like(a, b);
}

Quantity max(const Quantity &a, const Quantity &b) {
  if (a.number && b.number)
    return Quantity(std::max(*a.number, *b.number)).like(a, b);
  auto [left, own] = a.getOffset();
  auto [right, other] = b.getOffset();
  if (left == right)
    return own > other ? a : b;
  if (b.number && *b.number <= 0 && isExtent(a.text))
    return a;
  // max(max(n, 0), 1)
  if (b.number && *b.number >= 0 && a.least && a.text == "max(" + a.least->text + ", 0)")
    return *b.number ? max(*a.least, b).like(a, b) : a;
  Quantity most = Quantity("max(" + a.text + ", " + b.text + ")", Quantity::Atom).like(a, b);
  most.least = std::make_shared<Quantity>(a);
  return most;
}

Quantity min(const Quantity &a, const Quantity &b) {
  if (a.number && b.number)
    return Quantity(std::min(*a.number, *b.number)).like(a, b);
  auto [left, own] = a.getOffset();
  auto [right, other] = b.getOffset();
  if (left == right)
    return own < other ? a : b;
  if (a.least && a.least->text == b.text) // min(max(n, 2), n)
    return b;
  if (StringRef(a.text).starts_with("min(") && isAtom(a.text) && StringRef(a.text).ends_with(", " + b.text + ")"))
    return a; // min(min(k, n), n)
  // min(max(n - 2, 0), n)
  if (a.least && isExtent(b.text) && a.text == "max(" + a.least->text + ", 0)")
    if (auto [base, offset] = a.least->getOffset(); base == b.text && offset <= 0)
      return a;
  return Quantity("min(" + a.text + ", " + b.text + ")", Quantity::Atom).like(a, b);
}

static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

Quantity divide(const Quantity &a, const Quantity &b) {
  if (b.number == 1)
    return a;
  if (a.number && b.number && *b.number)
    return Quantity(floorDivide(*a.number, *b.number)).like(a, b);
  return Quantity(a.inside(Quantity::Product) + " // " + b.inside(Quantity::Atom), Quantity::Quotient).like(a, b);
}

Quantity remainder(const Quantity &a, const Quantity &b) {
  if (a.number && b.number && *b.number)
    return Quantity(*a.number - floorDivide(*a.number, *b.number) * *b.number).like(a, b);
  return Quantity(a.inside(Quantity::Product) + " % " + b.inside(Quantity::Atom), Quantity::Quotient).like(a, b);
}

Quantity Quantity::choose(const Quantity &condition, const Quantity &a, const Quantity &b) {
  if (condition.number)
    return *condition.number ? a : b;
  if (a.text == b.text)
    return a;
  // All conditions that the compiler makes of true and false: what holds, and where it does not.
  if (a.number == 1 && b.number == 0)
    return condition;
  return Quantity(a.inside(Comparison) + " if " + condition.inside(Comparison) + " else " + b.inside(Comparison), Loose)
      .like(a, b);
}

Quantity Quantity::compare(const Quantity &a, StringRef comparison, const Quantity &b) {
  Binding inner = comparison == "and" || comparison == "or" ? Comparison : Sum;
  return Quantity(a.inside(inner) + " " + comparison.str() + " " + b.inside(inner),
                  comparison == "and" || comparison == "or" ? Loose : Comparison);
}

Quantity getCount(const Quantity &lower, const Quantity &upper, const Quantity &step) {
  Quantity span = upper - lower;
  return max(step.getNumber() == 1 ? span : divide(span + step - Quantity(1), step), 0);
}

// Characters of a number without a name. Numbers of alternatives are made of each other, and texts would grow without
// bound.
constexpr size_t mostText = 100;

//===---- Values ----===//

Quantity Quantities::of(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return Quantity(value.getType().isInteger(1) ? int64_t(constant.getBoolValue()) : constant.getSExtValue());
  return find(value);
}

Quantity Quantities::find(Value value) {
  if (auto known = names.find(value); known != names.end())
    return known->second;
  Quantity found = findNew(value);
  if (found.getText().size() > mostText)
    found = makeNamed(value, found.getText());
  names.insert({value, found});
  return found;
}

Quantity Quantities::makeNamed(Value value, std::string text) {
  named.push_back({"n" + std::to_string(named.size() + 1), std::move(text), value.getLoc()});
  return Quantity::named(named.back().name);
}

/// The name of an argument of the function.
static std::optional<std::string> getName(BlockArgument argument) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function)
    return std::nullopt;
  auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "np.name");
  return name && !name.empty() ? name.str() : "argument" + std::to_string(argument.getArgNumber());
}

Quantity Quantities::ofExtent(Value memref, int64_t axis) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(axis))
    return Quantity(type.getDimSize(axis));
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    if (std::optional<std::string> name = getName(argument))
      return Quantity::named(*name + ".shape[" + std::to_string(axis) + "]");
    // What a loop carries begins as this; its extents seldom change.
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument != loop.getInductionVar())
      return ofExtent(loop.getInitArgs()[argument.getArgNumber() - 1], axis);
    auto conditional = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp());
    if (conditional && argument.getArgNumber() < conditional.getInits().size() &&
        conditional.getInits()[argument.getArgNumber()].getType() == type)
      return ofExtent(conditional.getInits()[argument.getArgNumber()], axis);
    return makeUnknown(memref);
  }
  Operation *op = memref.getDefiningOp();
  unsigned number = cast<OpResult>(memref).getResultNumber();
  if (auto alloc = dyn_cast<np::AllocOp>(op))
    return of(alloc.getExtents()[type.getDynamicDimIndex(axis)]);
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(op)) {
    OpFoldResult size = view.getMixedSizes()[axis];
    return isa<Attribute>(size) ? Quantity(*getConstantIntValue(size)) : of(cast<Value>(size));
  }
  if (isa<memref::CastOp, np::RebaseOp>(op))
    return ofExtent(op->getOperand(0), axis);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return ofExtent(loop.getInitArgs()[number], axis);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return ofExtent(branch.thenYield().getOperand(number), axis);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return ofExtent(select.getTrueValue(), axis);
  if (auto reshape = dyn_cast<np::CallReshapeOp>(op))
    return of(reshape.getExtents()[axis]);
  return makeUnknown(memref);
}

static StringRef getComparison(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return "==";
  case P::ne:
    return "!=";
  case P::slt:
  case P::ult:
    return "<";
  case P::sle:
  case P::ule:
    return "<=";
  case P::sgt:
  case P::ugt:
    return ">";
  case P::sge:
  case P::uge:
    return ">=";
  }
  llvm_unreachable("a comparison");
}

Quantity Quantities::findNew(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    std::optional<std::string> name = getName(argument);
    return name ? Quantity::named(*name) : makeUnknown(value);
  }
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<memref::DimOp>(op); dim && dim.getConstantIndex())
    return ofExtent(dim.getSource(), *dim.getConstantIndex());
  if (auto meet = dyn_cast<np::BroadcastExtentOp>(op))
    return max(of(meet.getLhs()), of(meet.getRhs()));
  if (isa<arith::IndexCastOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, np::ChoiceOp, np::CheckIndexOp>(op))
    return of(op->getOperand(0));
  if (auto zeros = dyn_cast<math::CountLeadingZerosOp>(op)) {
    int64_t width = value.getType().isIndex() ? 64 : value.getType().getIntOrFloatBitWidth();
    return Quantity::named("(" + std::to_string(width) + " - (" + of(zeros.getOperand()).getText() + ").bit_length())");
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return Quantity::choose(of(select.getCondition()), of(select.getTrueValue()), of(select.getFalseValue()));
  if (op->getNumOperands() != 2 || op->getNumRegions())
    return makeUnknown(value);
  Quantity a = of(op->getOperand(0)), b = of(op->getOperand(1));
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return Quantity::compare(a, getComparison(compare.getPredicate()), b);
  if (isa<arith::AddIOp>(op))
    return a + b;
  if (isa<arith::SubIOp>(op))
    return a - b;
  if (isa<arith::MulIOp>(op))
    return a * b;
  if (isa<arith::MaxSIOp>(op))
    return max(a, b);
  if (isa<arith::MinSIOp>(op))
    return min(a, b);
  if (isa<arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp>(op))
    return divide(a, b);
  if (isa<arith::CeilDivSIOp>(op))
    return divide(a + b - Quantity(1), b);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return remainder(a, b);
  if (isa<arith::AndIOp>(op) && value.getType().isInteger(1))
    return Quantity::compare(a, "and", b);
  if (isa<arith::OrIOp>(op) && value.getType().isInteger(1))
    return Quantity::compare(a, "or", b);
  return makeUnknown(value);
}

Quantity Quantities::bound(Value value, Operation *kernel, bool most) {
  if (!kernel->isAncestor(value.getParentRegion()->getParentOp()))
    return of(value);
  if (APInt constant; matchPattern(value, m_ConstantInt(&constant)))
    return Quantity(constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    Value extent;
    if (auto own = dyn_cast<np::KernelOp>(owner))
      extent = own.getExtents()[argument.getArgNumber()];
    else if (auto inner = dyn_cast<scf::ParallelOp>(owner); inner && argument.getArgNumber() < inner.getNumLoops())
      extent = inner.getUpperBound()[argument.getArgNumber()];
    else if (auto inner = dyn_cast<scf::ForOp>(owner); inner && argument == inner.getInductionVar()) {
      if (!most)
        return bound(inner.getLowerBound(), kernel, false);
      extent = inner.getUpperBound();
    } else if (auto fold = dyn_cast<np::FoldOp>(owner);
               fold && (argument == fold.getPosition() || argument == fold.getEachPosition()))
      extent = fold.getExtent();
    if (!extent)
      return makeUnknown(value);
    return most ? (bound(extent, kernel, true) - 1).atMost() : Quantity(0).atMost();
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::IndexCastOp, np::ChoiceOp, np::CheckIndexOp>(op))
    return bound(op->getOperand(0), kernel, most);
  if (isa<arith::AddIOp>(op))
    return bound(op->getOperand(0), kernel, most) + bound(op->getOperand(1), kernel, most);
  if (isa<arith::SubIOp>(op))
    return bound(op->getOperand(0), kernel, most) - bound(op->getOperand(1), kernel, !most);
  if (isa<arith::MulIOp>(op)) // positions and extents are not negative
    return bound(op->getOperand(0), kernel, most) * bound(op->getOperand(1), kernel, most);
  // Divisors are positive. The number of iterations from a position on is such a quotient.
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op))
    return divide(bound(op->getOperand(0), kernel, most), bound(op->getOperand(1), kernel, !most));
  if (isa<arith::CeilDivSIOp>(op)) {
    Quantity divisor = bound(op->getOperand(1), kernel, !most);
    return divide(bound(op->getOperand(0), kernel, most) + divisor - 1, divisor);
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Quantity yes = bound(select.getTrueValue(), kernel, most), no = bound(select.getFalseValue(), kernel, most);
    return most ? max(yes, no) : min(yes, no);
  }
  if (isa<arith::MaxSIOp>(op))
    return max(bound(op->getOperand(0), kernel, most), bound(op->getOperand(1), kernel, most));
  if (isa<arith::MinSIOp>(op))
    return min(bound(op->getOperand(0), kernel, most), bound(op->getOperand(1), kernel, most));
  return find(value).atMost();
}

} // namespace npcc
