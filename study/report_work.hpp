// SPDX-License-Identifier: Apache-2.0
/// The standard work of an operation, as `tessera bench --report` times it on every backend and
/// method. Each operation registers its own before main begins, as studies do:
///
///     const bool entered = add_report_work({"convolve", make_convolve_report, "GPU 7 times …"});
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tessera/options.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// One way to do the work: a method of a backend, on data in the memory of its device, or on a
/// GPU with the copies from and to host memory.
struct ReportWay {
  Backend backend = Backend::cpu;
  std::string method;                ///< "direct"
  bool transfers = false;            ///< from host memory to host memory, on a device
  std::string absent;                ///< why it cannot run here; then nothing else is valid
  std::function<void(Stream&)> run;  ///< enqueues all of it; compared with the reference before
};

/// The work, ready to be timed; it owns its data.
struct ReportWork {
  std::string what;              ///< "4096x4096 f32 by 15x15"
  std::string counts;            ///< what is counted: "Mpixel", "frames", "useful GOP"
  double amount = 0;             ///< number of them per run
  double flops = 0;              ///< arithmetic one run needs, by the method that needs least
  double bytes = 0;              ///< that every method must move: inputs read and outputs written
  bool bytes_of_8_bits = false;  ///< flops are products of bytes: the ceiling is the 8-bit one
  std::vector<ReportWay> ways;
};

struct ReportEntry {
  std::string operation;
  /// `quick`: a smaller case, a second or less on two cores. Ways that cannot run are kept with
  /// their reason. Throws Error(failure) if a way differs from the reference.
  ReportWork (*make)(bool quick);
  std::string published = {};  ///< the papers' headline; empty: they have none
};

const std::vector<ReportEntry>& report_entries();

/// Always true; for a static initialiser.
bool add_report_work(const ReportEntry& entry);

}  // namespace tessera
