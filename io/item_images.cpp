// SPDX-License-Identifier: Apache-2.0
#include "io/item_images.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/samples.hpp"

namespace tessera {
namespace {

/// Threads take this much at a time: waking them takes as long as converting some of it.
constexpr long long kTaskBytes = 256 << 10;

struct Steps {
  long long channel, pixel;
};
Steps steps_of(const ItemView& view) { return {view.channel, view.pixel}; }
Steps packed_steps(const ItemView& view) {
  return {view.items.bytes, 1LL * view.size.channels * view.items.bytes};
}

/// Copies the elements of a row; the compiler knows their number of bytes.
template <int kBytes>
void copy_elements(const Size& size, const unsigned char* from, Steps from_steps, unsigned char* to,
                   Steps to_steps) {
  for (int x = 0; x < size.width; ++x, from += from_steps.pixel, to += to_steps.pixel)
    for (int c = 0; c < size.channels; ++c)
      std::memcpy(to + c * to_steps.channel, from + c * from_steps.channel, kBytes);
}

void copy_row(const ItemView& view, const unsigned char* from, Steps from_steps, unsigned char* to,
              Steps to_steps) {
  const auto copy = view.items.bytes == 1   ? copy_elements<1>
                    : view.items.bytes == 2 ? copy_elements<2>
                    : view.items.bytes == 4 ? copy_elements<4>
                                            : copy_elements<8>;
  copy(view.size, from, from_steps, to, to_steps);
}

bool is_packed_in_row(const ItemView& view) {
  const Steps own = steps_of(view), packed = packed_steps(view);
  return own.pixel == packed.pixel && (own.channel == packed.channel || view.size.channels == 1);
}

/// use(row of elements, row of samples, room for packed elements) for all rows of a strip.
template <class View, class Use>
void for_rows(const ItemView& view, Rows rows, const View& samples, int threads, Use use) {
  const long long row_bytes = view.size.width * packed_steps(view).pixel;
  if (rows.count() <= 0 || row_bytes == 0) return;
  const auto piece =
      static_cast<int>(std::clamp<long long>(kTaskBytes / row_bytes, 1, rows.count()));
  const int pieces = (rows.count() + piece - 1) / piece;
  parallel_for(pieces * view.size.planes, threads, [&](int index) {
    std::vector<unsigned char> packed(is_packed_in_row(view) ? 0
                                                             : static_cast<std::size_t>(row_bytes));
    const int plane = index / pieces, first = index % pieces * piece;
    for (int y = first; y < std::min(rows.count(), first + piece); ++y)
      use(view.data + plane * view.plane + (rows.first + y) * view.row,
          samples.address(0, y, plane), packed.data());
  });
}

/// First byte and one past the last byte that a view covers.
std::pair<const unsigned char*, const unsigned char*> range(const ItemView& view) {
  const Size& size = view.size;
  const unsigned char *low = view.data, *high = low;
  for (const long long step : {view.channel * (size.channels - 1), view.pixel * (size.width - 1),
                               view.row * (size.height - 1), view.plane * (size.planes - 1)})
    (step < 0 ? low : high) += step;
  return {low, high + view.items.bytes};
}

}  // namespace

void ItemSource::read(Rows rows, AnyMutableView to) {
  const long long count = 1LL * view_.size.width * view_.size.channels;
  const bool packed_row = is_packed_in_row(view_);
  for_rows(view_, rows, to, threads_,
           [&](const unsigned char* row, unsigned char* samples, unsigned char* packed) {
             if (!packed_row) copy_row(view_, row, steps_of(view_), packed, packed_steps(view_));
             decode_items(view_.items, packed_row ? row : packed, samples, count);
           });
}

void ItemSink::write(Rows rows, AnyView from) {
  const long long count = 1LL * view_.size.width * view_.size.channels;
  const bool packed_row = is_packed_in_row(view_);
  for_rows(view_, rows, from, threads_,
           [&](unsigned char* row, const unsigned char* samples, unsigned char* packed) {
             encode_items(view_.items, samples, packed_row ? row : packed, count);
             if (!packed_row) copy_row(view_, packed, packed_steps(view_), row, steps_of(view_));
           });
}

bool share_memory(const ItemView& a, const ItemView& b) {
  if (a.size.empty() || b.size.empty()) return false;
  const auto [a_low, a_high] = range(a);
  const auto [b_low, b_high] = range(b);
  return a_low < b_high && b_low < a_high;
}

double sample_outside(const Items& items, double constant) {
  const bool whole = items.kind != ItemKind::floating;
  alignas(double) unsigned char sample[sizeof(double)], element[sizeof(double)];
  const AnyMutableView view = packed(sample, ImageInfo{{1, 1}, items.type});
  store_sample(view, 0, 0, 0, 0, (whole ? std::trunc(constant) : constant) + items.offset());
  encode_items(items, sample, element, 1);
  decode_items(items, element, sample, 1);
  return sample_at(AnyView(view), 0, 0, 0, 0);
}

void run_items(const RowsPlan& plan, const ItemView& in, const ItemView& out, Stream& stream) {
  ItemSource source(in, stream.threads());
  ItemSink sink(out, stream.threads());
  RowSource* const sources[] = {&source};
  RowSink* const sinks[] = {&sink};
  stream_rows(sources, sinks, strip_plan(plan), stream);
}

}  // namespace tessera
