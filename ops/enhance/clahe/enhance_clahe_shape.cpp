// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/clahe/enhance_clahe_shape.hpp"

#include <algorithm>
#include <cmath>

#include "ops/enhance/clahe/enhance_clahe.hpp"
#include "ops/enhance/enhance_floats.hpp"

namespace tessera {
namespace {

/// Truncated, at least 1; a clip of 0 clips nothing.
std::uint64_t limit_of(double clip, std::uint64_t samples) {
  if (!(clip > 0)) return samples;
  const double limit = clip * static_cast<double>(samples);
  return limit < static_cast<double>(samples)
             ? std::max<std::uint64_t>(static_cast<std::uint64_t>(limit), 1)
             : samples;
}

}  // namespace

ClaheShape::ClaheShape(const EnhanceProblem& p, const EnhanceStage& stage)
    : across(clahe_axis(stage.in.size.width, p.tiles.x)),
      down(clahe_axis(stage.in.size.height, p.tiles.y)),
      wide(stage.in.type != Type::u8),
      floats(!is_integer(stage.in.type)),
      type(stage.in.type),
      values(wide ? 65536 : 256),
      planes(stage.in.size.planes),
      groups(groups_of(p, stage.in)),
      channels(colours_of(stage.in) / groups),
      tile_samples(static_cast<std::uint64_t>(across.kernel) * down.kernel * channels),
      limit(limit_of(p.clip, tile_samples)) {}

std::size_t ClaheShape::counted(int sweep) const {
  if (kind(sweep) == ClaheSweep::range)
    return floats ? ClaheFloatRange::kNumbers : static_cast<std::size_t>(values);
  return kind(sweep) == ClaheSweep::tiles ? tiles_size() : kClaheLevels;
}

void ClaheFloatRange::widen(std::uint64_t* numbers, double low, double high) {
  if (!(low <= high)) return;  // none was finite
  numbers[0] = std::max<std::uint64_t>(numbers[0], ~key_of(low));
  numbers[1] = std::max<std::uint64_t>(numbers[1], key_of(high));
}

FloatLimits ClaheFloatRange::limits(const std::uint64_t* numbers) {
  FloatLimits limits;
  if (numbers[1] == 0) return limits;
  limits.low = value_of_key<double>(~numbers[0]);
  limits.high = value_of_key<double>(numbers[1]);
  limits.none = limits.low == limits.high;
  return limits;
}

ClaheScale::ClaheScale(double least, double most, Type type)
    : low(least), high(most), rounded(least >= 0 && most <= 1 && most - least >= 0.25) {
  const auto step = [&](double v) {
    return type == Type::f32 ? static_cast<double>(std::rint(static_cast<float>(v) * 65535.0F))
                             : std::rint(v * 65535.0);
  };
  if (!rounded && !std::isfinite(high - low)) scale = 0.5;
  first = rounded ? step(low) : low * scale;
  range = (rounded ? step(high) : high * scale) - first;
}

ClaheGroup::ClaheGroup(const ClaheShape& shape, const StageFinding& finding, int plane_, int group)
    : plane(plane_), first_channel(group * shape.channels) {
  const auto index = static_cast<std::size_t>(plane) * shape.groups + group;
  flat = finding.curve.empty() || finding.low[index] < 0;
  if (finding.curve.empty()) return;
  bins = finding.curve.data() + index * shape.curve_size();
  tiles = bins + shape.bins_size();
  results = tiles + shape.tiles_size();
  if (shape.floats && !flat)
    scale = {finding.limits[index].low, finding.limits[index].high, shape.type};
}

int clahe_sweeps(const EnhanceProblem& p) { return p.image.type == Type::u8 ? 2 : 3; }

bool clahe_measures_range(const EnhanceProblem& p, const EnhanceStage& stage, int sweep) {
  return ClaheShape(p, stage).kind(sweep) == ClaheSweep::range;
}

std::size_t clahe_values(const EnhanceProblem& p, const EnhanceStage& stage, int sweep) {
  return ClaheShape(p, stage).counted(sweep);
}

}  // namespace tessera
