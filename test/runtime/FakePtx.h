// PTX on the CPU (read in FakePtx.cpp, run in FakePtxRun.cpp, what it computes in FakePtxNumbers.cpp), for the fake
// driver: kernels that tests bring themselves run here, thread by thread. A test's tool: it knows the instructions that
// NVRTC writes for such kernels, and ends the process at one that it does not know.
#ifndef NPCC_TEST_RUNTIME_FAKEPTX_H
#define NPCC_TEST_RUNTIME_FAKEPTX_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fake::ptx {

/// Where a global or generic address is; null if nobody may touch it.
using Reach = std::function<char *(uint64_t address, size_t bytes)>;

struct Variable {
  size_t bytes = 0, align = 1;
  std::string initial; // empty: zeros
};

/// How many bits types of bf16 are said to have, which tells them from f16.
constexpr int bfloatBits = 17;

enum class Space : uint8_t { Generic, Global, Shared, Local, Param, Const };

/// A word of an instruction, known by a number that is computed of its letters: code is read once, and run for each
/// thread of each launch.
class Word {
public:
  constexpr explicit Word(std::string_view text = {}) {
    for (char c : text)
      number = (number ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  consteval Word(const char *text) : Word(std::string_view(text)) {}
  bool operator==(const Word &other) const = default;

private:
  uint64_t number = 0xcbf29ce484222325;
};

struct Operand {
  enum Kind : uint8_t { None, Register, Immediate, Memory, Special, Label, Vector } kind = None;
  int reg = -1;       // of Register, and the base of Memory (-1: none)
  uint64_t value = 0; // Immediate, the offset of Memory, the place of Label, the axis of Special
  std::vector<Operand> parts;
  Word name; // Special, without its axis; "param": a place that is handed to a function
};

struct Instruction {
  std::string text;
  Word op;
  std::vector<Word> suffixes;
  int predicate = -1;
  bool negated = false;
  char kind = 'b'; // of the last type: u, s, f, b, p
  int bits = 32, fromBits = 32;
  char fromKind = 'b'; // cvt: the source's
  Space space = Space::Generic;
  int lanes = 1;
  std::vector<Operand> operands;
  bool has(Word suffix) const {
    for (Word each : suffixes)
      if (each == suffix)
        return true;
    return false;
  }
};

struct Kernel {
  std::string name;
  std::vector<size_t> parameterBytes, parameterOffsets;
  size_t parameterTotal = 0, sharedBytes = 0, localBytes = 0;
  int registers = 0;
  std::vector<Instruction> code;
};

struct Launch {
  unsigned grid[3], block[3];
  size_t dynamicShared;
  std::string parameters;
  bool isCooperative = false; // blocks may wait for each other
};

/// A function of the module: `formals` are its result, if it has one, and its parameters.
struct Function {
  std::string name;
  std::vector<std::string> formals;
  std::string body;
};
Function makeFunction(const std::string &header, const std::string &body);
/// The code of a kernel with that of the functions it calls in the place of the calls.
std::string inlineCalls(const std::string &body, const std::map<std::string, Function> &functions);

class Module {
public:
  /// `place` gives device memory for a variable.
  Module(const std::string &text, const std::function<uint64_t(const Variable &)> &place);
  const Kernel *find(const std::string &name) const;
  const std::map<std::string, std::pair<uint64_t, size_t>> &globals() const { return variables; }
  /// False: an address that nobody may touch.
  bool run(const Kernel &kernel, const Launch &launch, const Reach &reach) const;

private:
  void parseKernel(const std::string &header, const std::string &body);
  std::map<std::string, std::pair<uint64_t, size_t>> variables;
  std::map<std::string, Kernel> kernels;
  std::vector<std::string> externShared;
};

} // namespace fake::ptx

#endif
