// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_pattern_map.hpp"

#include <utility>

#include "core/ranks.hpp"
#include "io/packed_rows.hpp"
#include "jobs/faraday/faraday_planes.hpp"

namespace tessera {
namespace {

std::vector<FaradayProduct> as_only_plane(FaradayProduct product) {
  product.first_plane = 0;
  return {std::move(product)};
}

}  // namespace

FaradayPatternMap::FaradayPatternMap(const FaradayProduct& product, const WriteOptions& how,
                                     const std::shared_ptr<const double>& seconds)
    : plane_(product.first_plane),
      width_(product.axes.size().width),
      outputs_(as_only_plane(product), how, seconds) {
  if (ranks().count() > 1) waiting_.emplace(anonymous_file(product.file));
}

void FaradayPatternMap::write(Rows rows, AnyView from) {
  const AnyView numbers = planes_of(from, plane_, 1);
  if (!waiting_) return outputs_.write(rows, numbers);
  std::vector<float> row(static_cast<std::size_t>(width_));
  const long long bytes = std::ssize(row) * static_cast<long long>(sizeof row[0]);
  for (int y = 0; y < rows.count(); ++y) {
    gather_row(numbers, y, 0, reinterpret_cast<unsigned char*>(row.data()));
    waiting_->write_all((rows.first + y) * bytes, row.data(), bytes);
  }
  rows_.push_back(rows);
}

void FaradayPatternMap::renumber(const std::function<int(int row, int number)>& joined) {
  if (!waiting_) return;
  Image row({width_, 1}, Type::f32);
  const long long bytes = bytes_of(row.info());
  for (const Rows& rows : rows_)
    for (int y = rows.first; y < rows.end; ++y) {
      float* const numbers = row.as<float>().data;
      waiting_->read_all(y * bytes, numbers, bytes);
      for (int x = 0; x < width_; ++x)
        numbers[x] = static_cast<float>(joined(y, static_cast<int>(numbers[x])));
      outputs_.write({y, y + 1}, row.view());
    }
}

}  // namespace tessera
