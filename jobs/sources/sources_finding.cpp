// SPDX-License-Identifier: Apache-2.0
#include "jobs/sources/sources_finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/refuse.hpp"
#include "core/typed_samples.hpp"
#include "jobs/no_sink.hpp"
#include "jobs/noise/noise_maker.hpp"
#include "jobs/noise/pass_progress.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr double kBoxBeams = 24;

template <class Use>
void with_floats(const AnyMutableView& view, Use use) {
  if (view.type == Type::f64)
    use(view.as<double>());
  else
    use(view.as<float>());
}

/// The rows of another source with NaN at some runs of pixels.
class MaskedRows : public RowSource {
 public:
  explicit MaskedRows(RowSource& inner) : inner_(inner) {}
  void mask(std::vector<SourcePixelRun> runs) { runs_ = std::move(runs); }
  ImageInfo info() const override { return inner_.info(); }
  void read(Rows rows, AnyMutableView to) override {
    inner_.read(rows, to);
    with_floats(to, [&](auto samples) {
      for (auto run = std::ranges::lower_bound(runs_, rows.first, {}, &SourcePixelRun::y);
           run != runs_.end() && run->y < rows.end; ++run)
        for (int x = run->x0; x < run->x1; ++x)
          samples.at(x, run->y - rows.first) = std::numeric_limits<float>::quiet_NaN();
    });
  }

 private:
  RowSource& inner_;
  std::vector<SourcePixelRun> runs_;
};

void stream_many(const std::vector<RowSource*>& sources, const StripPlan& plan, Stream& stream,
                 StageSeconds& seconds, const RowsDone& progress) {
  const Stopwatch watch(seconds.all);
  NoSink nowhere;
  RowSink* const sinks[] = {&nowhere};
  StripPlan timed = plan;
  timed.run = [&](std::span<const Piece> in, std::span<const MutablePiece> out, Stream& s) {
    const Stopwatch work(seconds.work);
    plan.run(in, out, s);
  };
  stream_rows(sources, sinks, timed, stream, progress);
}

long long finite_pixels(AnyView image, int threads) {
  std::vector<long long> counts(static_cast<std::size_t>(image.size.height));
  parallel_for(image.size.height, threads, [&](int y) {
    with_samples(image, [&](auto samples) {
      for (int x = 0; x < samples.size.width; ++x)
        counts[static_cast<std::size_t>(y)] += std::isfinite(static_cast<double>(samples.at(x, y)));
    });
  });
  long long all = 0;
  for (const long long count : counts) all += count;
  return all;
}

NoiseOptions noise_options(const SourcesFinding& how, bool last) {
  NoiseOptions noise;
  noise.box = sources_box(how.maps, how.beam);
  noise.mode = how.maps.mode;
  noise.estimator = how.maps.estimator;
  noise.nomask = true;  // islands found before need maps too
  // Rough maps are enough to find what the next pass leaves out.
  if (!last && noise.mode == NoiseMode::grid) noise.refine = 0;
  noise.backend = how.options.backend;
  noise.device = how.options.device;
  return noise;
}

class Finding {
 public:
  Finding(RowSource& image, const SourcesFinding& how)
      : image_(image),
        masked_(image),
        how_(how),
        plan_(image.info(), how.options, {how.beam, box_pixels()}) {}

  SourcesFound run(const Progress& progress) {
    found_.ran = plan_.describe();
    const bool made = !how_.background || !how_.rms;
    const int passes = made ? how_.maps.passes : 1;
    PassProgress rows(progress, passes * (made ? 3 : 1));
    for (int pass = 1; pass <= passes; ++pass) {
      const bool last = pass == passes;
      if (made) make_maps(last, rows);
      scan_ = plan_.begin();
      found_.finite = 0;
      last_ = last;
      Stream stream = how_.settings.stream(maker_ ? maker_->device() : kHost);
      if (made)
        stream_many(sources(), made_rows(), stream, found_.seconds, rows.next());
      else
        stream_many(sources(), given_rows(), stream, found_.seconds, rows.next());
      if (!last) masked_.mask(plan_.around(scan_));
    }
    measure();
    return std::move(found_);
  }

 private:
  void measure() {
    const Stopwatch all(found_.seconds.all), work(found_.seconds.work);
    Stream stream = how_.settings.stream(kHost);
    found_.list = plan_.finish(scan_, stream);
  }

  double box_pixels() const {
    if (how_.background) return 0;
    const NoiseBox box = sources_box(how_.maps, how_.beam);
    const Size size = image_.info().size;
    return static_cast<double>(std::min(box.width, size.width)) *
           static_cast<double>(std::min(box.height, size.height));
  }

  void make_maps(bool last, PassProgress& rows) {
    maker_.emplace(image_.info(), noise_options(how_, last));
    found_.noise_ran = maker_->describe();
    for (int sweep = 0; sweep < 2; ++sweep) {
      const RowsDone progress = rows.next();
      if (sweep >= maker_->sweeps()) continue;
      Stream stream = how_.settings.stream(maker_->device());
      maker_->look(sweep, masked_, stream, found_.seconds, progress);
    }
  }

  /// The image itself, the image without what is left out, the maps that are given.
  std::vector<RowSource*> sources() {
    std::vector<RowSource*> all{&image_};
    if (maker_) all.push_back(&masked_);
    for (RowSource* map : {how_.background, how_.rms})
      if (map) all.push_back(map);
    return all;
  }

  void see(AnyView image, AnyView background, AnyView rms, Stream& stream) {
    found_.finite += finite_pixels(image, stream.threads());
    if (last_ && how_.seen) how_.seen(image, scan_.rows());
    Stream host(kHost, stream.threads(), stream.memory_limit());
    plan_.add(scan_, image, background, rms, host);
  }

  StripPlan given_rows() {
    const ImageInfo nothing{{1, image_.info().size.height, 1, 1}, Type::u8, kHost};
    return {{image_.info(), how_.background->info(), how_.rms->info()},
            {nothing},
            [](Rows rows) { return rows; },
            [](int row) { return row; },
            [this](std::span<const Piece> in, std::span<const MutablePiece>, Stream& stream) {
              see(in[0].view, in[1].view, in[2].view, stream);
            }};
  }

  StripPlan made_rows() {
    StripPlan plan = maker_->rows();
    plan.inputs = {image_.info(), image_.info()};
    for (RowSource* map : {how_.background, how_.rms})
      if (map) plan.inputs.push_back(map->info());
    plan.run = [this, inner = maker_->rows()](std::span<const Piece> in,
                                              std::span<const MutablePiece> out, Stream& stream) {
      inner.run(in.subspan(1, 1), out.first(1), stream);
      stream.wait();
      const Rows rows = out[0].rows();
      const auto same = [&](const Piece& piece) {
        return piece.view.rows(rows.first - piece.first_row, rows.count());
      };
      use_first_maps(inner, in, out[0], stream);
      AnyView background = AnyView(out[0].view).only_plane(0),
              rms = AnyView(out[0].view).only_plane(1);
      if (how_.background) background = same(in[2]);
      if (how_.rms) rms = same(in[in.size() - 1]);
      see(same(in[0]), background, rms, stream);
    };
    return plan;
  }

  /// Boxes of which sources fill more than three quarters have the values that they have with them.
  void use_first_maps(const StripPlan& inner, std::span<const Piece> in, const MutablePiece& maps,
                      Stream& stream) const {
    bool lacks = false;
    with_floats(maps.view, [&](auto made) {
      for (int y = 0; y < made.size.height && !lacks; ++y)
        for (int x = 0; x < made.size.width && !lacks; ++x) lacks = std::isnan(made.at(x, y, 0, 1));
    });
    if (!lacks || maker_->sweeps() > 0) return;
    Image others(maps.view.info());
    const MutablePiece with_sources{others.view(), maps.first_row};
    inner.run(in.first(1), {&with_sources, 1}, stream);
    stream.wait();
    with_floats(maps.view, [&](auto made) {
      with_floats(others.view(), [&](auto other) {
        for (int p = 0; p < 2; ++p)
          for (int y = 0; y < made.size.height; ++y)
            for (int x = 0; x < made.size.width; ++x)
              if (std::isnan(made.at(x, y, 0, p)))
                made.at(x, y, 0, p) =
                    static_cast<std::remove_cvref_t<decltype(made.at(x, y, 0, p))>>(
                        other.at(x, y, 0, p));
      });
    });
  }

  RowSource& image_;
  MaskedRows masked_;
  const SourcesFinding& how_;
  Sources plan_;
  SourceScan scan_;
  bool last_ = true;  ///< the pass that counts
  std::optional<NoiseMaker> maker_;
  SourcesFound found_;
};

}  // namespace

FloatRows::FloatRows(RowSource& inner) : inner_(inner), info_(inner.info()) {
  if (is_integer(info_.type)) info_.type = Type::f32;
}

void FloatRows::read(Rows rows, AnyMutableView to) {
  if (inner_.info().type == info_.type) return inner_.read(rows, to);
  ImageInfo stored = inner_.info();
  stored.size.height = rows.count();
  Image integers(stored);
  inner_.read(rows, integers.view());
  with_samples(integers.view(), [&](auto values) {
    const View<float> floats = to.as<float>();
    for (int y = 0; y < rows.count(); ++y)
      for (int x = 0; x < info_.size.width; ++x)
        floats.at(x, y) = static_cast<float>(values.at(x, y));
  });
}

ConstantRows::ConstantRows(const Size& size, double value)
    : info_{{size.width, size.height, 1, 1}, Type::f64, kHost}, value_(value) {}

void ConstantRows::read(Rows rows, AnyMutableView to) {
  const View<double> values = to.as<double>();
  for (int y = 0; y < rows.count(); ++y)
    for (int x = 0; x < info_.size.width; ++x) values.at(x, y) = value_;
}

NoiseBox sources_box(const SourceMapChoices& maps, const std::optional<SourceShape>& beam) {
  if (maps.box) return *maps.box;
  const double side = beam ? std::ceil(kBoxBeams * beam->major) : 0;
  const int box =
      static_cast<int>(std::clamp(side, 64.0, static_cast<double>(kNoiseBoxSides.highest)));
  return {box, box};
}

SourcesFound find_sources(RowSource& image, const SourcesFinding& how, const Progress& progress) {
  check_ranges("sources", how.maps);
  return Finding(image, how).run(progress);
}

}  // namespace tessera
