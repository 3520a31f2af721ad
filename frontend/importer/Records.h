#ifndef NPCC_FRONTEND_IMPORTER_RECORDS_H
#define NPCC_FRONTEND_IMPORTER_RECORDS_H
// Arrays of structured dtypes, and records of them: an array for each field, which all have the axes of the records
// first and those of the field behind them. What is done with all fields alike is here, what NumPy's functions and
// methods do of them in npcc/library/records.py. Views share the fields' memory; where the fields lie is the caller's
// business: in the bytes of an argument, or in arrays of their own (frontend/python/npcc/records.py).
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

/// What Python has for the records: numpy.ndarray, numpy.void or numpy.record (of no axes), numpy.recarray.
enum RecordsForm : int64_t { ArrayOfRecords, SingleRecord, RecordArray };

/// Of the fields in the dtype's order; None for one of a dtype that is not compiled.
PyValue recordsOf(std::vector<PyValue> fields, const py::Object &dtype, int64_t form);
/// The dtype that a value names, if it has fields: an object for all equal ones, null for everything else.
py::Object structuredDtype(Interpreter &in, const PyValue &value);
bool isRecord(const PyValue &value);
/// How many axes the records have.
int64_t recordsRank(const PyValue &records);
/// The extents of these axes.
std::vector<PyValue> recordsShape(Interpreter &in, const PyValue &records);
/// The same records; that all fields have as many is known by one value, so that loops over several fields are one.
PyValue withOneLength(Interpreter &in, const PyValue &records);
/// Number `position` along the first axis, which is inside.
PyValue recordsAt(Interpreter &in, const PyValue &records, mlir::Value position);
/// records[key]: of a field, of several, or of records.
PyValue recordsItem(Interpreter &in, const PyValue &records, const PyValue &key);
void storeRecords(Interpreter &in, const PyValue &records, const PyValue &key, const PyValue &value);
PyValue recordsAttribute(Interpreter &in, const PyValue &records, const std::string &name);
PyValue callRecordsMethod(Interpreter &in, const PyValue &records, const std::string &name, Call &call);
/// A call of a function of NumPy's with such arrays or dtypes among its arguments; nothing for other calls.
std::optional<PyValue> callOfRecords(Interpreter &in, const py::Object &callee, Call &call);
/// npcc.library.records's own functions of fields; nothing for other functions.
std::optional<PyValue> callFieldFunction(Interpreter &in, const py::Object &callee, Call &call);
/// A global array of records, which is known: it may be read.
PyValue knownRecords(Interpreter &in, const py::Object &array);
/// The Python class of the value.
py::Object recordsClass(const PyValue &records);

} // namespace npcc::frontend
#endif
