// SPDX-License-Identifier: Apache-2.0
/// Where the rungs of a study run, and what could be done there at most.
#pragma once

#include <optional>
#include <string>

#include "study/studies.hpp"
#include "study/study_loops.hpp"

namespace tessera {

struct StudyPlaces {
  Stream host;
  std::optional<Stream> device;
  DeviceCeilings one_thread, all_threads, on_device;
};

/// Measures the CPU for a study with rungs that have one thread and rungs that have all; the result
/// says what was found.
void open_cpu(StudyPlaces& places, StudyResult& result);

/// Opens and measures the device for a study with rungs of CUDA, where there is one or --backend
/// asks for it; the result says what was found. Throws Error(resources) where it has to be there.
void open_device(const StudyOptions& options, StudyPlaces& places, StudyResult& result);

/// In the place of a rung that has no device to run on.
template <class Rung, class Case>
StudyRow row_without_device(const Rung& rung, const Case& problem) {
  return {.case_name = problem.name(),
          .rung = rung.id,
          .title = rung.title,
          .absent = "no GPU: " + this_machine().no_device_reason,
          .lines = code_lines_of(rung.files)};
}

}  // namespace tessera
