// SPDX-License-Identifier: Apache-2.0
/// Stokes I that is the same for all pixels of a cube, as text: one line per channel.
#pragma once

#include <string>
#include <vector>

namespace tessera {

struct StokesList {
  std::string path;
  std::vector<double> frequency;  ///< Hz, ascending; empty if the file has only values
  std::vector<double> value;      ///< in the order of channels if it has only values

  /// One value per channel: as they are, or interpolated linearly between the nearest frequencies
  /// of the list. Throws Error(usage) if their number differs, or if a channel is outside the list.
  std::vector<float> at(const std::vector<double>& channels) const;
  double value_at(double channel) const;  ///< for a list with frequencies
};

/// Whether a file begins like a list of numbers, not like an image: with a number or a comment.
bool is_number_text(const std::string& path);

/// One number per line, or two: frequency and Stokes I. Throws Error(input) naming file and line.
StokesList read_stokes_list(const std::string& path);

}  // namespace tessera
