// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/ensemble.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace tessera {

void Moments::add(std::span<const double> values) {
  if (images == 0) {
    means.assign(values.size(), 0);
    squares.assign(values.size(), 0);
  }
  ++images;
  const auto count = static_cast<double>(images);
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double off = values[i] - means[i];
    means[i] += off / count;
    squares[i] += off * (values[i] - means[i]);
  }
}

void Moments::add(const Moments& later) {
  if (later.images == 0) return;
  if (images == 0) {
    *this = later;
    return;
  }
  const double before = images, count = before + later.images;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double off = later.means[i] - means[i];
    means[i] += off * (later.images / count);
    squares[i] += later.squares[i] + off * off * (before * later.images / count);
  }
  images += later.images;
}

std::vector<double> Moments::standard_errors() const {
  if (images < 2)
    return std::vector<double>(means.size(), std::numeric_limits<double>::quiet_NaN());
  const double n = images;
  std::vector<double> errors;
  errors.reserve(squares.size());
  for (const double square : squares) errors.push_back(std::sqrt(square / (n - 1) / n));
  return errors;
}

void Ensemble::add(long long place, std::span<const double> values) {
  if (place / kBlock != last_ / kBlock) whole_.add(std::exchange(open_, {}));
  last_ = place;
  open_.add(values);
}

void Ensemble::add_block(long long last, Moments moments) {
  if (moments.images == 0) return;
  whole_.add(std::exchange(open_, std::move(moments)));
  last_ = last;
}

Moments Ensemble::all() const {
  Moments moments = whole_;
  moments.add(open_);
  return moments;
}

}  // namespace tessera
