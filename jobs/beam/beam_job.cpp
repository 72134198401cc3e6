// SPDX-License-Identifier: Apache-2.0
#include "jobs/beam/beam_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/counted.hpp"
#include "core/pools.hpp"
#include "io/cube_file.hpp"
#include "io/formats.hpp"
#include "io/header_cards.hpp"
#include "jobs/agreement.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/beam/beam_files.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "jobs/plane_order.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// All axes of the input, also those of length 1.
std::vector<long long> file_axes(const HeaderCards& header, const Size& size) {
  const std::string prefix = header.has("ZNAXIS") ? "Z" : "";
  const int count = static_cast<int>(header.number(prefix + "NAXIS").value_or(0));
  std::vector<long long> axes;
  for (int axis = 1; axis <= count; ++axis)
    axes.push_back(
        static_cast<long long>(header.number(fmt::format("{}NAXIS{}", prefix, axis)).value_or(1)));
  if (axes.size() < 2) axes = {size.width, size.height, size.planes};
  return axes;
}

BeamOptions plan_options(const BeamChoices& choices, BeamFlux flux) {
  return {flux, choices.backend, choices.method, choices.device};
}

/// The plan's strips, with the copy that it makes of its input.
StripPlan counted_strips(const BeamSmooth& plan) {
  StripPlan strips = strip_plan(plan);
  strips.inputs.push_back(plan.input());
  return strips;
}

void write_blank(ImageSink& sink, int plane, ImageInfo info) {
  constexpr long long kPartBytes = 1 << 20;
  const int height = info.size.height;
  info.size.planes = 1;
  info.size.height = static_cast<int>(std::clamp<long long>(
      kPartBytes / std::max(1LL, 1LL * info.size.width * bytes_of(info.type)), 1, height));
  const Scratch memory = host_scratch(static_cast<std::size_t>(bytes_of(info)));
  const AnyMutableView rows = packed(memory.data(), info);
  fill_missing(rows);
  for (int y = 0; y < height; y += info.size.height) {
    const int count = std::min(info.size.height, height - y);
    sink.write_plane(plane, {y, y + count}, AnyView(rows).rows(0, count));
  }
}

/// A running job.
class Run {
 public:
  Run(const BeamJob& job, const Progress& progress)
      : job_(job),
        progress_(progress),
        inputs_(beam_inputs(job)),
        target_(target_beam(job, inputs_)) {
    for (const BeamInput& input : inputs_) planes_ += static_cast<long long>(input.beams.size());
    result_.bmaj = target_.major;
    result_.bmin = target_.minor;
    result_.bpa = target_.angle;
  }

  BeamResult result() {
    check_same_inputs();
    if (job_.output.ends_with('/')) made_folder(job_.output);
    for (const BeamInput& input : inputs_) convolve_file(input);
    note_blanks();
    result_.pixels_per_second = pixels_ / std::max(result_.seconds.all, 1e-9);
    return std::move(result_);
  }

 private:
  /// All ranks have listed the inputs when rank 0 begins to make files, perhaps next to them.
  void check_same_inputs() const {
    std::string list;
    for (const BeamInput& input : inputs_) list += input.path + "\n";
    check_same_list(job_.inputs.front(), std::ssize(inputs_), list);
  }

  void convolve_file(const BeamInput& input) {
    const auto file = open_input(input.path, job_.reading, job_.settings);
    check_same_file(input.path, file->info());
    const auto sink = create(*file, input);
    BeamFile made{input.path, input.output, file->info().size.planes};
    bool any = false;
    for (int plane = 0; plane < made.channels; ++plane, ++done_) {
      const auto& beam = input.beams[static_cast<std::size_t>(plane)];
      if (!beam) {
        if (ranks().first()) write_blank(*sink, plane, file->info());
        ++made.blank_channels;
        continue;
      }
      const double factor =
          convolve_plane(*file, *sink, plane, {*beam, target_, input.pixel}, input.flux);
      made.copied_channels += plan_->copies();
      made.smallest_factor = any ? std::min(made.smallest_factor, factor) : factor;
      made.largest_factor = any ? std::max(made.largest_factor, factor) : factor;
      any = true;
    }
    {
      const Stopwatch all(result_.seconds.all), write(result_.seconds.write);
      sink->finish();
    }
    pixels_ += static_cast<double>(file->info().size.pixels());
    for (const std::string& warning : texts_of_ranks(file->warnings()))
      result_.warnings.push_back(warning);
    result_.files.push_back(std::move(made));
  }

  std::unique_ptr<ImageSink> create(const ImageSource& file, const BeamInput& input) const {
    HeaderCards header(file.header());
    header.set_number("BMAJ", target_.major / 3600, "[deg] major axis of the beam");
    header.set_number("BMIN", target_.minor / 3600, "[deg] minor axis of the beam");
    header.set_number("BPA", target_.angle, "[deg] its angle, from north to east");
    WriteOptions how = job_.writing;
    how.header = header.list();
    how.history = history_of(
        fmt::format("beam: convolved to {:.6g} x {:.6g} arcsec at {:.6g} degrees, values {}",
                    target_.major, target_.minor, target_.angle,
                    input.flux == BeamFlux::per_beam ? "per beam" : "of the surface"),
        changed_options(job_.options));
    const bool plain =
        how.compression == Compression::automatic || how.compression == Compression::none;
    if (!plain) return create_image(input.output, file.info(), how);
    return std::move(create_cubes(
        input.output, {{file.info(), file_axes(header, file.info().size), how, {}}})[0]);
  }

  /// Returns the factor of the values.
  double convolve_plane(ImageSource& file, ImageSink& sink, int plane, const BeamChange& change,
                        BeamFlux flux) {
    ImageInfo info = file.info();
    info.size.planes = 1;
    const bool same = plan_ && plan_->input() == info && last_.from == change.from &&
                      last_flux_ == flux && last_pixel_ == pixel_numbers(change.pixel);
    if (!same) {
      const Stopwatch all(result_.seconds.all), work(result_.seconds.work);
      plan_.emplace(plan_of_ranks(
          plan_options(job_.options, flux),
          [&](const BeamOptions& options) { return BeamSmooth(info, change, options); }));
      check_same_method(plan_->describe(), plan_->copies());
      last_ = change;
      last_flux_ = flux;
      last_pixel_ = pixel_numbers(change.pixel);
    }
    if (result_.ran.empty() && !plan_->copies()) result_.ran = plan_->describe();
    OnePlaneSource from(file, plane);
    OnePlaneSink to(sink, plane);
    Stream stream = job_.settings.stream(plan_->device());
    stream_timed(from, to, counted_strips(*plan_), stream, result_.seconds, [&](int done, int all) {
      if (progress_) progress_(done_ * all + done, planes_ * all);
    });
    return plan_->factor();
  }

  static std::array<double, 4> pixel_numbers(const SkySteps& s) {
    return {s.east_x, s.east_y, s.north_x, s.north_y};
  }

  void note_blanks() {
    int without = 0, beyond = 0;
    for (const BeamInput& input : inputs_)
      without += input.without_beam, beyond += input.beyond_cutoff;
    if (without > 0)
      result_.notes.push_back(fmt::format("{} {} no beam and {} blank", counted(without, "channel"),
                                          without == 1 ? "has" : "have",
                                          without == 1 ? "is" : "are"));
    if (beyond > 0)
      result_.notes.push_back(fmt::format(
          "{} {} a beam beyond the cutoff of {} arcsec and {} blank", counted(beyond, "channel"),
          beyond == 1 ? "has" : "have", *job_.options.cutoff, beyond == 1 ? "is" : "are"));
  }

  const BeamJob& job_;
  const Progress& progress_;
  std::vector<BeamInput> inputs_;
  Beam target_;
  BeamResult result_;
  long long planes_ = 0, done_ = 0;
  double pixels_ = 0;
  std::optional<BeamSmooth> plan_;  ///< of the last plane: those of a file may have one beam
  BeamChange last_;
  BeamFlux last_flux_ = BeamFlux::per_beam;
  std::array<double, 4> last_pixel_{};
};

}  // namespace

bool can_be_shared(const BeamJob& job) { return std::ranges::count(job.inputs, "-") == 0; }

BeamResult BeamJob::run(const Progress& progress) const {
  check_ranges("beam", options);
  return Run(*this, progress).result();
}

}  // namespace tessera
