// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_job.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/pools.hpp"
#include "io/output_set.hpp"
#include "jobs/agreement.hpp"
#include "jobs/history.hpp"
#include "jobs/metadata_note.hpp"
#include "jobs/noise/noise_bane.hpp"
#include "jobs/noise/noise_maker.hpp"
#include "jobs/noise/noise_notes.hpp"
#include "jobs/noise/noise_outputs.hpp"
#include "jobs/noise/noise_picture.hpp"
#include "jobs/noise/noise_planes.hpp"
#include "jobs/noise/noise_products.hpp"
#include "jobs/noise/noise_refusals.hpp"
#include "jobs/noise/noise_strips.hpp"
#include "jobs/noise/noise_whole_maps.hpp"
#include "jobs/noise/pass_progress.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

NoiseOptions options_of(const NoiseJob& job, const NoiseInput& input) {
  if (job.choices.like == NoiseLike::none) return job.options;
  return as_bane(job.options, job.given, HeaderCards(input.file().header()));
}

std::string note_of(const NoiseJob& job, const NoiseInput& input, const NoiseOptions& options) {
  if (job.choices.like == NoiseLike::none) return "";
  const ImageSource& file = input.file();
  return bane_note(options, job.given, HeaderCards(file.header()), !file.beams().rows.empty());
}

std::string options_text(const NoiseJob& job, const NoiseOptions& options) {
  NoiseChoices choices = job.choices;
  choices.picture.clear();
  choices.only.reset();
  const std::string first = changed_options(options), second = changed_options(choices);
  return first + (first.empty() || second.empty() ? "" : " ") + second;
}

/// A running job; its functions are called in this order.
class Run {
 public:
  explicit Run(const NoiseJob& job)
      : job_(job),
        input_({job.input, job.choices.slice, job.choices.mask}, job.reading, job.settings),
        options_(options_of(job, input_)),
        maker_(plan_of_ranks(
            options_,
            [this](const NoiseOptions& options) { return NoiseMaker(input_.info(), options); })),
        products_(noise_products(job, noise_ending(input_.file()))),
        planes_(input_.info().size, count()) {
    check_noise_files(job, products_);
    check_noise_planes(job, input_);
    check_noise_apart(job, options_.mode);
    check_same_file(job.input, input_.info());
    check_same_method(maker_.describe(), options_.mode == NoiseMode::exact);
    if (!job.choices.picture.empty()) small_.emplace(input_.info().size, count());
    WriteOptions how = job.writing;
    how.history = history_of(maker_.describe(), options_text(job, options_));
    outputs_.emplace(products_, input_, how);
  }

  /// All planes, one after the other.
  void sweep(const Progress& progress) {
    const bool fill = job_.choices.fill;
    const PlaneRange planes = input_.planes();
    PassProgress passes(progress, (maker_.sweeps() + (fill ? 2 : 1)) * planes.count());
    check_room();
    Image maps = fill ? Image(maker_.maps()) : Image();
    for (int plane = planes.first; plane < planes.end; ++plane) {
      input_.select(plane);
      outputs_->select(plane - planes.first);
      summary_.emplace(input_.info().size, count(), options_.zero_is_blank);
      sweep_plane(passes, maps);
      summary_->join_ranks();
      planes_.add(plane, *summary_);
    }
  }

  /// Renames all files to their final names.
  void place() {
    if (planes_.seen().image.blanks == planes_.pixels())
      throw Error(ErrorKind::input, fmt::format("noise: {} has no valid pixel: all {} are blank",
                                                input_.name(), planes_.pixels()));
    OutputSet together;
    timed([&] { outputs_->place(); });
    if (small_) draw();
    timed([&] { together.place(); });
  }

  NoiseResult result() {
    result_.ran = maker_.describe();
    result_.input = job_.input;
    result_.files = outputs_->files();
    for (const std::string& file : {result_.picture, figures_})
      if (!file.empty()) result_.files.push_back(file);
    const Size size = input_.info().size;
    result_.width = size.width;
    result_.height = size.height;
    result_.plane = input_.planes().first;
    result_.pixels = planes_.pixels();
    result_.blanks = planes_.seen().image.blanks;
    result_.nodes = maker_.nodes();
    result_.refined = refined_;
    for (const NoiseProduct& product : products_) describe_map(product);
    result_.planes = planes_.planes();
    for (const std::string& note : {note_of(job_, input_, options_), planes_.blank_planes()})
      if (!note.empty()) result_.notes.push_back(note);
    add_beam_note(input_.file(), result_.notes);
    for (const std::string& note : noise_notes(products_, planes_.seen(), planes_.pixels()))
      result_.notes.push_back(note);
    result_.seconds = seconds_;
    result_.pixels_per_second = static_cast<double>(result_.pixels) / seconds_.all;
    result_.warnings = texts_of_ranks(input_.warnings());
    return result_;
  }

 private:
  /// The selected plane; `maps` is memory for whole maps, if these are filled.
  void sweep_plane(PassProgress& passes, Image& maps) {
    for (int sweep = 0; sweep < maker_.sweeps(); ++sweep) {
      Stream stream = stream_beside(held());
      maker_.look(sweep, input_, stream, seconds_, passes.next());
    }
    refined_ += maker_.refined();
    Stream stream = stream_beside(held());
    if (!maps)
      return stream_timed(input_, *outputs_, file_rows(maker_.rows()), stream, seconds_,
                          passes.next());
    NoiseWholeMaps sink(maps.view());
    stream_timed(input_, sink, maker_.rows(), stream, seconds_, passes.next());
    sink.join_ranks();
    fill_from_nearest(maps.view(), stream);
    stream_timed(input_, *outputs_, file_rows(rows_at_hand(input_.info(), maps.view())), stream,
                 seconds_, passes.next());
  }
  int count() const { return static_cast<int>(products_.size()); }
  StripPlan file_rows(StripPlan maps) {
    const bool snr = count() > maps.outputs[0].size.planes;
    return noise_file_rows(std::move(maps), {snr, options_.zero_is_blank},
                           [this](AnyView image, AnyView planes, int first_row, int threads) {
                             summary_->see(image, planes, first_row, threads);
                             if (small_) small_->see(image, planes, first_row);
                           });
  }
  double memory_limit() const {
    return static_cast<double>(job_.settings.stream(maker_.device()).memory_limit());
  }
  /// Throws Error(resources) if the data held whole does not fit next to strips of one row.
  void check_room() {
    const double all = held() + static_cast<double>(least_strip_bytes(file_rows(maker_.rows())));
    if (held() == 0 || all <= memory_limit()) return;
    const Size size = input_.info().size;
    const auto [what, advice] =
        job_.choices.fill
            ? std::pair{std::string("--fill keeps whole maps in memory"), "leave out --fill"}
            : std::pair{fmt::format("mode grid keeps its {} nodes in memory", maker_.nodes()),
                        "a larger --grid"};
    throw Error(ErrorKind::resources,
                fmt::format("noise: {}, but {} is too little for {}x{} pixels; give a "
                            "--memory-limit of {} or more, or {}",
                            what, bytes_text(memory_limit()), size.width, size.height,
                            bytes_text(all), advice));
  }
  /// Data that is held whole: nodes, and maps that are filled.
  double held() const {
    return static_cast<double>(maker_.node_bytes()) + (job_.choices.fill ? held_by_filling() : 0.0);
  }
  /// The maps, and for every pixel the place of the nearest value.
  double held_by_filling() const {
    return static_cast<double>(bytes_of(maker_.maps())) +
           static_cast<double>(sizeof(int)) * static_cast<double>(input_.info().size.pixels());
  }
  Stream stream_beside(double held) const {
    const Stream all = job_.settings.stream(maker_.device());
    const double rest = static_cast<double>(all.memory_limit()) - held;
    return Stream(maker_.device(), all.threads(), static_cast<std::size_t>(rest));
  }
  /// Counted as writing, because gnuplot's time is not that of the work.
  template <class Work>
  void timed(Work work) {
    const Stopwatch all(seconds_.all), write(seconds_.write);
    work();
  }
  void draw() {
    const Picture picture =
        draw_noise_picture({input_, products_, *small_, job_.choices.picture, job_.writing.force});
    result_.picture = picture.path;
    if (!picture.note.empty()) result_.notes.push_back(picture.note);
    figures_ = picture.numbers;
  }
  void describe_map(const NoiseProduct& product) {
    const NoiseSpan& range = planes_.seen().maps[static_cast<std::size_t>(product.plane)];
    result_.maps.push_back({product.name, product.file, planes_.median(product.plane), range.low,
                            range.high, range.pixels});
  }

  const NoiseJob& job_;
  NoiseInput input_;
  NoiseOptions options_;
  NoiseMaker maker_;
  std::vector<NoiseProduct> products_;
  NoisePlanes planes_;
  std::optional<NoiseSummary> summary_;  ///< of the plane that is being made
  std::optional<NoiseSmall> small_;
  std::optional<NoiseOutputs> outputs_;
  StageSeconds seconds_;
  long long refined_ = 0;  ///< cells of all planes
  NoiseResult result_;
  std::string figures_;  ///< of the picture
};

}  // namespace

NoiseResult NoiseJob::run(const Progress& progress) const {
  check_noise_choices(*this);
  Run run(*this);
  run.sweep(progress);
  run.place();
  return run.result();
}

}  // namespace tessera
