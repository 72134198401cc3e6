// SPDX-License-Identifier: Apache-2.0
#include "study/study_places.hpp"
#include "core/parallel.hpp"

#include <fmt/format.h>

namespace tessera {

void open_cpu(StudyPlaces& places, StudyResult& result) {
  const CpuCeilings measured = measure_cpu();
  places.one_thread = {.fma_flops = measured.fma_flops_one, .copy_bytes = measured.copy_bytes_one};
  places.all_threads = {.fma_flops = measured.fma_flops_all, .copy_bytes = measured.copy_bytes_all};
  result.cpu_gflops = 1e-9 * measured.fma_flops_all;
  result.cpu = fmt::format("{}, {} threads: {:.1f} GFLOP/s single measured, {:.1f} with one",
                           this_machine().cpu_name, available_threads(),
                           1e-9 * measured.fma_flops_all, 1e-9 * measured.fma_flops_one);
}

void open_device(const StudyOptions& options, StudyPlaces& places, StudyResult& result,
                 bool measured) {
  if (options.backend != Backend::cuda && this_machine().devices.empty()) return;
  need_device(result.study, options.device);
  places.device.emplace(options.device);
  result.device = this_machine().devices[static_cast<std::size_t>(options.device)].name;
  if (!measured) return;
  places.on_device = measure_device(options.device);
  result.peak_gflops = 1e-9 * places.on_device.fma_flops;
  result.peak_gbytes = 1e-9 * places.on_device.copy_bytes;
}

}  // namespace tessera
