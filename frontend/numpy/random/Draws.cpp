// The primitives of npcc.library.random: new generators, and draws by the rows of runtime/random/Distributions.def.
#include "dialects/Np/Random.h"
#include "frontend/importer/CheckedDraws.h"
#include "frontend/numpy/random/Random.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

//===---- Arguments ----===//

std::string textOf(const PyValue &value) {
  return value.isObject() && PyUnicode_Check(value.object().get()) ? py::text(value.object()) : "";
}

StringRef kindOf(const py::Object &object) {
  for (const char *kind : {"Generator", "RandomState"})
    if (py::typeName(object) == kind && py::isInstance(object, py::lookup(std::string("numpy.random.") + kind)))
      return kind;
  static const py::Object pythons = py::lookup("random.Random");
  bool isPythons = py::Object::borrow(reinterpret_cast<PyObject *>(Py_TYPE(object.get()))) == pythons;
  return isPythons ? "RandomState" : ""; // which stands for it (npcc/python_random.py)
}

/// The handle of a generator: of the program, or one that the caller gives because a global or closure names it.
Value handleOf(Interpreter &in, const PyValue &value) {
  if (value.isRuntime() && isa<np::GeneratorType>(value.type()))
    return value.ir();
  StringRef kind = value.isObject() ? kindOf(value.object()) : "";
  if (kind.empty()) {
    if (!value.isPoison())
      in.fail("a generator of random numbers is needed, not " + describe(in, value));
    return {};
  }
  static const py::Object global = py::lookup("numpy.random.mtrand._rand");
  std::optional<int64_t> number;
  if (value.object().get() == global.get())
    number = 0;
  for (auto [k, known] : llvm::enumerate(in.generators))
    if (known == value.object().get())
      number = k;
  if (!number) {
    in.fail("this generator of random numbers would not be the program's own",
            "make it inside the function, or pass it as an argument");
    return {};
  }
  auto type = np::GeneratorType::get(in.ir.getContext(), kind);
  return np::CapturedGeneratorOp::create(in.ir, type, *number);
}

/// Whether a cast of what NumPy makes of a parameter loses nothing; an error is reported otherwise.
bool checkCast(Interpreter &in, const PyValue &value, Type to) {
  py::Object key = promotionKey(in, value);
  if (!key) // an error, or none of the numbers
    return true;
  auto isType = [&](PyTypeObject &type) { return key.get() == reinterpret_cast<PyObject *>(&type); };
  if (isType(PyComplex_Type)) {
    in.fail("TypeError: float() argument must be a string or a real number, not 'complex'");
    return false;
  }
  if (PyType_Check(key.get()) && (isa<FloatType>(to) || isType(PyLong_Type)))
    return true;
  py::Object from = PyType_Check(key.get()) ? py::call(in.dtypes.numpy["dtype"], {key}) : key;
  if (py::isTrue(py::call(in.dtypes.numpy["can_cast"], {from, in.dtypes.dtype(to)})))
    return true;
  bool isScalar = value.arrayType() && value.rank() == 0;
  in.fail("TypeError: Cannot cast " + Twine(isScalar ? "scalar" : "array data") + " from " + py::repr(from) + " to " +
          py::repr(in.dtypes.dtype(to)) + " according to the rule 'safe'");
  return false;
}

/// A parameter as a scalar of the host; null with an error reported.
Value scalarOf(Interpreter &in, const PyValue &value, Type type) {
  if (!checkCast(in, value, type))
    return {};
  Value scalar = operandAs(in, value, type);
  return scalar && isa<RankedTensorType>(scalar.getType()) ? in.ir.item(scalar) : scalar;
}

/// A parameter's values as an array of its own.
Value arrayOf(Interpreter &in, const PyValue &value, Type type) {
  Value array = asArray(in, value);
  if (!array || !checkCast(in, PyValue::runtime(array), type))
    return {};
  Value values = tensorOf(in, PyValue::runtime(array), type);
  return values ? in.ir.newArray(values) : Value();
}

struct Operands {
  Value generator;
  std::string distribution;
  SmallVector<Value> scalars, arrays;
};

/// False with an error reported. What a RandomState draws otherwise has a row of its own.
bool readOperands(Interpreter &in, Arguments &args, Operands &operands) {
  operands.generator = handleOf(in, args["generator"]);
  if (!operands.generator)
    return false;
  operands.distribution = textOf(args["distribution"]);
  std::string legacy = "legacy_" + operands.distribution;
  if (cast<np::GeneratorType>(operands.generator.getType()).getKind() == "RandomState" &&
      np::lookupDistribution(legacy))
    operands.distribution = legacy;
  const np::DistributionInfo *row = np::lookupDistribution(operands.distribution);
  if (!row) {
    in.fail("there is no distribution " + operands.distribution);
    return false;
  }
  Type real = in.ir.getF64Type(), whole = in.ir.getI64Type();
  auto typeOf = [&](const PyValue &value, size_t position) -> Type {
    if (row->kind != np::DistributionKind::OTHER)
      return row->parameters[position].isWhole() ? whole : real;
    Type type = value.isObject() && PyFloat_Check(value.object().get()) ? real
                : value.isRuntime()                                     ? value.elementType()
                                                                        : whole;
    return isa<FloatType>(type) ? real : whole;
  };
  std::vector<PyValue> scalars, arrays;
  if (!asSequence(in, args["scalars"], scalars) || !asSequence(in, args["arrays"], arrays))
    return false;
  for (auto [k, value] : llvm::enumerate(scalars))
    operands.scalars.push_back(value.isPoison() ? Value() : scalarOf(in, value, typeOf(value, k)));
  for (auto [k, value] : llvm::enumerate(arrays))
    operands.arrays.push_back(value.isPoison() ? Value() : arrayOf(in, value, typeOf(value, k)));
  return !llvm::is_contained(operands.scalars, Value()) && !llvm::is_contained(operands.arrays, Value());
}

//===---- Rows ----===//

PyValue emitDraw(Interpreter &in, Arguments &args) {
  Operands operands;
  PyValue out = args["out"];
  if (!out.arrayType() || !readOperands(in, args, operands))
    return PyValue::poison();
  bool isChecked = checkDraw(in, operands.distribution, operands.scalars, !operands.arrays.empty());
  auto draw = np::DrawOp::create(in.ir, in.ir.getStringAttr(operands.distribution),
                                 in.ir.getStringAttr(in.dtypes.name(out.elementType())), operands.generator,
                                 operands.scalars, operands.arrays, out.ir());
  if (isChecked)
    markCheckedDraw(draw);
  in.ir.clobber();
  return PyValue::object(py::none());
}

PyValue emitDrawScalar(Interpreter &in, Arguments &args) {
  Operands operands;
  Type element = asDtype(in, args["dtype"], Type());
  if (!element || !readOperands(in, args, operands))
    return PyValue::poison();
  Type type = isa<FloatType>(element) ? Type(in.ir.getF64Type())
              : element.isInteger(1)  ? element
                                      : Type(in.ir.getI64Type());
  bool isChecked = checkDraw(in, operands.distribution, operands.scalars, /*hasArrays=*/false);
  auto draw =
      np::DrawScalarOp::create(in.ir, type, in.ir.getStringAttr(operands.distribution),
                               in.ir.getStringAttr(in.dtypes.name(element)), operands.generator, operands.scalars);
  if (isChecked)
    markCheckedDraw(draw);
  return PyValue::runtime(draw);
}

/// The seed's integers, or null where there are none; false with an error reported.
bool readSeed(Interpreter &in, const PyValue &value, Value &seed) {
  if (value.isNone())
    return true;
  seed = arrayOf(in, value, in.ir.getI64Type());
  return bool(seed);
}

PyValue emitNewGenerator(Interpreter &in, Arguments &args) {
  Value parent, seed;
  if (args.given("parent") && !(parent = handleOf(in, args["parent"])))
    return PyValue::poison();
  if (!readSeed(in, args["seed"], seed))
    return PyValue::poison();
  auto type = np::GeneratorType::get(in.ir.getContext(), textOf(args["kind"]));
  return PyValue::runtime(np::NewGeneratorOp::create(in.ir, type, in.ir.getStringAttr(textOf(args["bits"])),
                                                     in.ir.getStringAttr(textOf(args["seeding"])), parent, seed));
}

PyValue emitSeedGenerator(Interpreter &in, Arguments &args) {
  Value generator = handleOf(in, args["generator"]), seed;
  if (!generator || !readSeed(in, args["seed"], seed))
    return PyValue::poison();
  np::SeedGeneratorOp::create(in.ir, in.ir.getStringAttr(textOf(args["seeding"])), generator, seed);
  return PyValue::object(py::none());
}

/// "Generator", "RandomState", "BitGenerator" or "SeedSequence"; None for what is none of them.
PyValue emitClassOf(Interpreter &in, Arguments &args) {
  const PyValue &value = args["value"];
  StringRef kind = value.isObject() ? kindOf(value.object()) : "";
  if (value.isRuntime())
    if (auto type = dyn_cast<np::GeneratorType>(value.type()))
      kind = type.getKind();
  return PyValue::object(kind.empty() ? py::none() : py::string(kind));
}

PyValue emitCheckWritable(Interpreter &in, Arguments &args) {
  if (args["array"].arrayType())
    in.ir.checkWritable(args["array"].ir(), textOf(args["words"]));
  return PyValue::object(py::none());
}

/// Such a check that all code makes, the fast version too, which takes for granted only that what it stores into is
/// writable: an error may come before the store.
PyValue emitCheckWritableFirst(Interpreter &in, Arguments &args) {
  if (!args["array"].arrayType())
    return PyValue::object(py::none());
  Value isReadOnly = np::IsReadOnlyOp::create(in.ir, in.ir.getI1Type(), args["array"].ir());
  in.ir.check(arith::XOrIOp::create(in.ir, isReadOnly, in.ir.boolean(true)), "ValueError", textOf(args["words"]));
  return PyValue::object(py::none());
}

const Registered randomRows{
    {"npcc.library.routines.check_writable", "array, words", emitCheckWritable},
    {"npcc.library.routines.check_writable_first", "array, words", emitCheckWritableFirst},
    {"npcc.library.random.primitives.draw", "generator, distribution, out, scalars, arrays", emitDraw},
    {"npcc.library.random.primitives.draw_scalar", "generator, distribution, dtype, scalars, arrays", emitDrawScalar},
    {"npcc.library.random.primitives.new_generator", "kind, bits, seeding, parent=None, seed=None", emitNewGenerator},
    {"npcc.library.random.primitives.seed_generator", "generator, seeding, seed=None", emitSeedGenerator},
    {"npcc.library.random.primitives.class_of", "value", emitClassOf},
};

} // namespace
} // namespace npcc::frontend
