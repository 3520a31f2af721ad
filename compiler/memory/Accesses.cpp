#include "compiler/memory/Accesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {

std::pair<Value, ValueRange> getAccess(Operation *access) {
  if (auto load = dyn_cast<memref::LoadOp>(access))
    return {load.getMemRef(), load.getIndices()};
  auto store = cast<memref::StoreOp>(access);
  return {store.getMemRef(), store.getIndices()};
}

bool isInvariant(Value value, Operation *kernel) {
  Operation *owner = value.getParentRegion()->getParentOp();
  return !kernel->isAncestor(owner);
}

bool isLoopPosition(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  Operation *owner = argument.getOwner()->getParentOp();
  if (isa<np::KernelOp>(owner))
    return true;
  if (auto fold = dyn_cast<np::FoldOp>(owner))
    return value == fold.getPosition() || value == fold.getEachPosition();
  if (auto parallel = dyn_cast<scf::ParallelOp>(owner))
    return argument.getArgNumber() < parallel.getNumLoops();
  if (auto loop = dyn_cast<scf::ForOp>(owner))
    return value == loop.getInductionVar();
  return false;
}

std::optional<int64_t> getLeastStart(scf::ForOp loop) {
  APInt first;
  if (matchPattern(loop.getLowerBound(), m_ConstantInt(&first)))
    return first.getSExtValue();
  auto argument = dyn_cast<BlockArgument>(loop.getLowerBound());
  auto outer = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return outer && argument == outer.getInductionVar() ? getLeastStart(outer) : std::nullopt;
}

static void addTerm(LinearForm &form, Term term) {
  for (Term &known : form.terms)
    if (known.leaf == term.leaf && known.scale == term.scale && known.kind == term.kind) {
      known.factor += term.factor;
      llvm::erase_if(form.terms, [](const Term &t) { return t.factor == 0; });
      return;
    }
  form.terms.push_back(term);
}

void addScaled(LinearForm &form, const LinearForm &addend, int64_t factor) {
  form.constant += factor * addend.constant;
  for (Term term : addend.terms) {
    term.factor *= factor;
    addTerm(form, term);
  }
}

static bool isPosition(Type type) { return type.isIndex() || type.isSignlessInteger(64); }

/// The position of a fold has two names, in the code that makes elements and in the code beside totals.
static Value getLeaf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto fold = argument ? dyn_cast<np::FoldOp>(argument.getOwner()->getParentOp()) : np::FoldOp();
  return fold && argument == fold.getEachPosition() ? fold.getPosition() : value;
}

std::optional<int64_t> getDistance(const LinearForm &a, const LinearForm &b) {
  bool isSame = a.terms.size() == b.terms.size() &&
                llvm::all_of(a.terms, [&](const Term &term) { return llvm::is_contained(b.terms, term); });
  return isSame ? std::optional(b.constant - a.constant) : std::nullopt;
}

LinearForm getLinearForm(Value index, Operation *kernel) {
  LinearForm form;
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant))) {
    form.constant = constant.getSExtValue();
    return form;
  }
  if (!isInvariant(index, kernel)) {
    if (auto add = index.getDefiningOp<arith::AddIOp>()) {
      addScaled(form, getLinearForm(add.getLhs(), kernel), 1);
      addScaled(form, getLinearForm(add.getRhs(), kernel), 1);
      return form;
    }
    if (auto sub = index.getDefiningOp<arith::SubIOp>()) {
      addScaled(form, getLinearForm(sub.getLhs(), kernel), 1);
      addScaled(form, getLinearForm(sub.getRhs(), kernel), -1);
      return form;
    }
    // Python's integers are positions of 64 bits, as long as what they are made of is the program's positions again.
    if (auto cast = index.getDefiningOp<arith::IndexCastOp>();
        cast && isPosition(cast.getIn().getType()) && isPosition(cast.getType())) {
      LinearForm inner = getLinearForm(cast.getIn(), kernel);
      if (llvm::all_of(inner.terms, [](const Term &term) {
            return term.leaf.getType().isIndex() && (!term.scale || term.scale.getType().isIndex());
          }))
        return inner;
    }
    // An axis that may be broadcast: position 0 if it is.
    auto select = index.getDefiningOp<arith::SelectOp>();
    if (select && isInvariant(select.getCondition(), kernel)) {
      bool isZeroIfTrue = matchPattern(select.getTrueValue(), m_Zero()),
           isZeroIfFalse = matchPattern(select.getFalseValue(), m_Zero());
      LinearForm moved = getLinearForm(isZeroIfTrue ? select.getFalseValue() : select.getTrueValue(), kernel);
      bool isSimple = moved.constant == 0 && llvm::all_of(moved.terms, [](const Term &t) { return !t.scale; });
      if (isZeroIfTrue != isZeroIfFalse && isSimple) {
        for (const Term &term : moved.terms)
          addTerm(form,
                  {term.leaf, select.getCondition(), term.factor, isZeroIfTrue ? Term::OneIfFalse : Term::OneIfTrue});
        return form;
      }
    }
    if (auto multiply = index.getDefiningOp<arith::MulIOp>()) {
      LinearForm lhs = getLinearForm(multiply.getLhs(), kernel), rhs = getLinearForm(multiply.getRhs(), kernel);
      if (lhs.terms.empty())
        std::swap(lhs, rhs);
      if (rhs.terms.empty()) {
        addScaled(form, lhs, rhs.constant);
        return form;
      }
      // A position times the step of a slice. Only the simple forms: one position, one value from outside.
      if (isInvariant(multiply.getLhs(), kernel))
        std::swap(lhs, rhs);
      Value scale = isInvariant(multiply.getLhs(), kernel) ? multiply.getLhs() : multiply.getRhs();
      if (isInvariant(scale, kernel) && llvm::all_of(lhs.terms, [](const Term &t) { return !t.scale; })) {
        for (Term term : lhs.terms)
          addTerm(form, {term.leaf, scale, term.factor, Term::Number});
        if (lhs.constant)
          addTerm(form, {scale, Value(), lhs.constant, Term::Number});
        return form;
      }
    }
  }
  form.terms.push_back({getLeaf(index), Value(), 1, Term::Number});
  return form;
}

int64_t Stream::getUnitAxis(Value leaf) const {
  int64_t found = -1;
  for (auto [axis, axisTerms] : llvm::enumerate(terms))
    for (const Term &term : axisTerms)
      if (term.leaf == leaf) {
        if (found >= 0 || (term.scale && !term.isSwitch()) || term.factor != 1 || int64_t(axis) + 1 != getRank())
          return -1;
        found = axis;
      }
  return found;
}

bool Stream::isStaticallyUnit() const {
  auto [strides, offset] = getType().getStridesAndOffset();
  return !strides.empty() && strides.back() == 1;
}

bool Stream::uses(Value leaf) const {
  return llvm::any_of(
      terms, [&](auto &axisTerms) { return llvm::any_of(axisTerms, [&](const Term &t) { return t.leaf == leaf; }); });
}

static bool haveSameTerms(ArrayRef<SmallVector<Term, 2>> left, ArrayRef<SmallVector<Term, 2>> right) {
  for (auto [a, b] : llvm::zip_equal(left, right))
    if (a.size() != b.size() || !llvm::all_of(a, [&](const Term &term) { return llvm::is_contained(b, term); }))
      return false;
  return true;
}

/// Whether the array is the own one of a team of threads, in shared memory: no pointer of the host's.
static bool isOfTeam(Value memref) {
  return isa_and_nonnull<gpu::AddressSpaceAttr>(cast<MemRefType>(memref.getType()).getMemorySpace());
}

KernelAccesses::KernelAccesses(Operation *kernel) {
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Value memref;
    ValueRange indices;
    bool isStore = false;
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      memref = load.getMemref();
      indices = load.getIndices();
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      memref = store.getMemref();
      indices = store.getIndices();
      isStore = true;
    } else if (auto update = dyn_cast<memref::AtomicRMWOp>(op)) {
      memref = update.getMemref();
      indices = update.getIndices();
      isStore = true;
    } else {
      return;
    }
    if (isOfTeam(memref))
      return;
    if (!isInvariant(memref, kernel)) {
      unsupported = op;
      return;
    }
    SmallVector<SmallVector<Term, 2>> terms;
    SmallVector<int64_t> constants;
    for (Value index : indices) {
      LinearForm form = getLinearForm(index, kernel);
      terms.push_back(form.terms);
      constants.push_back(form.constant);
    }
    Stream *stream = nullptr;
    for (Stream &known : streams)
      if (known.memref == memref && haveSameTerms(known.terms, terms))
        stream = &known;
    if (!stream) {
      streams.push_back(Stream{unsigned(streams.size()), memref, terms});
      stream = &streams.back();
    }
    (isStore ? stream->stored : stream->loaded) = true;
    accesses[op] = KernelAccess{op, stream, constants, isStore};
    order.push_back(op);
  });
}

/// A kernel rarely reads more vectors than these beside a matrix.
constexpr int64_t vectorsPerMatrix = 64;
/// The most columns that are few: a warp is several times as wide.
constexpr uint64_t fewColumns = 8;

/// The axis along which `leaf` moves an access, and its term there; no term where it moves none, or is in several.
static std::pair<int64_t, const Term *> findOnlyTerm(const Stream &stream, Value leaf) {
  std::pair<int64_t, const Term *> found{-1, nullptr};
  for (auto [axis, axisTerms] : llvm::enumerate(stream.terms))
    for (const Term &term : axisTerms)
      if (term.leaf == leaf) {
        if (found.second)
          return {-1, nullptr};
        found = {axis, &term};
      }
  return found;
}

/// Whether `near` moves an access less far than `far` does: along an axis further inside, or in smaller steps along the
/// same one.
static bool movesLess(const Stream &stream, Value near, Value far) {
  auto isStep = [](const Term *term) { return term->scale && !term->isSwitch(); };
  auto [nearAxis, nearTerm] = findOnlyTerm(stream, near);
  auto [farAxis, farTerm] = findOnlyTerm(stream, far);
  if (!nearTerm || !farTerm || isStep(nearTerm))
    return false;
  return nearAxis > farAxis ||
         (nearAxis == farAxis && (isStep(farTerm) || std::abs(farTerm->factor) > std::abs(nearTerm->factor)));
}

Directions getDirections(np::KernelOp kernel, const KernelAccesses &accesses) {
  Directions directions;
  kernel.getBody()->walk([&](scf::ParallelOp loop) {
    if (loop->getParentOfType<scf::ParallelOp>())
      return; // sequential in any case
    for (Operation *op : accesses.getOps()) {
      if (!loop->isAncestor(op))
        continue;
      const Stream &stream = *accesses.lookup(op).stream;
      Value column = kernel.getInductionVars().back();
      bool isAlong = stream.getUnitAxis(loop.getInductionVars().back()) >= 0,
           isAcross = stream.getUnitAxis(column) >= 0;
      // A window that slides: neighbours' lines are the same elements but for one, so what they load together is a
      // vector.
      bool isWindow = isAlong && isAcross;
      // Neither moves by one element where a line's elements are a few numbers each (points in space): the one that
      // steps over fewer does.
      Value position = loop.getInductionVars().back();
      if (!isAlong && !isAcross) {
        isAlong = movesLess(stream, position, column);
        isAcross = movesLess(stream, column, position);
      }
      // What the last of the kernel's positions and the loop's move (a matrix) is much more memory than what one of
      // them moves.
      bool isLarge = llvm::any_of(loop.getInductionVars(), [&](Value position) { return stream.uses(position); }) &&
                     stream.uses(column);
      int64_t weight = isLarge && !isWindow ? vectorsPerMatrix : 1;
      directions.along += isAlong && !isWindow ? weight : 0;
      directions.across += isAcross ? weight : 0;
    }
  });
  // Few columns: hardly any neighbours load neighbours, and where a line is contiguous too (a matrix of distances
  // beside points of the plane), more threads can go along it than there are columns.
  APInt columns;
  if (!kernel.getExtents().empty() && matchPattern(kernel.getExtents().back(), m_ConstantInt(&columns)) &&
      columns.ule(fewColumns) && directions.along)
    directions.across = 0;
  return directions;
}

} // namespace npcc
