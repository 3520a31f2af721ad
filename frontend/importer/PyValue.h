#ifndef NPCC_FRONTEND_IMPORTER_PYVALUE_H
#define NPCC_FRONTEND_IMPORTER_PYVALUE_H
#include "dialects/Np/Np.h"
#include "frontend/importer/PythonObject.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <memory>
#include <string>

namespace npcc::frontend {

struct Composite;

/// What a Python expression stands for at import: something known now, or a value of the program.
class PyValue {
public:
  enum class Kind {
    Poison,   // an error was reported for it already
    Unbound,  // a name that nothing was bound to
    Conflict, // a name that holds things of types that do not join: an error when it is read
    Object,   // known at compile time: None, a number, a string, a module, a function of NumPy, a dtype, ...
    Runtime,  // an SSA value: array reference, tensor (a NumPy scalar, a temporary array's value) or Python scalar
    Slot,     // what a slot holds: a name after control flow joined; read on first use
    Sequence, // a tuple or list of known length
    List,     // a list whose length is known at run time only: an array, the items along its first axis
    Rows,     // a list of tuples whose length is known at run time only: a list for each place of the tuples
    Records,  // an array of a structured dtype, or one record of it: an array for each field (Records.h)
    Slice,    // slice(start, stop, step)
    Range,    // range(start, stop, step)
    Iterator, // enumerate(...), zip(...), reversed(...)
    Function, // a Python function with its closure
    Method,   // a bound method of a value
    Text,     // a string with values of the program in it (an f-string)
    Instance, // an object of a class of the program's, or a dict: what it holds is in the environment
    Union,    // one of several, which one is known at run time
  };

  PyValue() = default;
  static PyValue poison() { return PyValue(); }
  static PyValue unbound() { return PyValue(Kind::Unbound); }
  static PyValue conflict(std::string message);
  static PyValue object(py::Object object) {
    PyValue result(object ? Kind::Object : Kind::Poison);
    result.known = std::move(object);
    return result;
  }
  /// Poison where there is no value: what should have made it has failed.
  static PyValue runtime(mlir::Value value) {
    PyValue result(value ? Kind::Runtime : Kind::Poison);
    result.value = value;
    return result;
  }
  static PyValue sequence(std::vector<PyValue> items, bool isList = false);
  static PyValue slice(PyValue start, PyValue stop, PyValue step);
  /// A list of lists of ..., `levels` deep. Its items are Python's scalars (`isPython`, of the array's element type),
  /// or NumPy's scalars and arrays.
  static PyValue list(PyValue array, int64_t levels, bool isPython);
  /// A list of tuples (of a named tuple's class, or null), or of lists of one length, as lists of their items.
  static PyValue rows(std::vector<PyValue> columns, py::Object cls, bool areLists = false);
  static PyValue composite(Kind kind, std::shared_ptr<Composite> data) {
    PyValue result(kind);
    result.data = std::move(data);
    return result;
  }

  /// One of the alternatives in `data`; `tag` says which, null while it lies in a slot.
  static PyValue unionValue(mlir::Value tag, std::shared_ptr<Composite> data) {
    PyValue result(Kind::Union);
    result.value = tag;
    result.data = std::move(data);
    return result;
  }

  Kind kind() const { return valueKind; }
  bool is(Kind kind) const { return valueKind == kind; }
  bool isPoison() const { return is(Kind::Poison); }
  bool isObject() const { return is(Kind::Object); }
  bool isNone() const { return isObject() && known.isNone(); }
  bool isRuntime() const { return is(Kind::Runtime); }
  bool isSequence() const { return is(Kind::Sequence); }
  bool isRuntimeList() const { return is(Kind::List); }
  /// Made of items that go through control flow one by one; `withItems` is the same of others.
  bool isRows() const { return is(Kind::Rows); }
  bool isRecords() const { return is(Kind::Records); }
  bool hasItems() const { return isSequence() || isRuntimeList() || isRows() || isTabled() || isRecords(); }
  /// An object or list that is a row of a table (Tables.h): one item, the row's number.
  bool isTabled() const;
  PyValue withItems(std::vector<PyValue> items) const;
  /// A list of run-time length that is a tuple to Python.
  PyValue asTuple() const;
  bool isLike(const PyValue &other) const;

  /// The same of other parts: a container that changes where something still needs it as it was.
  PyValue withData(std::shared_ptr<Composite> other) const {
    PyValue result = *this;
    result.data = std::move(other);
    return result;
  }

  const py::Object &object() const { return known; }
  mlir::Value ir() const { return value; }
  Composite &operator*() const { return *data; }
  Composite *operator->() const { return data.get(); }

  mlir::Type type() const { return value ? value.getType() : mlir::Type(); }
  np::ArrayType arrayType() const { return llvm::dyn_cast_if_present<np::ArrayType>(type()); }
  mlir::RankedTensorType tensorType() const { return llvm::dyn_cast_if_present<mlir::RankedTensorType>(type()); }
  /// A reference to an array, or the value of a temporary one.
  bool isArray() const { return isRuntime() && (arrayType() || (tensorType() && tensorType().getRank() > 0)); }
  bool isNumpyScalar() const { return isRuntime() && tensorType() && tensorType().getRank() == 0; }
  bool isPythonScalar() const { return isRuntime() && !arrayType() && !tensorType() && !isGenerator(); }
  /// Of random numbers.
  bool isGenerator() const { return isRuntime() && llvm::isa<np::GeneratorType>(type()); }
  /// Rank and element type of arrays and scalars of the program.
  int64_t rank() const;
  mlir::Type elementType() const;

  /// Slots and values just read from one: where the name's value lies now. Unions: where it says which one it is.
  mlir::Value slot;
  /// Slots: holds whether the name is bound, where that is not certain.
  mlir::Value boundSlot;
  /// Numbers that are Python's int or float on some path: whether it is that here, and which (PythonBits.h). Slots: the
  /// bit's.
  mlir::Value pythonBit;
  mlir::Type pythonType;
  /// a.flat: the array `a` whose elements, as one axis, this is.
  mlir::Value flatOf;

  bool operator==(const PyValue &other) const;

private:
  explicit PyValue(Kind kind) : valueKind(kind) {}
  Kind valueKind = Kind::Poison;
  py::Object known;
  mlir::Value value;
  std::shared_ptr<Composite> data;
};

struct Frame;

/// The parts of the kinds that have parts.
struct Composite {
  /// Sequence: the items. List: the array; the length too, if it has room for more. Slice, Range: start, stop, step.
  /// Iterator: the operands. Method: the receiver. Union: the alternatives, Unbound where it cannot be one any more.
  /// Instance: the number of the row, if it is tabled. Records: the fields.
  /// Function: defaults of positional parameters, then of keyword-only
  /// ones (Unbound where there is none).
  std::vector<PyValue> items;
  bool isList = false;            // Sequence, List, Rows: to Python, else it is a tuple
  py::Object cls;                 // Sequence: the class of a named tuple. Instance: its class. Records: the dtype
  unsigned id = 0;                // Instance: what it holds is bound to '@id.name'. Rows: of what is tabled, as there
  std::vector<std::string> kinds; // Rows of several types: their names (MixedLists.h)
  bool isOptional = false;        // Rows: of what is tabled; a number below 0 stands for None
  int64_t levels = 0;             // List: how many axes are lists. Rows: 2 where the rows are lists, not tuples
                                  // Records: a RecordsForm
  bool isPython = false;          // List: its innermost items are Python's scalars
  const void *owner = nullptr;    // lists: the call that made it
  bool isShared = false;          // lists: it may have had several names where control flow met
  bool isJoined = false;   // lists: on some path it is another one, which has a name too: a change needs an object
  std::string site;        // lists, dicts: the place in the source that made it (Boxes.h)
  std::string generator;   // lists: the place of the generator expression whose items it has, at once
  std::string itemSite;    // lists of lists: the place that made the items,
  int64_t itemLength = -1; // and how long each is, as far as that is known
  int holdsCopies = 0;     // lists: of arrays that have a name (1), or that others may have (2) (ListedArrays.h)
  bool isItem = false;     // lists: of a list of lists of one length
  bool isOfObject = false; // dicts: of an object's attributes, which it holds by their names
  bool isCopy = false;     // lists: of one that a caller has, whose items must not be stored to here
  unsigned depth = 0;      // Sequence, Iterator: how deep in run-time control flow it was made
  std::vector<std::string> parameters; // Iterator ("generator"): the names of the items behind the function
  std::string name;                    // Method, Function, Iterator ("enumerate"); Conflict: the message
  // Function:
  py::Object definition; // ast.FunctionDef or ast.Lambda
  py::Object globals;
  py::Object closure;            // dict of the free names of a Python function
  std::shared_ptr<Frame> parent; // of a function defined in one that is imported
  std::string file;
  bool isLibrary = false;
  size_t keywordDefaults = 0; // how many of `items` are of keyword-only parameters
  // Text: pieces; a piece without a `value` is literal, one that is a number or a string has a format.
  struct Piece {
    std::string text; // or the format spec
    PyValue value;
    bool isBare = false; // a complex number without its parentheses, inside np.complex128(...)
    bool isLiteral() const { return value.isPoison(); }
  };
  std::vector<Piece> pieces;
};

inline bool PyValue::isTabled() const { return is(Kind::Instance) && !data->items.empty(); }

} // namespace npcc::frontend
#endif
