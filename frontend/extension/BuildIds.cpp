// Which build of the package's libraries is loaded: the digest of its contents that the linker writes into each of
// them.
#include "frontend/extension/Extension.h"
#include "runtime/abi/calls.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <elf.h>
#include <link.h>

namespace {
struct Search {
  uintptr_t address; // in the library
  std::string id;
};

/// Reads the notes of the library that holds the address.
int visit(dl_phdr_info *library, size_t, void *argument) {
  auto &search = *static_cast<Search *>(argument);
  llvm::ArrayRef<ElfW(Phdr)> headers(library->dlpi_phdr, library->dlpi_phnum);
  auto holds = [&](const ElfW(Phdr) & header) {
    uintptr_t start = library->dlpi_addr + header.p_vaddr;
    return header.p_type == PT_LOAD && start <= search.address && search.address < start + header.p_memsz;
  };
  if (llvm::none_of(headers, holds))
    return 0;
  for (const ElfW(Phdr) &header : headers) {
    if (header.p_type != PT_NOTE)
      continue;
    auto *bytes = reinterpret_cast<const uint8_t *>(library->dlpi_addr + header.p_vaddr), *end = bytes + header.p_memsz;
    while (size_t(end - bytes) >= sizeof(ElfW(Nhdr))) {
      auto *note = reinterpret_cast<const ElfW(Nhdr) *>(bytes);
      const uint8_t *contents = bytes + sizeof(*note) + llvm::alignTo(note->n_namesz, 4);
      if (note->n_type == NT_GNU_BUILD_ID)
        search.id = llvm::toHex(llvm::ArrayRef(contents, note->n_descsz), /*LowerCase=*/true);
      bytes = contents + llvm::alignTo(note->n_descsz, 4);
    }
  }
  return 1;
}

std::string findBuildId(const void *address) {
  Search search{reinterpret_cast<uintptr_t>(address), ""};
  dl_iterate_phdr(visit, &search);
  return search.id;
}
} // namespace

PyObject *npcc::extension::buildIds(PyObject *, PyObject *) {
  std::string extension = findBuildId(reinterpret_cast<void *>(&buildIds));
  std::string runtime = findBuildId(reinterpret_cast<void *>(&npcc_rt_call));
  // Where one is not known, neither is.
  return PyUnicode_FromString(extension.empty() || runtime.empty() ? "" : (extension + " " + runtime).c_str());
}
