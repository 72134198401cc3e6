// SPDX-License-Identifier: Apache-2.0
#include "core/cblas.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include "core/one_thread_at_loading.hpp"
#include "core/parallel.hpp"
#include "core/pinning.hpp"

// A program may be linked with a CBLAS, as the Python module of a wheel is, which carries one.
extern "C" {
__attribute__((weak)) tessera::Cblas::RealProduct<float> cblas_sgemm;
__attribute__((weak)) tessera::Cblas::RealProduct<double> cblas_dgemm;
__attribute__((weak)) tessera::Cblas::ComplexProduct cblas_cgemm, cblas_zgemm;
__attribute__((weak)) tessera::Cblas::Herk cblas_cherk;
__attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((weak)) int openblas_get_num_threads();
}

namespace tessera {
namespace {

constexpr std::array kCblasFiles{"libopenblas.so.0", "libcblas.so.3", "libblas.so.3"};
constexpr std::size_t kMemoryToLoad = 1 << 20;

struct OpenedCblas {
  Cblas functions;
  std::string reason;
};

Cblas functions_of(void* library) {
  Cblas found;
  const auto take = [library](auto*& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
  };
  take(found.sgemm, "cblas_sgemm");
  take(found.dgemm, "cblas_dgemm");
  take(found.cgemm, "cblas_cgemm");
  take(found.zgemm, "cblas_zgemm");
  take(found.cherk, "cblas_cherk");
  take(found.set_threads, "openblas_set_num_threads");
  take(found.threads, "openblas_get_num_threads");
  return found;
}

bool is_complete(const Cblas& found) {
  return found.sgemm && found.dgemm && found.cgemm && found.zgemm && found.cherk;
}

OpenedCblas open_cblas() {
  const Cblas linked{cblas_sgemm,
                     cblas_dgemm,
                     cblas_cgemm,
                     cblas_zgemm,
                     cblas_cherk,
                     openblas_set_num_threads,
                     openblas_get_num_threads};
  if (is_complete(linked)) return {linked, ""};
  // Fortran's library, which OpenBLAS loads, calls itself without end if there is no memory.
  const auto enough = std::make_unique_for_overwrite<volatile char[]>(kMemoryToLoad);
  enough[0] = 0;  // so that the compiler leaves it in place
  const OneThreadAtLoading one;
  for (const char* file : kCblasFiles)
    if (void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
      const Cblas found = functions_of(library);
      if (is_complete(found)) return {found, ""};
      dlclose(library);
    }
  return {{}, fmt::format("no CBLAS ({}) can be opened", fmt::join(kCblasFiles, ", "))};
}

const OpenedCblas& opened_cblas() {
  static const OpenedCblas opened = open_cblas();
  return opened;
}

}  // namespace

const std::string& why_no_cblas() { return opened_cblas().reason; }

const Cblas& cblas() { return opened_cblas().functions; }

const Cblas& cblas_on_all_cores() {
  const Cblas& found = cblas();
  const ScopedRelease anywhere;  // its threads begin here
  if (found.set_threads) found.set_threads(available_threads());
  return found;
}

}  // namespace tessera
