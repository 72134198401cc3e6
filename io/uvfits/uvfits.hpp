// SPDX-License-Identifier: Apache-2.0
/// UVFITS: visibilities as random groups, one group per baseline and integration, with tables of
/// antennas (AIPS AN) and phase centres (AIPS SU). See AIPS memo 117.
///
/// Groups hold means: sums over time divided by the number of samples that were added up. The
/// weight of a mean is that number, so that short integrations and those with missing samples count
/// for as much as they hold. A mean of no samples is 0 with weight 0, which readers take as
/// flagged.
///
/// Up to 255 antennas have the parameter BASELINE; more have ANTENNA1, ANTENNA2 and SUBARRAY.
///
/// Signs. A group of antennas a1 <= a2 holds E1 conj(E2), the conjugate of the library's V(a2, a1),
/// and (u, v, w) is r1 - r2 in seconds. With voltages that rotate as exp(+2 pi i f t), a source at
/// (l, m) then has the phase 2 pi f (u l + v m). pyuvdata reverses both when it reads: it has
/// conj(E1) E2 and r2 - r1. A source that its phase() points at then has the right place on the sky
/// (python/tests/test_xengine_files.py).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tessera/xengine.hpp"

namespace tessera {

struct UvfitsAntenna {
  std::string name;
  std::array<double, 3> position{};  ///< ITRF, metres
};

struct UvfitsCentre {
  std::string name;
  double right_ascension = 0, declination = 0;  ///< ICRS, degrees

  bool operator==(const UvfitsCentre&) const = default;
};

/// Values that are the same for all integrations.
struct UvfitsHeader {
  int polarisations = 2;  ///< 1 or 2
  int channels = 1;
  double frequency = 0;     ///< Hz, the middle of the first channel of the data
  double channel_step = 1;  ///< Hz, negative if channels descend; those of the file ascend
  double first_time = 0;    ///< MJD (UTC) of any time on the first day
  double dut1 = 0;          ///< UT1 - UTC, seconds
  bool doubles = false;     ///< numbers of 64 bits instead of 32
  std::string telescope, object;
  std::vector<UvfitsAntenna> antennas;
  std::vector<std::string> history;
};

/// One integration.
struct UvfitsIntegration {
  const void* values = nullptr;  ///< triangular order, all channels
  VisibilityType type = VisibilityType::i64;
  bool means = false;     ///< whether the values are means already, not sums
  long long samples = 0;  ///< the maximum that could be added up, times the channels averaged
  std::span<const long long>
      valid;          ///< [baseline][p of a][p of b] samples that were added up; empty: all
  double middle = 0;  ///< MJD (UTC)
  double seconds = 0;
  UvfitsCentre centre;
  /// r of antenna b minus r of antenna a, rotated to (u, v, w), metres; one per baseline. Empty:
  /// zeros.
  std::span<const std::array<double, 3>> uvw;
};

/// (u, v, w) of all baselines at a time, in metres: of r_b - r_a for the pairs (a, b) of triangular
/// order, b <= a. `dut1` is UT1 - UTC, seconds.
std::vector<std::array<double, 3>> uvfits_baselines(const std::vector<UvfitsAntenna>& antennas,
                                                    double mjd_utc, const UvfitsCentre& centre,
                                                    double dut1 = 0);

/// Throws Error(usage) for positions that are not on the Earth, such as zeros and metres east,
/// north and up.
void check_on_earth(const std::string& what, const std::vector<UvfitsAntenna>& antennas);

/// Whether the channels can be a FREQ axis, which is evenly spaced.
bool evenly_spaced(const std::vector<double>& frequency);

class UvfitsFile {
 public:
  /// Throws Error(usage) for names as Output does, and for data that UVFITS cannot hold.
  UvfitsFile(const std::string& path, bool force, UvfitsHeader header);
  ~UvfitsFile();

  void write(const UvfitsIntegration& integration);
  /// Everything except the name is on disk: nothing can fail after this.
  void prepare();
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
