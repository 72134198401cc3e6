// SPDX-License-Identifier: Apache-2.0
#include "jobs/convert/convert_job.hpp"

#include <fmt/format.h>

#include <mutex>

#include "core/parallel.hpp"
#include "core/refuse.hpp"
#include "core/samples.hpp"
#include "jobs/convert/convert_samples.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "jobs/metadata_note.hpp"
#include "jobs/no_sink.hpp"
#include "jobs/plane_order.hpp"
#include "jobs/result.hpp"

namespace tessera {
namespace {

constexpr int kPieceRows = 16;  // enough work per thread, and small enough to share

// Which part of the input becomes the output.
struct Selection {
  struct {
    int x, y, width, height;
  } part;
  std::optional<int> channel;

  AnyView of(const Piece& in, Rows rows) const {
    AnyView view =
        in.view.region(part.x, part.y + rows.first - in.first_row, part.width, rows.count());
    if (channel) {
      view.data = static_cast<const unsigned char*>(view.data) + *channel * bytes_of(view.type);
      view.size.channels = 1;
    }
    return view;
  }
};

// One plane of a file as a file of one plane.
class ChosenPlane : public ImageSource {
 public:
  ChosenPlane(std::unique_ptr<ImageSource> inner, int plane)
      : inner_(std::move(inner)), plane_(plane) {}
  ImageInfo info() const override {
    ImageInfo info = inner_->info();
    info.size.planes = 1;
    return info;
  }
  void read_plane(int, Rows rows, AnyMutableView to) override {
    inner_->read_plane(plane_, rows, to);
  }
  std::vector<std::string> header() const override { return inner_->header(); }
  ImageMetadata metadata() const override { return inner_->metadata(); }
  std::vector<std::string> warnings() const override { return inner_->warnings(); }

 private:
  std::unique_ptr<ImageSource> inner_;
  int plane_;
};

void check_index(const char* what, std::optional<int> index, int count) {
  if (index && (*index < 0 || *index >= count))
    refuse("convert",
           fmt::format("there is no {} {}; the image has {}, counted from 0", what, *index, count));
}

Selection select(const ConvertOptions& options, const Size& size) {
  const Crop crop = options.crop.value_or(Crop{size.width, size.height, Point{}});
  if (!crop.fits(size))
    refuse("convert",
           fmt::format("the crop {} is not inside the image; it must be inside 0,0,{}x{}",
                       to_text(crop), size.width, size.height));
  check_index("channel", options.channel, size.channels);
  const auto [x, y] = crop.corner_in(size);
  return {{x, y, crop.width, crop.height}, options.channel};
}

ImageInfo output_info(const ImageInfo& input, const Selection& selection,
                      const ConvertOptions& options) {
  ImageInfo info = input;
  info.type = options.type.value_or(input.type);
  info.size.width = selection.part.width;
  info.size.height = selection.part.height;
  if (selection.channel) info.size.channels = 1;
  return info;
}

using Work = std::function<void(const Piece&, const MutablePiece&, Stream&)>;

StripPlan plan_of(const ImageInfo& input, const ImageInfo& output, int first_row,
                  const Work& work) {
  return {{input},
          {output},
          [=](Rows out) {
            return Rows{out.first + first_row, out.end + first_row};
          },
          [](int row) { return row; },
          [=](std::span<const Piece> in, std::span<const MutablePiece> out, Stream& stream) {
            work(in[0], out[0], stream);
          }};
}

// The planes in the strips of a pass: one at a time, or all of them.
StripPlan pass(const ImageSource& source, ImageInfo output, bool one_plane,
               const Selection& selection, const Work& work) {
  ImageInfo input = source.info();
  if (one_plane) input.size.planes = output.size.planes = 1;
  return plan_of(input, output, selection.part.y, work);
}

// A first pass over the samples, for the minimum and the maximum.
SampleRange find_range(ImageSource& source, const ImageInfo& output, const Selection& selection,
                       Stream& stream, StageSeconds& seconds, const Progress& progress) {
  SampleRange range;
  std::mutex mutex;
  const auto look = [&](const Piece& in, const MutablePiece& out, Stream& s) {
    for_pieces(out.rows(), kPieceRows, s, [&](Rows rows) {
      const SampleRange found = sample_range(selection.of(in, rows));
      const std::lock_guard lock(mutex);
      range.include(found);
    });
  };
  NoSink nowhere;
  stream_planes(source, nowhere, pass(source, output, in_turn(source, nowhere), selection, look),
                stream, seconds, [&](long long done, long long all) {
                  if (progress) progress(done, 2 * all);
                });
  return range;
}

void set_gain(ConvertResult& result, Type type, double low, double high) {
  const double most = is_integer(type) ? limits_of(type).most : 1;
  result.gain = high == low ? 1 : most / (high - low);
  result.low = low;
}

}  // namespace

std::string ConvertResult::describe() const {
  std::string text = fmt::format("{}: {} to {} in {:.3g} s", output, from, to, seconds.all);
  if (gain != 1 || low != 0) text += fmt::format(", values minus {:.6g}, times {:.6g}", low, gain);
  return text + notes_text(notes);
}

ConvertResult ConvertJob::run(const Progress& progress) const {
  auto source = open_input(input, reading, settings);
  check_index("plane", options.plane, source->info().size.planes);
  if (options.plane) source = std::make_unique<ChosenPlane>(std::move(source), *options.plane);
  const ImageInfo info = source->info();
  const Selection selection = select(options, info.size);
  const ImageInfo made = output_info(info, selection, options);
  Stream stream = settings.stream(kHost);
  WriteOptions how = writing;
  how.header = source->header();
  how.metadata = source->metadata();
  how.origin = {selection.part.x, selection.part.y};
  how.plane = options.plane.value_or(0);
  how.history = history_of("convert " + tessera::describe(info) + " to " + tessera::describe(made),
                           changed_options(options));
  const auto sink = create_output(output, made, how);
  ConvertResult result{
      tessera::describe(info), tessera::describe(made), input, output, 1, 0, {}, {}, {}};
  const bool two_passes = options.range.kind == ValueRange::Kind::automatic;
  if (two_passes) {
    const SampleRange found =
        find_range(*source, made, selection, stream, result.seconds, progress);
    set_gain(result, made.type, found.empty() ? 0 : found.least,
             found.empty() ? 1 : found.greatest);
  } else if (options.range.kind == ValueRange::Kind::given) {
    set_gain(result, made.type, options.range.low, options.range.high);
  }
  const auto work = [&](const Piece& in, const MutablePiece& out, Stream& s) {
    for_pieces(out.rows(), kPieceRows, s, [&](Rows rows) {
      convert_samples(selection.of(in, rows),
                      out.view.rows(rows.first - out.first_row, rows.count()), result.gain,
                      result.low);
    });
  };
  stream_planes(*source, *sink, pass(*source, made, in_turn(*source, *sink), selection, work),
                stream, result.seconds, [&](long long done, long long all) {
                  if (progress)
                    progress(two_passes ? done + all : done, two_passes ? 2 * all : all);
                });
  add_metadata_note(how.metadata, output, made, result.notes);
  add_beam_note(*source, result.notes);
  result.warnings = source->warnings();
  return result;
}

}  // namespace tessera
