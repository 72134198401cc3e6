// SPDX-License-Identifier: Apache-2.0
#include "jobs/plane_order.hpp"

namespace tessera {

ImageInfo OnePlaneSource::info() const {
  ImageInfo info = inner_.info();
  info.size.planes = 1;
  return info;
}

bool in_turn(const ImageSource& source, const ImageSink& sink) {
  return source.info().size.planes > 1 && (source.planes_in_turn() || sink.planes_in_turn());
}

void stream_planes(ImageSource& source, ImageSink& sink, const StripPlan& plan, Stream& stream,
                   StageSeconds& seconds, const Progress& progress) {
  if (!in_turn(source, sink)) return stream_timed(source, sink, plan, stream, seconds, progress);
  const int planes = source.info().size.planes;
  for (int plane = 0; plane < planes; ++plane) {
    OnePlaneSource from(source, plane);
    OnePlaneSink to(sink, plane);
    stream_timed(from, to, plan, stream, seconds, [&](int done, int all) {
      if (progress) progress(1LL * plane * all + done, 1LL * planes * all);
    });
  }
  const Stopwatch all(seconds.all), write(seconds.write);
  sink.finish();
}

}  // namespace tessera
