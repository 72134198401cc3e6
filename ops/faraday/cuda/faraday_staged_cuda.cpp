// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/cuda/faraday_staged_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/staging.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Strips need not be larger: at this size copies overlap with work in mid-sized cubes too.
constexpr long long kEnoughBytes = 64LL << 20;

template <class AnyOne>
bool is_staged(const AnyOne& view) {
  return view.data && view.device == kHost;
}

bool is_staged(const FaradayStrip& strip) {
  const auto staged = [](const auto& view) { return is_staged(view); };
  return std::ranges::any_of(strip.in, staged) || std::ranges::any_of(strip.out, staged);
}

/// Bytes per row of all staged views.
long long row_bytes(const FaradayStrip& strip) {
  long long bytes = 0;
  const auto add = [&](const auto& view) {
    if (is_staged(view)) bytes += bytes_of(strip_info(view, 1, 0));
  };
  std::ranges::for_each(strip.in, add);
  std::ranges::for_each(strip.out, add);
  return bytes;
}

/// How rows are divided: strips in flight at once, and rows per strip.
struct Division {
  int lanes, rows;
};

Division divide(const char* operation, const FaradayStrip& all, const FaradayWorkBytes& work,
                const Stream& stream) {
  const auto all_of_it = static_cast<long long>(stream.memory_limit());
  const long long limit = all_of_it - work.shared;
  const long long row = std::max(1LL, row_bytes(all) + work.row);
  const auto fit = [&](int lanes) { return (limit / lanes - work.fixed) / row; };
  if (work.fixed + all.rows() * row <= std::min(limit, kEnoughBytes)) return {1, all.rows()};
  const int lanes = fit(kStagedStrips) >= 1 ? kStagedStrips : 1;
  if (fit(lanes) < 1)
    throw Error(ErrorKind::resources,
                fmt::format("{}: {} on device {} is too little, one row at a time takes {}; give a "
                            "larger memory limit or backend cpu",
                            operation, bytes_text(static_cast<double>(all_of_it)), stream.device(),
                            bytes_text(static_cast<double>(work.shared + work.fixed + row))));
  const long long enough = std::max(1LL, kEnoughBytes / row);
  return {lanes, static_cast<int>(std::min<long long>({fit(lanes), enough, all.rows()}))};
}

/// Planes as rows, if the rows of each are contiguous: a strip of hundreds of planes is then copied
/// at once and not plane by plane.
template <class AnyOne>
AnyOne planes_as_rows(AnyOne view) {
  view.size = {view.size.width * view.size.height, view.size.planes, 1, 1};
  view.row = view.plane;
  return view;
}

void copy_strip(const AnyView& from, const AnyMutableView& to, Stream& stream) {
  const auto side_by_side = [](const auto& view) {
    const Size& size = view.size;
    return view.pixel == 1 && (view.row == size.width || size.height == 1);
  };
  const bool fits = 1LL * from.size.width * from.size.height <= std::numeric_limits<int>::max();
  if (fits && from.size.channels == 1 && side_by_side(from) && side_by_side(to))
    return device_stream(stream).copy(planes_as_rows(from), planes_as_rows(to));
  device_stream(stream).copy(from, to);
}

template <class AnyOne>
AnyOne some_rows(const AnyOne& view, Rows rows) {
  return view.data ? AnyOne(view.rows(rows.first, rows.count())) : view;
}

/// A strip on its way through the device, on its own stream.
struct Staged {
  Stream* lane = nullptr;
  Rows rows;
  FaradayStrip strip;                    // on the device
  std::vector<AnyMutableView> host_out;  // destination of its results
  std::vector<Scratch> memory;
};

/// Device memory for views on the host.
AnyMutableView take_memory(const ImageInfo& host, Staged& staged) {
  ImageInfo info = host;
  info.device = staged.lane->device();
  staged.memory.push_back(staged.lane->scratch(static_cast<std::size_t>(bytes_of(info))));
  return packed(staged.memory.back().data(), info);
}

class Stage {
 public:
  Stage(const FaradayStrip& all, const FaradayStripWork& work) : all_(all), work_(work) {}

  bool done() const { return done_ >= all_.rows(); }

  /// Upload, work and download of neighbouring strips at the same time.
  void run_overlapped(int rows, std::vector<Stream>& lanes) {
    int next = done_;
    std::size_t strips = 0;
    ordered<Staged>(
        [&](Staged& staged) {
          if (next >= all_.rows()) return false;
          staged.lane = &lanes[strips++ % lanes.size()];
          staged.rows = {next, std::min(next + rows, all_.rows())};
          next = staged.rows.end;
          upload(staged);
          return true;
        },
        [&](Staged& staged) { work_(staged.strip, *staged.lane); },
        [&](Staged& staged) {
          download(staged);
          staged.lane->wait();
          done_ = staged.rows.end;
        },
        static_cast<int>(lanes.size()));
  }

  void run_in_turn(int rows, Stream& stream) {
    while (!done()) {
      Staged staged;
      staged.lane = &stream;
      staged.rows = {done_, std::min(done_ + rows, all_.rows())};
      upload(staged);
      work_(staged.strip, stream);
      download(staged);
      done_ = staged.rows.end;
    }
  }

 private:
  void upload(Staged& staged) const {
    staged.strip.first_row = all_.first_row + staged.rows.first;
    for (const AnyView& view : all_.in) {
      AnyView part = some_rows(view, staged.rows);
      if (is_staged(view)) {
        const AnyMutableView copy = take_memory(part.info(), staged);
        copy_strip(part, copy, *staged.lane);
        part = copy;
      }
      staged.strip.in.push_back(part);
    }
    for (const AnyMutableView& view : all_.out) {
      const AnyMutableView part = some_rows(view, staged.rows);
      staged.host_out.push_back(part);
      staged.strip.out.push_back(is_staged(view) ? take_memory(part.info(), staged) : part);
    }
  }

  static void download(Staged& staged) {
    for (std::size_t i = 0; i < staged.host_out.size(); ++i)
      if (is_staged(staged.host_out[i]))
        copy_strip(staged.strip.out[i], staged.host_out[i], *staged.lane);
  }

  const FaradayStrip& all_;
  const FaradayStripWork& work_;
  int done_ = 0;  // rows with results: an output may be an input, so none is computed twice
};

void run_on_lanes(Stage& stage, int rows, Stream& stream) {
  std::vector<Stream>& lanes = staging_lanes(stream);
  try {
    stage.run_overlapped(rows, lanes);
  } catch (...) {
    for (Stream& lane : lanes) lane.wait();  // enqueued work still uses the images
    throw;
  }
}

}  // namespace

void run_faraday_strips(const char* operation, const FaradayStrip& all,
                        const FaradayWorkBytes& bytes, Stream& stream,
                        const FaradayStripWork& work) {
  if (!is_staged(all)) return work(all, stream);
  Stage stage(all, work);
  for (Division division = divide(operation, all, bytes, stream); !stage.done();) {
    try {
      if (division.lanes == 1)
        stage.run_in_turn(division.rows, stream);
      else
        run_on_lanes(stage, division.rows, stream);
    } catch (const Error& error) {
      stream.wait();  // enqueued work still uses the images
      // Others may have taken memory that was counted on: smaller strips may still fit.
      if (error.kind() != ErrorKind::resources || division.rows <= 1) throw;
      division.rows = std::max(1, division.rows / 4);
    } catch (...) {
      stream.wait();
      throw;
    }
  }
}

}  // namespace tessera
