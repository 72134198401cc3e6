// SPDX-License-Identifier: Apache-2.0
/// Where the rungs of a study run, and the ceilings there.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "study/studies.hpp"
#include "study/study_loops.hpp"
#include "study/wanted_rungs.hpp"

namespace tessera {

struct StudyPlaces {
  Stream host;
  std::optional<Stream> device;
  DeviceCeilings one_thread, all_threads, on_device;
};

/// Measures the CPU for a study with rungs on one thread and rungs on all; the result records
/// the figures.
void open_cpu(StudyPlaces& places, StudyResult& result);

/// Opens and measures the device for a study with CUDA rungs, if there is one or --backend
/// asks for it; the result records the figures. Throws Error(resources) if it is required.
void open_device(const StudyOptions& options, StudyPlaces& places, StudyResult& result,
                 bool measured = true);

/// Replaces a rung that has no device to run on.
template <class Rung, class Case>
StudyRow row_without_device(const Rung& rung, const Case& problem) {
  return {.case_name = problem.name(),
          .rung = rung.id,
          .title = rung.title,
          .absent = "no GPU: " + this_machine().no_device_reason,
          .lines = code_lines_of(rung.files)};
}

/// Opens the devices that the rungs need: the CPU for those of the list `of_cpu`, the device for
/// the others. A study without ceilings does not measure the device.
template <class Rung>
StudyPlaces open_places(const StudyOptions& options, const std::vector<const Rung*>& rungs,
                        const std::vector<Rung>& of_cpu, StudyResult& result,
                        void (*measure)(StudyPlaces&, StudyResult&) = open_cpu,
                        bool measured_device = true) {
  const auto is_of_cpu = [&](const Rung* rung) { return stands_in(of_cpu, rung); };
  StudyPlaces places;
  if (std::any_of(rungs.begin(), rungs.end(), is_of_cpu)) measure(places, result);
  if (!std::all_of(rungs.begin(), rungs.end(), is_of_cpu))
    open_device(options, places, result, measured_device);
  return places;
}

/// A rung of the list `of_cpu` runs on the host, on one thread or on all; others run on the device,
/// if there is one.
template <class Rung, class Case>
StudyRow row_of(const Rung& rung, const Case& problem, StudyPlaces& places,
                const std::vector<Rung>& of_cpu, bool one_thread) {
  if (stands_in(of_cpu, &rung))
    return run_rung(rung, problem, places.host,
                    one_thread || rung.threads == 1 ? places.one_thread : places.all_threads);
  if (places.device) return run_rung(rung, problem, *places.device, places.on_device);
  return row_without_device(rung, problem);
}

}  // namespace tessera
