// SPDX-License-Identifier: Apache-2.0
#include "jobs/image_job.hpp"

#include <utility>
#include "core/counted.hpp"
#include "core/folder.hpp"

namespace tessera {

bool names_file(const std::string& text) { return format_of_name(text) || is_regular_file(text); }

Image load_small_image(const char* kind, const std::string& text,
                       Image (*by_name)(std::string_view)) {
  if (!names_file(text)) return by_name(text);
  Image image = read_image(text);
  const Size size = image.info().size;
  if (size.channels != 1 || size.planes != 1)
    throw Error(ErrorKind::input, fmt::format("{}: it has {} and {}; {} must have one of each",
                                              text, counted(size.channels, "channel"),
                                              counted(size.planes, "plane"), kind));
  return image;
}

void check_comparable(const char* operation, const std::string& output, const ImageInfo& info) {
  const Format* format = format_of_name(output);
  if (info.size.channels > 1 && format && format->name == std::string_view("FITS"))
    throw Error(ErrorKind::usage, fmt::format("{}: --check cannot compare colours in a FITS file, "
                                              "which stores them as planes; give another format",
                                              operation));
}

ReferenceCheck check_written(const char* operation, const ImageJob& job, const ImageInfo& output,
                             ImageSource& source, StripPlan reference,
                             std::function<double(AnyView)> bound, double reads,
                             const Progress& progress) {
  const UnsharedRun alone;
  const auto written =
      open_input(job.output, {.raw = raw_layout_text(output), .limits = job.reading.limits});
  Stream stream = job.settings.stream(kHost);
  const ReferenceCheck check = check_against_reference(
      {source, *written, std::move(reference), std::move(bound), reads, output.type}, stream,
      progress);
  if (check.disagreement.empty()) return check;
  throw Error(ErrorKind::failure,
              fmt::format("{}: {} differs from the reference, {}; --method reference gives "
                          "the right result",
                          operation, job.output, check.disagreement));
}

}  // namespace tessera
