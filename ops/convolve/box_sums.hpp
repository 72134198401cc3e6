// SPDX-License-Identifier: Apache-2.0
/// How the running method sums the pixels of a box.
#pragma once

#include "ops/convolve/convolve_problem.hpp"

namespace tessera {

/// The narrowest type that holds every sum: whole numbers, which are exact, or doubles.
enum class BoxSumType : unsigned char { u16, i32, f64 };

inline const char* name_of(BoxSumType type) {
  return type == BoxSumType::u16 ? "u16" : type == BoxSumType::i32 ? "i32" : "f64";
}

/// A result is scale * sum of (weight * pixel).
struct BoxSums {
  BoxSumType type;
  double weight;   ///< 1 unless pixels are f64: then sums overflow only if results do
  double outside;  ///< weight * pixel for a pixel outside that the border gives no pixel
  double scale;
  int mean_of;  ///< scale is 1 over this odd number, else 0: then whole sums have no ties
  bool single;  ///< scaling whole sums in float gives the same integers as in double
  int bytes() const { return type == BoxSumType::u16 ? 2 : type == BoxSumType::i32 ? 4 : 8; }
};

BoxSums box_sums(const ConvolveProblem&);

/// "" or the reason, as a sentence part: the weights differ, or their product with the scale
/// overflows.
std::string why_not_running(const ConvolveProblem&);

}  // namespace tessera
