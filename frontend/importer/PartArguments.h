#ifndef NPCC_FRONTEND_IMPORTER_PARTARGUMENTS_H
#define NPCC_FRONTEND_IMPORTER_PARTARGUMENTS_H
// What a part that Python runs is given: its parameters, each with 64 bits and a letter for what they are
// (frontend/module/parts.c), and constants.
#include "frontend/importer/LentArrays.h"

namespace npcc::frontend {

class PartArguments {
public:
  explicit PartArguments(Interpreter &in) : in(in) {}
  /// Adds a value by the name that the part has for it; false with an error reported. `variable`: that holds it.
  bool add(const std::string &name, const PyValue &value, const std::string &variable);
  /// The part's text (npcc/objects.py); `binds`: the names whose values a statement gives.
  std::string textOf(const py::Object &node, const std::vector<std::string> &binds = {});
  PyValue run(const std::string &text, char wanted);

  static const std::string &simpleText(const std::string &source, const std::string &names);

  std::string letters;
  llvm::SmallVector<mlir::Value> bits;
  /// Arrays of compiled code among them, into which the part may store.
  std::vector<LentArray> lent;

private:
  PyValue typed(mlir::Value number, char wanted);

  Interpreter &in;
  std::vector<py::Object> parameters, constants;
};

/// A part's node with what compiled code computes of it as names, whose values are added. Null with an error reported.
py::Object withCompiled(Interpreter &in, const py::Object &node, PartArguments &arguments);

} // namespace npcc::frontend
#endif
