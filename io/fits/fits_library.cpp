// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_library.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <mutex>
#include <utility>

#include "core/fork.hpp"
#include "io/confine.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// Some builds of cfitsio share state between all files.
std::unique_lock<ForkMutex> library_lock() {
  static ForkMutex mutex;
  static const bool reentrant = fits_is_reentrant() != 0;
  return reentrant ? std::unique_lock<ForkMutex>() : std::unique_lock(mutex);
}

std::string sentence(int status) {
  if (status == 0) return "";
  char text[FLEN_STATUS] = {};
  fits_get_errstatus(status, text);
  fits_clear_errmsg();
  return fmt::format("{} (cfitsio {})", text, status);
}

}  // namespace

FitsLibrary::FitsLibrary(const File& file, int mode, ErrorKind kind)
    : output_(file), path_(file.path()), kind_(kind) {
  const auto lock = library_lock();
  int status = 0;
  if (is_confined()) {  // it may not open files
    memory_bytes_ = static_cast<std::size_t>(file.bytes());
    memory_ = ::mmap(nullptr, memory_bytes_, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
    if (memory_ == MAP_FAILED)
      throw system_error(ErrorKind::resources, path_, "cannot be mapped", errno);
    fits_open_memfile(&file_, "tiles", mode, &memory_, &memory_bytes_, 0, nullptr, &status);
  } else {
    fits_open_diskfile(&file_, name_by_descriptor(file).c_str(), mode, &status);
  }
  if (status != 0) throw Error(kind_, fmt::format("{}: {}", path_, sentence(status)));
}

FitsLibrary::~FitsLibrary() {
  const auto lock = library_lock();
  int status = 0;
  if (file_) fits_close_file(file_, &status);
  fits_clear_errmsg();
}

std::string FitsLibrary::try_to(const std::function<void(fitsfile*, int*)>& use) const {
  const auto lock = library_lock();
  int status = 0;
  use(file_, &status);
  return sentence(status);
}

// cfitsio forgets why a write failed: writing one more byte brings the reason back.
void FitsLibrary::must(const std::function<void(fitsfile*, int*)>& use) const {
  const std::string problem = try_to(use);
  if (problem.empty()) return;
  if (kind_ == ErrorKind::failure) output_.write_all(output_.bytes(), "", 1);
  throw Error(kind_, fmt::format("{}: {}", path_, problem));
}

void FitsLibrary::close() {
  must([this](fitsfile*, int* status) { fits_close_file(std::exchange(file_, nullptr), status); });
}

}  // namespace tessera
