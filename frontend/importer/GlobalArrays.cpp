#include "frontend/importer/GlobalArrays.h"
#include "frontend/importer/LaterStores.h"
#include "frontend/importer/Views.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace npcc::frontend {

/// On an operation that makes an array: which object it stands for. On a store: it gives that array its elements.
static constexpr StringRef mark = "np.global";

bool isGlobalArray(Interpreter &in, const PyValue &value) {
  return value.isObject() && py::isInstance(value.object(), in.dtypes.numpy["ndarray"]);
}

void markGlobal(Interpreter &in, Value array, const py::Object &object) {
  auto made = array.getDefiningOp<np::EmptyOp>();
  if (!made)
    return;
  for (Operation *view : made->getUsers())
    for (Operation *user : view->getUsers())
      if (isa<np::StoreOp>(user))
        user->setAttr(mark, in.ir.getUnitAttr());
  // The import holds the object, and the mark does not outlive it.
  made->setAttr(mark, in.ir.getI64IntegerAttr(reinterpret_cast<intptr_t>(object.get())));
}

void markField(Interpreter &in, Value array, const py::Object &object) {
  if (Operation *made = array.getDefiningOp())
    made->setAttr(mark, in.ir.getI64IntegerAttr(reinterpret_cast<intptr_t>(object.get())));
}

void failStoredGlobal(Interpreter &in, Location loc, PyObject *array) {
  static const py::Object handOver = py::lookup("npcc.dependencies.hand_over");
  py::call(handOver, {py::Object::borrow(array)});
  in.failAt(loc, "a small array that a global holds is a constant of compiled code: nothing is stored into it",
            "pass it as an argument");
}

/// Whether a function of the module may store into this argument.
static bool storesInto(Interpreter &in, func::CallOp call, unsigned number) {
  auto callee = in.module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal())
    return true;
  Value argument = callee.getArgument(number);
  return callee
      .walk([&](Operation *op) {
        for (Value array : storedArrays(op)) {
          llvm::SetVector<Value> roots;
          if (!addRoots(array, roots) || roots.contains(argument))
            return WalkResult::interrupt();
        }
        return WalkResult::advance();
      })
      .wasInterrupted();
}

void checkStoredGlobals(Interpreter &in) {
  bool any =
      in.ir.function
          .walk([](Operation *op) { return op->hasAttr(mark) ? WalkResult::interrupt() : WalkResult::advance(); })
          .wasInterrupted();
  if (!any)
    return;
  llvm::SmallSetVector<PyObject *, 4> found;
  SmallVector<Location> places;
  auto look = [&](Operation *op, Value array) {
    llvm::SetVector<Value> roots;
    addRoots(array, roots);
    for (Value root : roots)
      if (auto number = root.getDefiningOp() ? root.getDefiningOp()->getAttrOfType<IntegerAttr>(mark) : IntegerAttr())
        if (found.insert(reinterpret_cast<PyObject *>(number.getInt())))
          places.push_back(op->getLoc());
  };
  in.ir.function.walk([&](Operation *op) {
    if (in.ir.refused.contains(op)) // what is stored into a field
      look(op, op->getOperand(0));
    if (auto call = dyn_cast<func::CallOp>(op)) {
      for (auto [number, operand] : llvm::enumerate(call.getOperands()))
        if (isa<np::ArrayType>(operand.getType()) && storesInto(in, call, number))
          look(op, operand);
    } else if (!op->hasAttr(mark)) {
      for (Value array : storedArrays(op))
        look(op, array);
    }
  });
  in.ir.function.walk([](Operation *op) { op->removeAttr(mark); });
  for (auto [object, place] : llvm::zip(found, places))
    failStoredGlobal(in, place, object);
}

} // namespace npcc::frontend
