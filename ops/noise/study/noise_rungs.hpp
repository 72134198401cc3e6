// SPDX-License-Identifier: Apache-2.0
/// The rungs of the study of noise. Names: "cpu.sort" sorts every box; "gpu.slide" is a warp with a
/// histogram that slides; "gpu.stream" is the same from host to host; "cpu.ours.exact" is the
/// product.
#pragma once

#include <string>
#include <vector>

#include "ops/noise/study/noise_case.hpp"
#include "study/rung.hpp"
#include "study/study_transfer.hpp"

namespace tessera {

using NoiseRung = Rung<NoiseCase>;

const std::vector<NoiseRung>& noise_cpu_rungs();
const std::vector<NoiseRung>& noise_cuda_rungs();

/// The product's rungs of one backend.
std::vector<NoiseRung> our_noise_rungs(Backend backend);
/// From and to the host, by the histogram that slides.
NoiseRung noise_stream_rung();

/// The parts of "gpu.stream", each by itself.
TransferTimes time_noise_transfer(const NoiseCase& c, Stream& stream);

inline std::string noise_ladder_file(const std::string& beginning) {
  return "ops/noise/study/" + beginning;
}
/// Whether it runs on one thread of the CPU.
bool is_of_one_thread_noise(const std::string& rung);
/// The output of a rung: its place and its rows.
NoiseMade made_by_noise_rung(const std::string& rung);
/// A rung with the figures of the case: the image read, two maps written.
PreparedRung described_noise(const NoiseCase& c, const std::string& id, NoiseTruth truth,
                             PreparedRung rung = {});

/// Enqueues the histogram that slides, over images on the device.
void launch_box_slide(const NoiseCase& c, Stream& stream);

}  // namespace tessera
