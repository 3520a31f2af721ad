#ifndef NPCC_FRONTEND_IMPORTER_FINDINGS_H
#define NPCC_FRONTEND_IMPORTER_FINDINGS_H
// What imports of a function find out, which the next one has to know from the beginning: places in the source, as
// siteOf() has them, and objects of Python's. So it holds for any import of the function with the same types and the
// same parts that Python runs.
#include "frontend/importer/Importer.h"

namespace npcc::frontend {

struct Findings {
  /// Definitions that were found to call themselves: an import begins again after it has found one.
  std::set<PyObject *> recursive;
  /// The places in the source that make lists and dicts which need to be objects (Boxes.h).
  std::set<std::string> boxed;
  /// The places that make lists which are one of several where paths meet: each with the others (Boxes.h).
  std::map<std::string, std::set<std::string>> met;
  /// The places in the source and the classes whose lists and objects are rows of tables, each with the one whose table
  /// it is (Tables.h).
  std::map<std::string, std::string> tabled;
  std::map<std::string, py::Object> tabledClasses;         // of the rows that each of them makes
  std::map<std::string, std::set<std::string>> attributes; // of the objects of a table
  std::map<std::string, std::vector<std::string>> order;   // in which these objects get attributes
  std::map<std::string, std::set<std::string>> dictKeys;   // of tabled dicts, by the place that makes them
  /// The tables of objects whose constructors raise exceptions that are caught: those objects lack attributes.
  std::set<std::string> unfinished;
  /// The attributes of tabled objects that are a function or class, the same of all objects.
  std::map<std::pair<std::string, std::string>, py::Object> constants;
  /// The attributes of tabled objects that may be None: the class's table and the name, with the table of what they are
  /// otherwise, empty as long as that is not known.
  std::map<std::pair<std::string, std::string>, std::string> optional;
  /// The places in the source that make lists of several types, with the types' names (MixedLists.h).
  std::map<std::string, std::set<std::string>> mixed;
  /// The classes of the named tuples among these, by their names in the types' names.
  std::map<std::string, py::Object> tupleClasses;
  /// Definitions that call themselves with ever new strings.
  std::set<PyObject *> takingAnyString;
  /// Generator expressions, by their functions, that are lists of their items (Generators.h).
  std::set<PyObject *> collected;
  /// The places of calls that make generators which next() and send() ask for items (Resumption.h).
  std::set<std::string> resumed;
  /// Conditions of the library on extents that change later: they are known at run time only (DecidedExtents.h).
  std::set<std::string> undecided;
  /// Global functions under functools.lru_cache that call themselves (Calls.h).
  std::set<PyObject *> remembering;
  /// Functions under functools.lru_cache whose cache is asked for what it has counted, or emptied: it is Python's, so
  /// that calls have to go through it.
  std::set<PyObject *> askedCaches;
};

/// What the latest import has found and why it failed, if it did: where a function cannot be compiled as it is, the
/// next import is of the same one, so that errors are raised, or that Python runs parts of it.
struct LatestImport {
  Findings findings;
  std::vector<Diagnostic> failures;
};
/// Nothing if the latest import was another one's, of other types, or has not failed.
LatestImport latestImport(const ImportRequest &request);
void keepImport(const ImportRequest &request, LatestImport import);

} // namespace npcc::frontend
#endif
