// SPDX-License-Identifier: Apache-2.0
/// A polarised spectrum as text: a line a channel.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// Stokes parameters over frequency, with errors.
struct StokesSpectrum {
  std::vector<double> frequency;   ///< Hz
  std::vector<double> i, i_error;  ///< empty where the file has no Stokes I
  std::vector<double> q, u, q_error, u_error;

  bool has_i() const { return !i.empty(); }
};

/// Seven columns, `frequency I Q U dI dQ dU`, or five, `frequency Q U dQ dU`, parted by blanks or
/// commas; `nan` is a channel without that value, what follows a '#' a comment. Throws Error(input)
/// naming file and line.
StokesSpectrum read_stokes_spectrum(const std::string& path);

}  // namespace tessera
