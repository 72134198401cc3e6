// SPDX-License-Identifier: Apache-2.0
/// What users say about delays and phase centres.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "tessera/options.hpp"

namespace tessera {

/// Whether the delays of the observed place have been removed from a recording.
enum class Tracked : unsigned char { automatic, yes, no };
template <>
struct Names<Tracked> {
  static constexpr std::array<std::pair<std::string_view, Tracked>, 3> list{
      {{"auto", Tracked::automatic}, {"yes", Tracked::yes}, {"no", Tracked::no}}};
};

/// How delays are removed: by shifting samples and turning phases, or by phases alone.
enum class DelayWay : unsigned char { automatic, shift, phase };
template <>
struct Names<DelayWay> {
  static constexpr std::array<std::pair<std::string_view, DelayWay>, 3> list{
      {{"auto", DelayWay::automatic}, {"shift", DelayWay::shift}, {"phase", DelayWay::phase}}};
};

}  // namespace tessera
