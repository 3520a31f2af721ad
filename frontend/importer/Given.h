#ifndef NPCC_FRONTEND_IMPORTER_GIVEN_H
#define NPCC_FRONTEND_IMPORTER_GIVEN_H
// Containers and objects as arguments: put together of the parameters in them, as npcc/structures.py took them apart.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

class Given {
public:
  Given(Interpreter &in, std::vector<PyValue> leaves) : in(in), leaves(std::move(leaves)) {}

  /// The Python function's parameters, one for each form.
  std::vector<PyValue> values(const py::Object &forms);
  /// Marks the entry: what differs from now on, the function changed.
  void remember();

  /// The number of the container that a value is.
  std::optional<size_t> numberOf(const PyValue &value) const;

  struct Container {
    PyValue value;
    /// What an object or dict held at the entry, by key; a list's items.
    std::vector<std::pair<py::Object, PyValue>> held;
    std::vector<PyValue> items;
    PyValue keys = PyValue::poison(); // of an object or dict, as boundKeys() gives them
  };
  const std::vector<Container> &containers() const { return found; }
  /// Whether one of the classes in npcc/library/containers.py holds what it held at the entry.
  bool isAsGiven(const Container &container) const;
  /// The same of an object or dict.
  bool holdsAsGiven(const Container &container) const;

private:
  /// `path`: where the value lies in the arguments, the same for all values of a dict.
  PyValue value(const py::Object &form, const std::string &path);
  std::vector<PyValue> items(const py::Object &forms, const std::string &path, bool areAlike);
  /// `madeBy`: the name of its class, or the factory of a defaultdict.
  PyValue computedDict(const py::Object &keys, const py::Object &forms, const std::string &path,
                       const py::Object &madeBy = {});

  Interpreter &in;
  std::vector<PyValue> leaves;
  size_t next = 0;
  std::vector<Container> found;
};

} // namespace npcc::frontend
#endif
