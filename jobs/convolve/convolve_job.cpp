// SPDX-License-Identifier: Apache-2.0
#include "jobs/convolve/convolve_job.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "io/formats.hpp"
#include "io/raw.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "jobs/plane_order.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// A word with the ending of an image format is a file even where there is none: "no such file"
// helps more than "no such filter".
bool names_file(const std::string& text) {
  return format_of_name(text) || std::filesystem::is_regular_file(text);
}

/// The files of "outer:ROW.npy,COLUMN.npy"; nothing when it is something else.
std::optional<std::pair<std::string, std::string>> files_of_outer(const std::string& text) {
  const std::string start = "outer:";
  const std::size_t comma = text.find(',');
  if (!text.starts_with(start) || comma == std::string::npos) return std::nullopt;
  std::pair files{text.substr(start.size(), comma - start.size()), text.substr(comma + 1)};
  if (!names_file(files.first) || !names_file(files.second)) return std::nullopt;
  return files;
}

/// All weights of a file, as one vector.
std::vector<double> load_vector(const std::string& file) {
  const Image weights = load_filter(file);
  if (weights.info().size.width > 1 && weights.info().size.height > 1)
    throw Error(ErrorKind::input,
                fmt::format("{}: it has {} rows and {} columns; a row or column of weights has one "
                            "of either",
                            file, weights.info().size.height, weights.info().size.width));
  return samples_as_double(weights.view());
}

// With border valid the output begins where the filter first fits.
Point first_pixel(AnyView weights, const ConvolveOptions& options) {
  if (options.border != Border::valid) return {};
  return options.anchor.value_or(Point{weights.size.width / 2, weights.size.height / 2});
}

WriteOptions how_to_write(const ConvolveJob& job, const ImageSource& source, const Convolve& plan,
                          AnyView weights) {
  WriteOptions how = job.writing;
  how.header = source.header();
  how.origin = first_pixel(weights, job.options);
  how.history = history_of(plan.describe(), changed_options(job.options));
  return how;
}

// The method is chosen for the whole image; plane after plane, each runs that one.
StripPlan plan_for_strips(const ImageSource& source, const ImageSink& sink, const Convolve& whole,
                          AnyView weights, ConvolveOptions options) {
  if (!in_turn(source, sink)) return strip_plan(whole);
  ImageInfo one = whole.input();
  one.size.planes = 1;
  options.backend = whole.backend();
  options.method = whole.method();
  return strip_plan(Convolve(one, weights, options));
}

void check_comparable(const std::string& output, const ImageInfo& info) {
  const Format* format = format_of_name(output);
  if (info.size.channels > 1 && format && format->name == std::string_view("FITS"))
    throw Error(ErrorKind::usage,
                "convolve: --check cannot compare colours in a FITS, which has them as planes; "
                "check another format");
}

ConvolveCheck checked(const ConvolveJob& job, RowSource& source, const Convolve& plan,
                      AnyView weights, const Progress& progress) {
  const auto written =
      open_input(job.output, {.raw = raw_layout_text(plan.output()), .limits = job.reading.limits});
  Stream stream = job.settings.stream(kHost);
  const ConvolveCheck check =
      check_convolve({source, *written, plan, weights, job.options}, stream, progress);
  if (check.disagreement.empty()) return check;
  throw Error(ErrorKind::failure,
              fmt::format("convolve: {} differs from the reference, {}; --method reference gives "
                          "the right result",
                          job.output, check.disagreement));
}

}  // namespace

Image load_filter(const std::string& text) {
  if (const auto files = files_of_outer(text))
    return outer(load_vector(files->first), load_vector(files->second));
  if (!names_file(text)) return filter_from_text(text);
  Image weights = read_image(text);
  const Size size = weights.info().size;
  if (size.channels != 1 || size.planes != 1)
    throw Error(ErrorKind::input, fmt::format("{}: it has {} channels and {} planes; a filter has "
                                              "one of each",
                                              text, size.channels, size.planes));
  return weights;
}

std::string ConvolveResult::describe() const {
  std::string text = fmt::format(
      "{}\n{}: {:.3g} s, {:.1f} Mpixel/s (read {:.3g} s, work {:.3g} s, write {:.3g} s)", ran,
      output, seconds.all, pixels_per_second / 1e6, seconds.read, seconds.work, seconds.write);
  return check ? text + "\n" + check->describe() : text;
}

ConvolveResult ConvolveJob::run(const Progress& progress) const {
  if (check && output == "-")
    throw Error(ErrorKind::usage, "convolve: --check reads the output again; give it a file name");
  const auto source = open_input(input, reading, settings);
  const Image weights = load_filter(filter);
  const Convolve plan(source->info(), weights.view(), options);
  Stream stream = settings.stream(plan.device());
  if (check) check_comparable(output, plan.output());
  const auto sink =
      create_output(output, plan.output(), how_to_write(*this, *source, plan, weights.view()));
  ConvolveResult result;
  result.ran = plan.describe();
  result.input = input;
  result.output = output;
  stream_planes(*source, *sink, plan_for_strips(*source, *sink, plan, weights.view(), options),
                stream, result.seconds, progress);
  result.pixels_per_second = static_cast<double>(plan.output().size.pixels()) / result.seconds.all;
  if (check) result.check = checked(*this, *source, plan, weights.view(), progress);
  result.warnings = source->warnings();
  return result;
}

}  // namespace tessera
