// SPDX-License-Identifier: Apache-2.0
// One Measurement Set.
#include <fmt/format.h>

#include <filesystem>

#include "io/ms/ms.hpp"
#include "jobs/xengine/imaging_output.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A Measurement Set that is replaced goes away with everything in its folder.
void check_nothing_inside(const XEngineJob& job) {
  std::error_code ignored;
  const fs::path set = fs::weakly_canonical(job.output, ignored);
  const auto check = [&](const char* what, const std::string& file) {
    if (file.empty()) return;
    const fs::path relative = fs::weakly_canonical(file, ignored).lexically_relative(set);
    if (!relative.empty() && *relative.begin() != "..")
      throw Error(ErrorKind::usage,
                  fmt::format("xengine: {}: the {} {} is in this folder; give another output",
                              job.output, what, file));
  };
  for (const std::string& input : job.inputs) check("input", input);
  check("array", job.choices.array);
  check("description", job.reading.description);
  check("picture", job.choices.picture);
}

MsHeader ms_header_of(const XEngineJob& job, const XEngineDescription& d) {
  std::vector<std::string> history =
      imaging_history("DATA is E1 conj(E2), UVW is of r1 - r2", job, d);
  if (job.choices.dut1 != 0)
    history.push_back(fmt::format("UVW with UT1 - UTC = {} s", job.choices.dut1));
  return {.polarisations = d.shape.polarisations,
          .frequency = d.frequency,
          .channel_width = *d.channel_width,
          .telescope = d.recording.telescope.empty() ? "UNKNOWN" : d.recording.telescope,
          .antennas = d.antennas.antennas,
          .history = history,
          .command = job.command};
}

class MsOutput : public XEngineOutput {
 public:
  MsOutput(const XEngineJob& job, const XEngineDescription& description)
      : path_(job.output),
        dut1_(job.choices.dut1),
        description_(assumed(job, description)),
        file_(job.output, job.force, ms_header_of(job, description_)) {
    if (description_.centre.drifts()) notes_.emplace_back(kDriftNote);
  }

  void write(const XEngineIntegration& in) override {
    file_.write(imaging_integration(in, description_, dut1_).values);
  }
  void prepare() override { file_.prepare(); }
  void finish() override {
    file_.finish();
    if (!file_.left_behind().empty())
      notes_.push_back(
          fmt::format("the old {} cannot be removed; it is now {}", path_, file_.left_behind()));
  }
  std::vector<std::string> files() const override { return {path_}; }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  XEngineDescription assumed(const XEngineJob& job, XEngineDescription description) {
    check_nothing_inside(job);
    check_known("a Measurement Set", job, description);
    assume_missing(description, notes_);
    return description;
  }
  std::string path_;
  double dut1_;
  std::vector<std::string> notes_;
  XEngineDescription description_;
  MsFile file_;
};

}  // namespace

std::unique_ptr<XEngineOutput> create_ms_output(const XEngineJob& job,
                                                const XEngineDescription& description) {
  return std::make_unique<MsOutput>(job, description);
}

}  // namespace tessera
