// SPDX-License-Identifier: Apache-2.0
#include "jobs/enhance/enhance_sweeps.hpp"

#include <algorithm>

#include "core/ranks.hpp"
#include "jobs/no_sink.hpp"
#include "jobs/plane_order.hpp"

namespace tessera {
namespace {

// Reports a pass as one of many of the same length.
std::function<void(int, int)> pass_progress(const Progress& progress, int pass, int passes) {
  if (!progress) return {};
  return [=](int done, int all) { progress(1LL * pass * all + done, 1LL * passes * all); };
}

// A sweep has no output: its strips have one byte per row.
StripPlan strips_to_look_at(const Enhance& plan, EnhanceState& state, int sweep) {
  const ImageInfo nothing{{1, plan.input().size.height, 1, 1}, Type::u8, kHost};
  return {{plan.input()},
          {nothing},
          [=](Rows rows) { return plan.look_needs(sweep, rows); },
          [=](int row) { return plan.source_row(row); },
          [=, &state](std::span<const Piece> in, std::span<const MutablePiece> out,
                      Stream& stream) { plan.look(state, in[0], out[0].rows(), stream); }};
}

// The numbers of a sweep over all rows.
void join_ranks(const Enhance& plan, EnhanceState& state) {
  if (ranks().count() == 1) return;
  const std::vector<std::uint64_t> own = state.counts();
  const std::string bytes(reinterpret_cast<const char*>(own.data()), own.size() * sizeof own[0]);
  const std::vector<std::string> all = ranks().gathered(bytes);
  const auto add = [&](const std::string& text) {
    std::vector<std::uint64_t> other(own.size());
    text.copy(reinterpret_cast<char*>(other.data()), bytes.size());
    plan.add_counts(state, other);
  };
  if (!ranks().apart()) {
    for (int rank = 0; rank < ranks().count(); ++rank)
      if (rank != ranks().rank()) add(all[static_cast<std::size_t>(rank)]);
  } else if (ranks().first()) {
    add(all.front());  // each part has counted the whole image
  }
}

// A part cannot wait for the counts of others: it looks at all rows, so that join need not.
void look_once(const Enhance& plan, EnhanceState& state, int sweep, RowSource& source,
               Stream& stream, StageSeconds& seconds, const Progress& progress) {
  if (ranks().apart() && ranks().first()) return;
  const SharedRun together(ranks().count() > 1 && !ranks().apart());
  NoSink nowhere;
  stream_timed(source, nowhere, strips_to_look_at(plan, state, sweep), stream, seconds,
               pass_progress(progress, sweep, plan.sweeps() + 1));
}

// The caller that began the sink finishes it, when all other files of the result are made.
class Unfinished : public RowSink {
 public:
  explicit Unfinished(RowSink& inner) : inner_(inner) {}
  void write(Rows rows, AnyView from) override { inner_.write(rows, from); }
  void finish() override {}
  int block_rows() const override { return inner_.block_rows(); }

 private:
  RowSink& inner_;
};

// Memory left for strips if the image is kept; 0 if it does not fit.
std::size_t memory_beside(const Enhance& plan, const RunSettings& settings) {
  const ImageInfo& image = plan.input();
  const long long row = bytes_of(image) / image.size.height;
  const long long limit = static_cast<long long>(settings.stream(kHost).memory_limit());
  const int middle = image.size.height / 2;  // less is needed at the edge
  const long long least = 6 * plan.needs({middle, middle + 1}).count() * row;  // three strips
  const long long rest = limit - bytes_of(image);
  return plan.sweeps() > 0 && rest >= least ? static_cast<std::size_t>(rest) : 0;
}

std::vector<EnhanceFinding> enhance_rows(const Enhance& plan, RowSource& source, RowSink& sink,
                                         const EnhanceRoad& road, const SeeRows& see,
                                         StageSeconds& seconds, const Progress& progress) {
  // Each rank has only some of the rows in every sweep.
  const std::size_t beside = ranks().count() > 1 ? 0 : memory_beside(plan, road.settings);
  KeptRows rows(source, beside > 0);
  Stream stream = road.settings.stream(plan.device());
  if (beside > 0)
    stream = Stream(plan.device(), stream.threads(), std::min(stream.memory_limit(), beside));
  Unfinished unfinished(sink);
  const EnhanceState state = look_at_rows(plan, rows, stream, seconds, progress);
  stream_timed(rows, unfinished, strips_of(plan, state, see), stream, seconds,
               pass_progress(progress, plan.sweeps(), plan.sweeps() + 1));
  return state.findings();
}

// The progress of plane `plane` of a file as a part of the whole.
Progress plane_progress(const Progress& progress, int plane, int planes) {
  if (!progress) return {};
  return [=](long long done, long long all) { progress(plane * all + done, planes * all); };
}

}  // namespace

KeptRows::KeptRows(RowSource& inner, bool keep)
    : inner_(inner), image_(keep ? Image(inner.info()) : Image()) {}

void KeptRows::read(Rows rows, AnyMutableView to) {
  if (!image_) return inner_.read(rows, to);
  if (rows.end > have_) {
    inner_.read({have_, rows.end}, AnyMutableView(image_.view().rows(have_, rows.end - have_)));
    have_ = rows.end;
  }
  copy_samples(AnyView(image_.view()).rows(rows.first, rows.count()), to);
}

EnhanceState look_at_rows(const Enhance& plan, RowSource& source, Stream& stream,
                          StageSeconds& seconds, const Progress& progress) {
  EnhanceState state = plan.start();
  for (int sweep = 0; sweep < plan.sweeps(); ++sweep) {
    look_once(plan, state, sweep, source, stream, seconds, progress);
    join_ranks(plan, state);
    plan.finish_sweep(state);
  }
  return state;
}

StripPlan strips_of(const Enhance& plan, const EnhanceState& state, const SeeRows& see) {
  return {{plan.input()},
          {plan.output()},
          [=](Rows out) { return plan.needs(out); },
          [=](int row) { return plan.source_row(row); },
          [=](std::span<const Piece> in, std::span<const MutablePiece> out, Stream& stream) {
            plan(state, in[0], out[0], stream);
            if (!see) return;
            stream.wait();
            see(in[0], out[0]);
          }};
}

std::vector<EnhanceFinding> enhance_file(const Enhance& plan, ImageSource& source, ImageSink& sink,
                                         const EnhanceRoad& road, StageSeconds& seconds,
                                         const Progress& progress) {
  // Also plane after plane if there are sweeps that measure: only one plane's tables are then in
  // memory.
  const int planes = plan.input().size.planes;
  if (!in_turn(source, sink) && (planes == 1 || plan.sweeps() == 0))
    return enhance_rows(plan, source, sink, road, road.see, seconds, progress);
  ImageInfo one = plan.input();
  one.size.planes = 1;
  const Enhance each = road.plan_of_plane(one);
  std::vector<EnhanceFinding> all;
  for (int plane = 0; plane < planes; ++plane) {
    OnePlaneSource from(source, plane);
    OnePlaneSink to(sink, plane);
    for (EnhanceFinding& found :
         enhance_rows(each, from, to, road, plane == 0 ? road.see : SeeRows{}, seconds,
                      plane_progress(progress, plane, planes))) {
      found.plane = plane;
      // Reports show the first plane.
      if (plane > 0) found = {found.step, plane, found.channel, {}, found.low, found.high, {}};
      all.push_back(std::move(found));
    }
  }
  return all;
}

}  // namespace tessera
