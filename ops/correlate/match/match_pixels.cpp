// SPDX-License-Identifier: Apache-2.0
// Pixels and templates in double, as all methods sum them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/rows.hpp"
#include "ops/correlate/match/match_problem.hpp"

namespace tessera {
namespace {

constexpr double kNotCounted = std::numeric_limits<double>::quiet_NaN();

/// One row of one plane, channel after channel. `row` is null where the border gives no pixel.
template <class T>
void load_row(const MatchProblem& p, const T* row, long long pixel, double* to, long long channel) {
  const double outside = p.border == Border::constant ? p.constant : kNotCounted;
  const int channels = p.channels(), width = p.row_width();
  for (int c = 0; c < channels; ++c) {
    double* const line = to + c * channel;
    if (!row) {
      std::fill_n(line, width, outside);
      continue;
    }
    const auto at = [&](int x) {
      const int column = border_index(x - p.anchor.x, p.image.size.width, p.border);
      return column == kNoPixel ? outside : static_cast<double>(row[column * pixel + c]);
    };
    const int first = p.anchor.x, end = std::min(width, first + p.image.size.width);
    for (int x = 0; x < first; ++x) line[x] = at(x);
    for (int x = first; x < end; ++x) line[x] = static_cast<double>(row[(x - first) * pixel + c]);
    for (int x = end; x < width; ++x) line[x] = at(x);
  }
  if constexpr (std::is_floating_point_v<T>) {
    for (int x = 0; x < width; ++x) {
      bool counts = true;
      for (int c = 0; c < channels; ++c) counts = counts && std::isfinite(to[c * channel + x]);
      if (counts) continue;
      for (int c = 0; c < channels; ++c) to[c * channel + x] = kNotCounted;
    }
  }
}

template <class T>
void load_rows(const MatchProblem& p, const std::vector<const unsigned char*>& rows,
               long long pixel, double* to, long long channel) {
  for (const unsigned char* row : rows) {
    load_row(p, reinterpret_cast<const T*>(row), pixel, to, channel);
    to += p.row_width();
  }
}

}  // namespace

MatchPixels load_match_rows(const MatchProblem& p, const Piece& in, int plane,
                            const std::vector<int>& rows, double* to) {
  const auto addresses = row_addresses(in, plane, rows);
  const MatchPixels pixels{to, p.row_width(), p.row_width() * std::ssize(rows)};
  const long long step = in.view.pixel;
  switch (p.image.type) {
    case Type::u8:
      load_rows<unsigned char>(p, addresses, step, to, pixels.channel);
      break;
    case Type::u16:
      load_rows<unsigned short>(p, addresses, step, to, pixels.channel);
      break;
    case Type::f32:
      load_rows<float>(p, addresses, step, to, pixels.channel);
      break;
    default:
      load_rows<double>(p, addresses, step, to, pixels.channel);
      break;
  }
  return pixels;
}

// Differences from the first sample that counts are exact if all samples are alike, so equal ones
// have no variance, whatever their value.
MatchWeights::MatchWeights(const MatchProblem& p) : values(p.pattern) {
  const auto counts = [](double value) { return !std::isnan(value); };
  const double first = *std::ranges::find_if(values, counts);
  double sum = 0;
  for (double& value : values)
    if (counts(value)) sum += value -= first;
  const double mean = sum / static_cast<double>(p.counted * p.channels());
  for (double& value : values) {
    value = counts(value) ? value - mean : 0;
    squares += value * value;
  }
}

double match_at(const MatchProblem& p, const MatchPixels& window) {
  const long long pixels = p.pixels();
  // Calls visit(sample of the image, sample of the template) for all that count in both.
  const auto for_pairs = [&](auto visit) {
    for (int c = 0; c < p.channels(); ++c)
      for (int y = 0; y < p.height; ++y) {
        const double* image = window.first + c * window.channel + y * window.row;
        const double* pattern = p.pattern.data() + c * pixels + 1LL * y * p.width;
        for (int x = 0; x < p.width; ++x)
          if (!std::isnan(image[x]) && !std::isnan(pattern[x])) visit(image[x], pattern[x]);
      }
  };
  double first_f = 0, first_t = 0, sum_f = 0, sum_t = 0;
  long long count = 0;
  for_pairs([&](double f, double t) {
    if (count++ == 0) first_f = f, first_t = t;
    sum_f += f - first_f;
    sum_t += t - first_t;
  });
  const auto all = static_cast<double>(p.counted * p.channels());
  if (count == 0 || static_cast<double>(count) < p.overlap * all) return 0;
  const double mean_f = sum_f / static_cast<double>(count);
  const double mean_t = sum_t / static_cast<double>(count);
  double ff = 0, tt = 0, ft = 0;
  for_pairs([&](double f, double t) {
    const double df = f - first_f - mean_f, dt = t - first_t - mean_t;
    ff += df * df;
    tt += dt * dt;
    ft += df * dt;
  });
  return ff > 0 && tt > 0 ? std::clamp(ft / (std::sqrt(ff) * std::sqrt(tt)), -1.0, 1.0) : 0;
}

}  // namespace tessera
