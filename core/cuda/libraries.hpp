// SPDX-License-Identifier: Apache-2.0
/// Shared libraries opened at run time, so that a program starts without them.
#pragma once

#include <string>
#include <vector>

namespace tessera::cuda {

/// Folders searched besides the loader's own: TESSERA_CUDA_LIBRARY_PATH (colon separated),
/// CUDA_HOME, CUDA_PATH and /usr/local/cuda.
std::vector<std::string> library_folders();

/// A library, or the reason why it could not be opened. It stays open until the process ends.
///
///     const Library fft("libcufft", {"libcufft.so.12", "libcufft.so.11"});
///     decltype(&cufftDestroy) destroy = nullptr;
///     if (!fft.load("cufftDestroy", destroy)) throw Error(ErrorKind::failure, fft.reason());
class Library {
 public:
  /// Tries every name in TESSERA_CUDA_LIBRARY_PATH, then in the loader's own places, then in the
  /// rest of `library_folders`.
  Library(const std::string& what, const std::vector<std::string>& names);

  explicit operator bool() const { return handle_ != nullptr; }
  /// No such file anywhere, as opposed to one that cannot be opened.
  bool missing() const { return missing_; }
  /// "libcufft (libcufft.so.12) is not found; …", or the first symbol that was missing; else empty.
  const std::string& reason() const { return reason_; }

  /// Sets `function` to the symbol; false, with `reason`, if there is none.
  template <class Function>
  bool load(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(symbol(name));
    return function != nullptr;
  }

 private:
  void* symbol(const char* name);

  std::string what_, reason_;
  void* handle_ = nullptr;
  bool missing_ = false;
};

}  // namespace tessera::cuda
