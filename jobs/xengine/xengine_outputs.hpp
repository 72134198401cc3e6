// SPDX-License-Identifier: Apache-2.0
/// The output files of a correlation: all of them, or none.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/xengine/antenna_list.hpp"
#include "jobs/xengine/phase_centre.hpp"
#include "jobs/xengine/xengine_job.hpp"

namespace tessera {

/// One integration.
struct XEngineIntegration {
  const void* values = nullptr;
  XEngineDump dump;
  long long first_sample = 0;
};

/// The description of the correlation in its files, known before the work.
struct XEngineDescription {
  VoltageInfo recording;
  VisibilityInfo output;
  XEngineShape shape;  ///< of the recording
  int average = 1;
  std::vector<double> frequency;        ///< Hz, after averaging; empty: not known
  std::optional<double> channel_width;  ///< Hz, after averaging
  AntennaList antennas;
  PhaseCentre centre;
  std::string ran;

  /// MJD (UTC) of a sample; fractions of a sample are allowed.
  std::optional<double> time_of(double sample) const;
};
XEngineDescription describe_xengine(const VoltageInfo& recording, const XEngine& plan,
                                    const AntennaList& antennas, const PhaseCentre& centre);

class XEngineOutput {
 public:
  virtual ~XEngineOutput() = default;
  virtual void write(const XEngineIntegration& integration) = 0;
  /// Writes everything to disk, without renaming.
  virtual void prepare() = 0;
  virtual void finish() = 0;
  virtual std::vector<std::string> files() const = 0;
  /// All files that may be made.
  virtual std::vector<std::string> possible_files() const { return files(); }
  /// The assumptions made.
  virtual std::vector<std::string> notes() const { return {}; }
};

bool is_uvfits(const std::string& path);
bool is_ms(const std::string& path);
/// Files for imagers hold means, others sums.
inline bool holds_means(const std::string& path) { return is_uvfits(path) || is_ms(path); }
/// Chosen by the name's ending; files are begun now. Throws Error(usage) for other endings, for
/// files that exist, and for data that the format cannot hold.
std::unique_ptr<XEngineOutput> create_xengine_output(const XEngineJob& job,
                                                     const XEngineDescription& description);
/// The three kinds of output.
std::unique_ptr<XEngineOutput> create_array_output(const XEngineJob& job,
                                                   const XEngineDescription& description);
std::unique_ptr<XEngineOutput> create_uvfits_output(const XEngineJob& job,
                                                    const XEngineDescription& description);
std::unique_ptr<XEngineOutput> create_ms_output(const XEngineJob& job,
                                                const XEngineDescription& description);
/// Throws Error(usage) for an impossible name or order, before anything is read.
void check_xengine_output(const XEngineJob& job);

}  // namespace tessera
