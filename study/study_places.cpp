// SPDX-License-Identifier: Apache-2.0
#include "study/study_places.hpp"

namespace tessera {

void open_device(const StudyOptions& options, StudyPlaces& places, StudyResult& result) {
  if (options.backend != Backend::cuda && this_machine().devices.empty()) return;
  need_device(result.study, options.device);
  places.device.emplace(options.device);
  places.on_device = measure_device(options.device);
  result.device = this_machine().devices[static_cast<std::size_t>(options.device)].name;
  result.peak_gflops = 1e-9 * places.on_device.fma_flops;
  result.peak_gbytes = 1e-9 * places.on_device.copy_bytes;
}

}  // namespace tessera
