// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "core/parallel.hpp"
#include "tessera/error.hpp"
#include "tessera/scene_planes.hpp"

namespace tessera {
namespace {

constexpr int kPieceRows = 32;
constexpr int kLanes = 8;  // independent sums: a chain of additions is slow

// Sum of term(sample) over a plane: lanes of a row, then rows, then pieces, always in that order.
template <class Term>
double sum_over(const View<float>& planes, int plane, Stream& stream, Term term) {
  const int width = planes.size.width;
  return fold_pieces<double>(
      {0, planes.size.height}, kPieceRows, stream,
      [&](Rows rows) {
        double lanes[kLanes] = {};
        for (int y = rows.first; y < rows.end; ++y) {
          const float* row = &planes.at(0, y, 0, plane);
          int x = 0;
          for (; x + kLanes <= width; x += kLanes)
            for (int k = 0; k < kLanes; ++k) lanes[k] += term(row[x + k]);
          for (; x < width; ++x) lanes[0] += term(row[x]);
        }
        double sum = 0;
        for (const double lane : lanes) sum += lane;
        return sum;
      },
      [](double& sum, const double& part) { sum += part; });
}

void to_zscore(const View<float>& planes, int plane, Stream& stream) {
  const auto pixels = static_cast<double>(planes.size.width) * planes.size.height;
  const double mean =
      sum_over(planes, plane, stream, [](float sample) { return double(sample); }) / pixels;
  const double variance = sum_over(planes, plane, stream,
                                   [mean](float sample) {
                                     const double off = sample - mean;
                                     return off * off;
                                   }) /
                          pixels;
  const double deviation = std::sqrt(variance);
  const double scale = deviation <= kFlatPlane ? 0 : 1 / deviation;
  for_pieces({0, planes.size.height}, kPieceRows, stream, [&](Rows rows) {
    for (int y = rows.first; y < rows.end; ++y) {
      float* row = &planes.at(0, y, 0, plane);
      for (int x = 0; x < planes.size.width; ++x)
        row[x] = static_cast<float>((row[x] - mean) * scale);
    }
  });
}

void to_unit(const View<float>& planes, int first, Stream& stream) {
  for_pieces({0, planes.size.height}, kPieceRows, stream, [&](Rows rows) {
    for (int y = rows.first; y < rows.end; ++y) {
      float *one = &planes.at(0, y, 0, first), *two = &planes.at(0, y, 0, first + 1);
      for (int x = 0; x < planes.size.width; ++x) {
        const double length = std::sqrt(double(one[x]) * one[x] + double(two[x]) * two[x]);
        const double scale = length <= kFlatPlane ? 0 : 1 / length;
        one[x] = static_cast<float>(one[x] * scale);
        two[x] = static_cast<float>(two[x] * scale);
      }
    }
  });
}

}  // namespace

void normalise_planes(View<float> planes, PlaneNormalisation how, Stream& stream) {
  if (how == PlaneNormalisation::unit && planes.size.planes % 2 != 0)
    throw Error(ErrorKind::usage, fmt::format("scene planes: {} planes cannot be paired to vectors "
                                              "of length 1; normalise by zscore or none",
                                              planes.size.planes));
  if (how == PlaneNormalisation::zscore)
    for (int plane = 0; plane < planes.size.planes; ++plane) to_zscore(planes, plane, stream);
  if (how == PlaneNormalisation::unit)
    for (int first = 0; first + 1 < planes.size.planes; first += 2) to_unit(planes, first, stream);
}

}  // namespace tessera
