// Whether two arrays share memory: what the importer knows of the arrays that they are views of.
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

/// The array that this one is a view of.
Value rootOf(Value array) {
  while (Operation *producer = array.getDefiningOp()) {
    if (!isa<np::ViewOp, np::ReshapeOp, np::PartOp>(producer))
      break;
    array = producer->getOperand(0);
  }
  return array;
}

bool isNew(Value root) { return isa_and_nonnull<np::NewOp, np::EmptyOp>(root.getDefiningOp()); }

/// The positions in the root's memory from the first to the last one that an array's elements have, and how many
/// elements there are.
struct Reach {
  Value first, last, count;
};
Reach reachOf(Interpreter &in, Value array, const Placement &placement) {
  NpBuilder &b = in.ir;
  Reach reach{placement.offset, placement.offset, b.size(array)};
  Value zero = b.index(0), one = b.index(1);
  for (auto [extent, stride] : llvm::zip(b.dims(array), placement.strides)) {
    Value way = b.createOrFold<arith::MulIOp>(b.createOrFold<arith::SubIOp>(extent, one), stride);
    reach.first = b.createOrFold<arith::AddIOp>(reach.first, b.createOrFold<arith::MinSIOp>(way, zero));
    reach.last = b.createOrFold<arith::AddIOp>(reach.last, b.createOrFold<arith::MaxSIOp>(way, zero));
  }
  return reach;
}

PyValue emit(Interpreter &in, Arguments &args, bool isExact) {
  NpBuilder &b = in.ir;
  auto no = [] { return PyValue::object(py::boolean(false)); };
  for (const char *name : {"a", "b"})
    if (args[name].isPoison())
      return PyValue::poison();
  // What is no array yet has memory of its own.
  if (!args["a"].arrayType() || !args["b"].arrayType())
    return no();
  Value left = args["a"].ir(), right = args["b"].ir(), root = rootOf(left), other = rootOf(right);
  if (root != other) {
    bool isOther =
        (isNew(root) && (isNew(other) || isa<BlockArgument>(other))) || (isNew(other) && isa<BlockArgument>(root));
    return isOther ? no()
                   : in.fail("whether these arrays share memory is not known at compile time",
                             "ask before the call, and pass the answer");
  }
  std::optional<Placement> mine = placementOf(in, left), theirs = placementOf(in, right);
  if (!mine || !theirs || mine->root != theirs->root)
    return in.fail("whether these views of one array share memory is not known at compile time");
  Reach a = reachOf(in, left, *mine), c = reachOf(in, right, *theirs);
  Value zero = b.index(0), one = b.index(1);
  auto all = [&](ArrayRef<Value> conditions) {
    Value result = conditions.front();
    for (Value condition : conditions.drop_front())
      result = b.createOrFold<arith::AndIOp>(result, condition);
    return result;
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value l, Value r) { return b.compareIndex(predicate, l, r); };
  Value meet =
      all({compare(arith::CmpIPredicate::sgt, a.count, zero), compare(arith::CmpIPredicate::sgt, c.count, zero),
           compare(arith::CmpIPredicate::sle, a.first, c.last), compare(arith::CmpIPredicate::sle, c.first, a.last)});
  if (isExact) {
    // Without gaps in either, what is between the ends is shared.
    auto isDense = [&](const Reach &reach) {
      Value span = b.createOrFold<arith::AddIOp>(b.createOrFold<arith::SubIOp>(reach.last, reach.first), one);
      return compare(arith::CmpIPredicate::sge, reach.count, span);
    };
    Value known = all({isDense(a), isDense(c)});
    Value apart = b.createOrFold<arith::XOrIOp>(meet, b.boolean(true));
    b.check(b.createOrFold<arith::OrIOp>(known, apart), "NotImplementedError",
            "numpy.shares_memory of views with gaps between their elements cannot be compiled: "
            "numpy.may_share_memory answers for their bounds");
  }
  return PyValue::runtime(meet);
}

PyValue emitMayShare(Interpreter &in, Arguments &args) { return emit(in, args, /*isExact=*/false); }
PyValue emitShares(Interpreter &in, Arguments &args) { return emit(in, args, /*isExact=*/true); }
const Registered sharingRows{{"numpy.may_share_memory", "a, b, max_work=0", emitMayShare},
                             {"numpy.shares_memory", "a, b, max_work=-1", emitShares}};

} // namespace
} // namespace npcc::frontend
