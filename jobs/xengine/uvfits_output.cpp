// SPDX-License-Identifier: Apache-2.0
// One UVFITS file.
#include <fmt/format.h>

#include "jobs/xengine/imaging_output.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

double channel_step(const XEngineJob& job, const XEngineDescription& d) {
  if (!evenly_spaced(d.frequency))
    throw Error(
        ErrorKind::usage,
        fmt::format("xengine: {}: channels are not evenly spaced, as UVFITS requires; write .npy",
                    job.output));
  if (d.frequency.size() == 1) return *d.channel_width;
  return (d.frequency.back() - d.frequency.front()) / static_cast<double>(d.frequency.size() - 1);
}

UvfitsHeader header_of(const XEngineJob& job, const XEngineDescription& d) {
  return {.polarisations = d.shape.polarisations,
          .channels = d.output.channels,
          .frequency = d.frequency.front(),
          .channel_step = channel_step(job, d),
          .first_time = *d.recording.start,
          .dut1 = job.choices.dut1,
          .doubles = job.options.output_type == VisibilityType::f64,
          .telescope = d.recording.telescope.empty() ? "UNKNOWN" : d.recording.telescope,
          .object = d.recording.source,
          .antennas = d.antennas.antennas,
          .history = imaging_history("groups hold E1 conj(E2), u v w are of r1 - r2", job, d)};
}

class UvfitsOutput : public XEngineOutput {
 public:
  UvfitsOutput(const XEngineJob& job, const XEngineDescription& description)
      : path_(job.output),
        dut1_(job.choices.dut1),
        description_(assumed(job, description)),
        file_(job.output, job.force, header_of(job, description_)) {
    if (description_.centre.drifts()) notes_.emplace_back(kDriftNote);
  }

  void write(const XEngineIntegration& in) override {
    file_.write(imaging_integration(in, description_, dut1_).values);
  }
  void prepare() override { file_.prepare(); }
  void finish() override { file_.finish(); }
  std::vector<std::string> files() const override { return {path_}; }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  XEngineDescription assumed(const XEngineJob& job, XEngineDescription description) {
    check_known("UVFITS", job, description);
    assume_missing(description, notes_);
    return description;
  }
  std::string path_;
  double dut1_;
  std::vector<std::string> notes_;
  XEngineDescription description_;
  UvfitsFile file_;
};

}  // namespace

std::unique_ptr<XEngineOutput> create_uvfits_output(const XEngineJob& job,
                                                    const XEngineDescription& description) {
  return std::make_unique<UvfitsOutput>(job, description);
}

}  // namespace tessera
