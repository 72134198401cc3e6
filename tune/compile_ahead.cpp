// SPDX-License-Identifier: Apache-2.0
#include "tune/compile_ahead.hpp"

#include <fmt/format.h>

#include <mutex>

#include "core/kernel.hpp"
#include "core/parallel.hpp"
#include "tessera/error.hpp"
#include "tune/operations.hpp"

namespace tessera {

std::string CompileReport::describe() const {
  return fmt::format("{} kernels for {} are in {}, {} of them new", kernels, architecture, folder,
                     compiled);
}

CompileReport compile_ahead(TuneSettings settings, const std::string& architecture,
                            const std::function<void(int done, int all)>& progress) {
  if (!run_time_compiler_found())
    throw Error(ErrorKind::failure, "tune: the run-time compiler (NVRTC) is not found");
  if (cache_folder().empty())
    throw Error(ErrorKind::failure,
                "tune: there is no cache folder to keep kernels in; set TESSERA_CACHE");
  settings.backend = Backend::cpu;  // needs no device
  TuneRequest request = settings.request();
  request.backend = Backend::cuda;
  const auto kernels = find_tunable(settings.tuned_operation()).kernels(request);
  CompileReport report{architecture, cache_folder() + "/kernels", static_cast<int>(kernels.size())};
  std::mutex mutex;
  int done = 0;
  parallel_for(report.kernels, available_threads(), [&](int k) {
    const bool fresh = compile_kernel(kernels[static_cast<std::size_t>(k)], architecture);
    const std::lock_guard lock(mutex);
    report.compiled += fresh;
    if (progress) progress(++done, report.kernels);
  });
  return report;
}

}  // namespace tessera
