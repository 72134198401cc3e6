// SPDX-License-Identifier: Apache-2.0
/// Stokes I that is the same for all pixels of a cube, as text: a line a channel.
#pragma once

#include <string>
#include <vector>

namespace tessera {

struct StokesList {
  std::string path;
  std::vector<double> frequency;  ///< Hz, ascending; empty where the file has values alone
  std::vector<double> value;      ///< in the order of channels where it has

  /// A value a channel: as they are, or linear between the nearest frequencies of the list. Throws
  /// Error(usage) where their number differs, or a channel is outside of the list.
  std::vector<float> at(const std::vector<double>& channels) const;
  double value_at(double channel) const;  ///< of a list with frequencies
};

/// Whether a file begins as a list of numbers does, and as no image: with a number or a comment.
bool is_number_text(const std::string& path);

/// One number a line, or two: frequency and Stokes I. Throws Error(input) naming file and line.
StokesList read_stokes_list(const std::string& path);

}  // namespace tessera
