// SPDX-License-Identifier: Apache-2.0
#include "jobs/timing.hpp"

namespace tessera {
namespace {

class TimedSource : public RowSource {
 public:
  TimedSource(RowSource& inner, double& seconds) : inner_(inner), seconds_(seconds) {}
  ImageInfo info() const override { return inner_.info(); }
  void read(Rows rows, AnyMutableView to) override {
    const Stopwatch watch(seconds_);
    inner_.read(rows, to);
  }

 private:
  RowSource& inner_;
  double& seconds_;
};

class TimedSink : public RowSink {
 public:
  TimedSink(RowSink& inner, double& seconds) : inner_(inner), seconds_(seconds) {}
  void write(Rows rows, AnyView from) override {
    const Stopwatch watch(seconds_);
    inner_.write(rows, from);
  }
  void finish() override {
    const Stopwatch watch(seconds_);
    inner_.finish();
  }
  int block_rows() const override { return inner_.block_rows(); }

 private:
  RowSink& inner_;
  double& seconds_;
};

}  // namespace

void stream_timed(RowSource& source, RowSink& sink, const StripPlan& plan, Stream& stream,
                  StageSeconds& seconds, const std::function<void(int, int)>& progress) {
  const Stopwatch watch(seconds.all);
  TimedSource timed_source(source, seconds.read);
  TimedSink timed_sink(sink, seconds.write);
  StripPlan timed = plan;
  timed.run = [&](std::span<const Piece> in, std::span<const MutablePiece> out, Stream& s) {
    const Stopwatch work(seconds.work);
    plan.run(in, out, s);
    s.wait();
  };
  RowSource* const sources[] = {&timed_source};
  RowSink* const sinks[] = {&timed_sink};
  stream_rows(sources, sinks, timed, stream, progress);
}

}  // namespace tessera
