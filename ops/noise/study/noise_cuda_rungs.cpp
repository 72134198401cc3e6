// SPDX-License-Identifier: Apache-2.0
// CUDA programs by hand. Images are on the device.
#include "core/kernel.hpp"
#include "core/piece_launch.hpp"
#include "ops/noise/study/noise_rungs.hpp"

namespace tessera {
namespace {

constexpr int kHistogramBytes = kBoxStudyCounts * static_cast<int>(sizeof(int));

struct CudaWay {
  std::string id, title, unit, entry;
  NoiseTruth truth = NoiseTruth::exact;
  bool copies = false;   ///< needs room for the values of all boxes
  int shared_bytes = 0;  ///< of a block
};

Extent3 blocks_of(const CudaWay& way, const BoxStudyArgs& args) {
  const long long pixels = 1LL * args.width * args.made.count();
  if (way.unit == "n3_box_histogram") return {static_cast<unsigned>(pixels)};
  if (way.unit == "n4_box_slide")
    return {blocks_for(args.width, kBoxStudyRun), blocks_for(args.made.count(), kBoxStudyRows)};
  return {blocks_for(pixels, kBoxStudyThreads)};
}

PreparedRung prepare_by_hand(const NoiseCase& c, const CudaWay& way, Stream& stream) {
  const GpuKernel& kernel = find_kernel(stream.device(), {way.unit, way.entry, "", ""});
  const NoiseMade made = made_by_noise_rung(way.id);
  BoxStudyArgs args = c.args(made);
  const auto room = std::make_shared<Scratch>();
  if (way.copies) {
    const double values = c.pixels(made) * c.box().width * c.box().height;
    *room = stream.scratch(static_cast<std::size_t>(values) * sizeof(float));
    args.room = room->as<float>();
  }
  PreparedRung rung = described_noise(c, way.id, way.truth);
  rung.block_x = kBoxStudyThreads;
  rung.block_y = 1;
  rung.registers = kernel.registers();
  rung.shared_bytes = way.shared_bytes;
  rung.run = [&kernel, way, args, room](Stream& on) {
    kernel.launch(on, blocks_of(way, args), {kBoxStudyThreads}, way.shared_bytes, args);
  };
  return rung;
}

NoiseRung by_hand(const CudaWay& way, const std::string& bodies) {
  return {way.id,
          way.title,
          {noise_ladder_file(way.unit), noise_ladder_file(bodies),
           noise_ladder_file("box_study_args.")},
          [way](const NoiseCase& c, Stream& s) { return prepare_by_hand(c, way, s); }};
}

const CudaWay& slide_way() {
  static const CudaWay way{.id = "gpu.slide",
                           .title = "one warp per row, its histogram slides",
                           .unit = "n4_box_slide",
                           .entry = "box_slide_entry",
                           .truth = NoiseTruth::sorted,
                           .shared_bytes = kBoxStudyRows * kHistogramBytes};
  return way;
}

std::vector<NoiseRung> make_cuda_rungs() {
  std::vector<NoiseRung> rungs{by_hand({.id = "gpu.sort",
                                        .title = "one thread per pixel sorts its box",
                                        .unit = "n1_box_sort",
                                        .entry = "box_sort_entry",
                                        .copies = true},
                                       "box_study_bodies."),
                               by_hand({.id = "gpu.select",
                                        .title = "one thread per pixel selects in its box",
                                        .unit = "n2_box_select",
                                        .entry = "box_select_entry"},
                                       "box_study_bodies."),
                               by_hand({.id = "gpu.histogram",
                                        .title = "one block per pixel, histogram in shared memory",
                                        .unit = "n3_box_histogram",
                                        .entry = "box_histogram_entry",
                                        .truth = NoiseTruth::sorted,
                                        .shared_bytes = kHistogramBytes},
                                       "box_study_bodies."),
                               by_hand(slide_way(), "box_slide_bodies."), noise_stream_rung()};
  for (NoiseRung& ours : our_noise_rungs(Backend::cuda)) rungs.push_back(std::move(ours));
  return rungs;
}

}  // namespace

void launch_box_slide(const NoiseCase& c, Stream& stream) {
  const CudaWay& way = slide_way();
  const BoxStudyArgs args = c.args(NoiseMade::device);
  find_kernel(stream.device(), {way.unit, way.entry, "", ""})
      .launch(stream, blocks_of(way, args), {kBoxStudyThreads}, way.shared_bytes, args);
}

const std::vector<NoiseRung>& noise_cuda_rungs() {
  static const std::vector<NoiseRung> rungs = make_cuda_rungs();
  return rungs;
}

}  // namespace tessera
