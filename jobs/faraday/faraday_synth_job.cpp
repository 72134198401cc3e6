// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_synth_job.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/counted.hpp"
#include "io/output_set.hpp"
#include "jobs/agreement.hpp"
#include "jobs/faraday/faraday_channels.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "jobs/faraday/faraday_pattern_map.hpp"
#include "jobs/faraday/faraday_pictures.hpp"
#include "jobs/faraday/faraday_planes.hpp"
#include "jobs/faraday/faraday_products.hpp"
#include "jobs/faraday/stokes_fit_products.hpp"
#include "jobs/history.hpp"
#include "jobs/timing.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Several sinks as one.
class AllSinks : public RowSink {
 public:
  explicit AllSinks(std::vector<RowSink*> sinks) : sinks_(std::move(sinks)) {}
  void write(Rows rows, AnyView from) override {
    for (RowSink* sink : sinks_) sink->write(rows, from);
  }
  void finish() override {}
  int block_rows() const override {
    int rows = 1;
    for (const RowSink* sink : sinks_) rows = std::lcm(rows, sink->block_rows());
    return rows;
  }

 private:
  std::vector<RowSink*> sinks_;
};

void write_rmsfs(const FaradayPatterns& patterns, FaradayOutputs& outputs) {
  const int count = patterns.count(), length = static_cast<int>(patterns.rmsf(0).value.size());
  Image image({count, 1, 1, 3 * length}, Type::f32);
  for (int n = 0; n < count; ++n)
    for (int p = 0; p < length; ++p) {
      const std::complex<double> value = patterns.rmsf(n).value[static_cast<std::size_t>(p)];
      image.as<float>().at(n, 0, 0, p) = static_cast<float>(value.real());
      image.as<float>().at(n, 0, 0, length + p) = static_cast<float>(value.imag());
      image.as<float>().at(n, 0, 0, 2 * length + p) = static_cast<float>(std::abs(value));
    }
  outputs.write({0, 1}, image.view());
}

void describe_axes(const FaradayJobChannels& channels, FaradaySynthResult& result) {
  const FaradayAxes& axes = channels.axes;
  result.channels = axes.channels();
  result.dead_channels = channels.dead;
  result.depths = axes.depths();
  result.phi_min = axes.phi.front();
  result.phi_max = axes.phi.back();
  result.dphi = axes.dphi;
  result.lambda2_0 = axes.lambda2_0;
  result.fwhm = axes.fwhm;
  result.max_scale = axes.max_scale;
  if (!channels.note.empty()) result.notes.push_back(channels.note);
}

void describe_patterns(const FaradayPatterns& patterns, bool written, FaradaySynthResult& result) {
  result.fwhm = patterns.rmsf(0).fwhm;
  result.fitted = patterns.rmsf(0).fitted;
  result.patterns = patterns.distinct();
  result.incomplete_pixels = patterns.incomplete_pixels();
  result.empty_pixels = patterns.empty_pixels();
  if (patterns.other_pixels() > 0 && written)
    result.notes.push_back(
        fmt::format("pixels lack channels in more than {} ways: {} {} no RMSF in the "
                    "files, -2 in RMSF_pattern; --rmsf pixels gives every pixel its own",
                    FaradayPatterns::kMost, counted(patterns.other_pixels(), "pixel"),
                    patterns.other_pixels() == 1 ? "has" : "have"));
}

std::string options_text(const FaradaySynthJob& job) {
  FaradaySynthChoices choices = job.choices;
  choices.picture.clear();
  choices.picture_rmsf.clear();
  std::string text;
  for (const std::string& part :
       {changed_options(job.options), changed_options(choices), changed_options(job.cleaning),
        changed_options(job.files.fitting)})
    if (!part.empty()) text += (text.empty() ? "" : " ") + part;
  return text;
}

/// Reads all of the channels that have no data, so faults of the job are reported before.
FaradayJobChannels channels_of(const FaradaySynthJob& job, FaradayVoxelInput& voxels) {
  check_picture_pixel(job, voxels.cubes().cube().size);
  return faraday_channels_of(job, voxels);
}

std::optional<FaradayCleanOptions> cleaning_of(const FaradaySynthJob& job) {
  if (!job.cleaning.clean) return std::nullopt;
  const FaradaySynthCleaning& c = job.cleaning;
  return FaradayCleanOptions{.cutoff = c.cutoff,
                             .gain = c.gain,
                             .iterations = c.iterations,
                             .window = c.window,
                             .device = job.options.device};
}

/// Options of cleaning without --clean, and cleaning without an RMSF, are mistakes.
void check_cleaning(const FaradaySynthJob& job) {
  const FaradaySynthCleaning& c = job.cleaning;
  if (!c.clean && (c.cutoff != 0 || c.window))
    throw Error(ErrorKind::usage,
                fmt::format("faraday: {} is given, but spectra are not cleaned; give --clean too",
                            c.cutoff != 0 ? "a cutoff" : "a window"));
  if (c.clean && job.choices.no_rmsf)
    throw Error(ErrorKind::usage,
                "faraday: --clean subtracts the RMSF, and --no-rmsf makes none; give one of them");
  faraday_cubes_of(job);
}

/// Results that only one RMSF per pixel can describe.
void check_rmsf_files(const FaradaySynthJob& job, const FaradayVoxelInput& voxels) {
  if (job.choices.rmsf != FaradayRmsfFiles::patterns) return;
  const bool one_file = job.choices.one_file;
  if (!one_file && !voxels.has_weights()) return;
  throw Error(ErrorKind::usage,
              fmt::format("faraday: --rmsf patterns is given, but {}; give --rmsf pixels",
                          one_file ? "RMSF.fits of --one-file has one RMSF per pixel"
                                   : "weights differ from pixel to pixel, and so does every RMSF"));
}

/// The rank that has made a row: in parts of a run, which are joined, that of its unit.
int rank_of_row(const RowUnits& units, int row) {
  if (!ranks().apart()) return ranks().rank();
  return 1 + row / units.rows() % (ranks().count() - 1);
}

/// A running job; its functions are called in this order.
class Run {
 public:
  explicit Run(const FaradaySynthJob& job)
      : job_(job),
        memory_(job.settings),
        input_(job.files, job.reading, memory_),
        voxels_({job.choices.noise, job.choices.weights}, input_, job.reading, memory_),
        channels_(channels_of(job, voxels_)),
        of_{job, input_.q(), channels_.axes, !voxels_.knows_noise(), has_rmsf_cube()} {
    check_rmsf_files(job, voxels_);
    const FaradayAxes& axes = channels_.axes;
    // Without a step between depths there is no RMSF.
    if (!job.choices.no_rmsf && axes.regular())
      patterns_.emplace(axes, job.choices.fit_rmsf || axes.lambda2_0 == 0,
                        (is_brentjens() && !job.cleaning.clean) || voxels_.has_weights());
    else if (!job.choices.picture_rmsf.empty())
      throw Error(ErrorKind::usage,
                  fmt::format("faraday: a grid of one depth has no RMSF that {} could show; leave "
                              "out --picture-rmsf",
                              job.choices.picture_rmsf));
    if (job.cleaning.clean && !patterns_)
      throw Error(ErrorKind::usage,
                  "faraday: a grid of one depth cannot be cleaned; leave out --clean");
    products_ = faraday_products(of_, patterns_ && !as_text());
    if (input_.fit_plan()) products_.layout.fitted = products_.layout.add(kFittedPlanes);
    check_same_file(job.files.q, voxels_.info());
    plan_of_ranks(job.options, [&](const FaradayOptions& options) {
      strips_.emplace(FaradayStripsOf{voxels_, axes, channels_.sigma, options, products_.maps,
                                      patterns_ ? patterns_->rmsf(0).fwhm : axes.fwhm,
                                      products_.layout, patterns_ ? &*patterns_ : nullptr,
                                      cleaning_of(job)});
      return strips_->synth();
    });
    check_same_method(strips_->synth().describe(), false);
    how_ = job.writing;
    const FaradayStripClean* clean = strips_->clean();
    how_.history =
        history_of(strips_->synth().describe() + "; " +
                       (clean ? clean->plan().describe() + "; " : "") + strips_->maps().describe(),
                   options_text(job));
  }

  /// Begins all files, and makes the results that are computed in strips.
  void stream(const Progress& progress) {
    if (is_apart())
      for (const FaradayProduct& product : rmsf_products(of_, 1))
        check_output_name(product.file, how_.force);
    if (as_text()) check_output_name(job_.output + "rmsf.txt", how_.force);
    std::vector<RowSink*> sinks{&outputs_.emplace(products_.streamed, how_, total_)};
    if (is_apart())
      sinks.push_back(&map_of_patterns_.emplace(products_.pattern.front(), how_, total_));
    if (input_.fit_plan()) sinks.push_back(&fits_.emplace(fit_products(), how_, total_));
    AllSinks sink(std::move(sinks));
    const StripPlan plan = strips_->plan();
    const auto beside =
        static_cast<double>(voxels_.scratch_bytes_a_row() + strips_->scratch_bytes_a_row());
    if (patterns_) hold_patterns(FaradayMemory::strip_row_bytes(plan, beside));
    Stream stream = memory_.stream_for(plan, strips_->synth().device(), beside);
    stream_timed(voxels_, sink, plan, stream, seconds_, progress);
    strips_->join_ranks();
    if (patterns_) patterns_->join_ranks(is_apart(), stream.threads());
    if (is_apart() && !is_part() && !is_for_one_process()) {
      const RowUnits units(plan, sink.block_rows());
      map_of_patterns_->renumber([&](int row, int number) {
        return patterns_->joined_number(rank_of_row(units, row), number);
      });
    }
  }

  /// Whether ranks have found that one process must do it (FaradayPatterns::are_too_many).
  bool is_for_one_process() const {
    return ranks().count() > 1 && !is_part() && patterns_ && !patterns_->only_counts() &&
           patterns_->are_too_many();
  }

  /// Renames all files to their final names.
  void place() {
    const Stopwatch watch(seconds_.write);
    std::optional<FaradayOutputs> rmsfs;
    if (is_apart()) {
      rmsfs.emplace(rmsf_products(of_, patterns_->count()), how_, total_);
      if (ranks().first()) write_rmsfs(*patterns_, *rmsfs);
    }
    if (!is_apart() || patterns_->count() == 1) map_of_patterns_.reset();
    *total_ = clock_.seconds();
    OutputSet together;
    for (FaradayOutputs* outputs :
         {fits_ ? &*fits_ : nullptr, rmsfs ? &*rmsfs : nullptr,
          map_of_patterns_ ? &map_of_patterns_->outputs() : nullptr, &*outputs_})
      if (outputs) {
        outputs->place();
        files_.insert(files_.begin(), outputs->files().begin(), outputs->files().end());
      }
    if (as_text()) files_.push_back(write_rmsf_text(job_, patterns_->rmsf(0)));
    together.place();
  }

  FaradaySynthResult result() {
    FaradaySynthResult result;
    result.ran = strips_->synth().describe();
    result.maps_ran = strips_->maps().describe();
    result.files = files_;
    describe_axes(channels_, result);
    if (const StokesFit* fit = input_.fit_plan()) {
      const StokesFitCounts& counts = strips_->fit_counts();
      result.fit_ran = fit->describe();
      result.fit_counts = counts.text();
      result.fitted_pixels = counts[StokesStatus::fitted];
    }
    if (patterns_) describe_patterns(*patterns_, is_apart(), result);
    const FaradaySeen& seen = strips_->seen();
    result.noise = seen.noise;
    if (const FaradayStripClean* clean = strips_->clean()) {
      result.clean_ran = clean->plan().describe();
      result.cleaned_pixels = clean->counts().cleaned_pixels;
      result.iterations = clean->counts().iterations;
      result.at_limit = clean->counts().at_limit;
    }
    result.max_pi = seen.max_pi;
    result.peak_rm = seen.peak_rm;
    result.brightest_x = seen.brightest.x;
    result.brightest_y = seen.brightest.y;
    draw_pictures(job_, voxels_, channels_.axes, seen, patterns_ ? &patterns_->rmsf(0) : nullptr,
                  result);
    result.seconds = seconds_;
    result.seconds.all = clock_.seconds();
    const Size size = input_.cube().size;
    result.pixels_per_second = 1.0 * size.width * size.height / result.seconds.all;
    result.warnings = texts_of_ranks(input_.warnings());
    return result;
  }

 private:
  /// Their number is known only at the end.
  void hold_patterns(double strip_row) {
    const double all = FaradayPatterns::kMost *
                       FaradayPatterns::bytes_a_pattern(channels_.axes, patterns_->only_counts());
    const double enough = memory_.limit_for(all, strip_row);
    patterns_->limit(memory_.reserve("RMSFs of flagged pixels", all, strip_row), enough);
  }
  /// The files of a fit to Stokes I in this run.
  std::vector<FaradayProduct> fit_products() const {
    const auto map = [&](const char* name, int plane) {
      return stokes_map(job_.output, *input_.model(), name, "", products_.layout.fitted + plane);
    };
    return {map("Ifit_alpha", kFittedAlpha), map("Ifit_alphaerr", kFittedAlphaError),
            map("Ifit_status", kFittedStatus)};
  }
  /// Names of files that exist only without one RMSF per pixel.
  bool is_brentjens() const { return job_.choices.names == FaradayNames::brentjens; }
  bool as_text() const { return patterns_ && is_brentjens(); }
  bool is_apart() const { return patterns_ && !as_text() && !has_rmsf_cube(); }
  /// Weights of pixels make RMSFs of pixels, which patterns of flags cannot tell apart.
  bool has_rmsf_cube() const {
    if (job_.choices.one_file || voxels_.has_weights()) return true;
    return job_.choices.rmsf == FaradayRmsfFiles::automatic
               ? faraday_cubes_of(job_).dirty
               : job_.choices.rmsf == FaradayRmsfFiles::pixels;
  }

  FaradayClock clock_;
  const FaradaySynthJob& job_;
  FaradayMemory memory_;
  FaradayInput input_;
  FaradayVoxelInput voxels_;
  FaradayJobChannels channels_;
  FaradayProductsOf of_;
  std::optional<FaradayPatterns> patterns_;
  FaradayProducts products_;
  std::optional<FaradayStrips> strips_;
  WriteOptions how_;
  std::shared_ptr<double> total_ = std::make_shared<double>(0);
  std::optional<FaradayOutputs> outputs_, fits_;
  std::optional<FaradayPatternMap> map_of_patterns_;
  StageSeconds seconds_;
  std::vector<std::string> files_;
};

}  // namespace

// The pixel of a picture is known at the end: one process makes it.
bool can_be_shared(const FaradaySynthJob& job) {
  const FaradaySynthChoices& choices = job.choices;
  return choices.picture.empty() && choices.picture_rmsf.empty();
}

FaradaySynthResult FaradaySynthJob::run(const Progress& progress) const {
  check_plots(*this);
  check_cleaning(*this);
  {
    Run run(*this);
    run.stream(progress);
    if (!run.is_for_one_process()) {
      run.place();
      return run.result();
    }
  }
  FaradaySynthResult result;
  told_by_first([&] {
    const UnsharedRun alone;
    Run run(*this);
    run.stream(progress);
    run.place();
    result = run.result();
    result.notes.push_back(
        fmt::format("pixels lack channels in more than {} ways, so one process or device has made "
                    "all of this again",
                    FaradayPatterns::kMost));
    return std::string();
  });
  return result;
}

}  // namespace tessera
