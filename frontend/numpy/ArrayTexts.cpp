// Strings of arrays with options: numpy.array2string and its family. NumPy itself writes them, when the program runs;
// the options are known when it is compiled.
#include "frontend/importer/Strings.h"
#include "frontend/importer/Text.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

/// A call of the row's function, as Python text. `array` names the first parameter where that is an array; poison is
/// reported.
std::optional<std::string> callAsText(Interpreter &in, Arguments &args, const char *array) {
  std::string text = args.row->name + std::string("(") + (array ? array : "");
  for (auto [k, name] : llvm::enumerate(args.names)) {
    if ((array && k == 0) || args.values[k].isNone())
      continue;
    py::Object known = asObject(in, args.values[k]);
    if (!known) {
      in.fail("the argument '" + name + "' of " + args.row->name + " must be known at compile time");
      return std::nullopt;
    }
    text += (text.back() == '(' ? "" : ", ") + name + "=" + py::repr(known);
  }
  return text + ")";
}

PyValue emitArrayText(Interpreter &in, Arguments &args) {
  Value array = asArray(in, args.values[0]);
  std::optional<std::string> call = array ? callAsText(in, args, "a") : std::nullopt;
  return call ? arrayExpression(in, array, *call) : PyValue::poison();
}
const Registered arrayTextRows{
    {"numpy.array2string",
     "a, max_line_width=None, precision=None, suppress_small=None, separator=' ', prefix='', *, threshold=None, "
     "edgeitems=None, sign=None, floatmode=None, suffix=''",
     emitArrayText},
    {"numpy.array_str", "a, max_line_width=None, precision=None, suppress_small=None", emitArrayText},
    {"numpy.array_repr", "arr, max_line_width=None, precision=None, suppress_small=None", emitArrayText}};

PyValue emitNumberText(Interpreter &in, Arguments &args) {
  Value array = asArray(in, args.values[0]);
  std::optional<std::string> call = array ? callAsText(in, args, "a[()]") : std::nullopt;
  return call ? arrayExpression(in, array, *call) : PyValue::poison();
}
const Registered numberTextRows{
    {"numpy.format_float_positional",
     "x, precision=None, unique=True, fractional=True, trim='k', sign=False, pad_left=None, pad_right=None, "
     "min_digits=None",
     emitNumberText},
    {"numpy.format_float_scientific",
     "x, precision=None, unique=True, trim='k', sign=False, pad_left=None, exp_digits=None, min_digits=None",
     emitNumberText}};

/// Options of NumPy's own, which hold until they are set again: what is set stands among what is printed.
PyValue emitSetOptions(Interpreter &in, Arguments &args) {
  std::optional<std::string> call = callAsText(in, args, nullptr);
  if (!call)
    return PyValue::poison();
  PyValue nothing = arrayExpression(in, in.ir.rankZero(in.ir.constantInteger(in.ir.getI64Type(), 0)), *call);
  Call shown{in.currentNode, {nothing}, {{"end", PyValue::object(py::string(""))}}};
  print(in, shown);
  return PyValue::object(py::none());
}
const Registered optionRows{{"numpy.set_printoptions",
                             "precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, "
                             "nanstr=None, infstr=None, sign=None, "
                             "floatmode=None",
                             emitSetOptions}};

} // namespace
} // namespace npcc::frontend
