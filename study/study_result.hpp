// SPDX-License-Identifier: Apache-2.0
/// Results of a study, as text, CSV or (through its fields) JSON.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "study/compared.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// One rung on one case. Unknown values are left open.
struct StudyRow {
  std::string case_name, rung, title, absent;
  std::optional<double> ms, spread, gflops, of_peak, intensity, roofline, error, gbytes, of_copy;
  std::optional<int> block_x, block_y, tiles, registers, shared_bytes, lines;
  std::optional<double> kernels, copies, allocation;
  std::optional<int> launches;
  std::optional<double> kernel_ms;
  std::optional<int> threads;
  std::string published;

  static constexpr auto fields() {
    using R = StudyRow;
    return std::tuple{
        field("case", &R::case_name, "the case, for a filter its size"),
        field("rung", &R::rung, "the rung's name"),
        field("title", &R::title, "what it is"),
        field("absent", &R::absent, "why it did not run"),
        field("ms", &R::ms, "median time of a run on the device"),
        field("spread", &R::spread, "(slowest - fastest) / median"),
        field("gflops", &R::gflops, "GFLOP/s"),
        field("of_peak", &R::of_peak, "share of the measured multiply-add peak"),
        field("intensity", &R::intensity, "flop per byte of device memory"),
        field("roofline", &R::roofline, "share of min(peak, intensity times bandwidth)"),
        field("error", &R::error, "largest error, as the study counts it"),
        field("gbytes", &R::gbytes, "GB/s of the bytes that must move"),
        field("of_copy", &R::of_copy, "share of the measured copy bandwidth"),
        field("block_x", &R::block_x, "width of a block in threads"),
        field("block_y", &R::block_y, "height of a block in threads"),
        field("tiles", &R::tiles, "tile factor"),
        field("registers", &R::registers, "registers per thread"),
        field("shared_bytes", &R::shared_bytes, "shared memory of a block"),
        field("lines", &R::lines, "lines of code of the rung's files"),
        field("kernels", &R::kernels,
              "share of the time in kernels, which are waited for one by one"),
        field("copies", &R::copies, "share in copies between host and device"),
        field("allocation", &R::allocation, "share in allocating and releasing device memory"),
        field("launches", &R::launches, "kernels launched; a call of a library counts once"),
        field("kernel_ms", &R::kernel_ms, "time of the kernels alone, each by itself, added"),
        field("threads", &R::threads, "threads of the CPU, for a rung on a number of them"),
        field("published", &R::published, "the paper's figure, with device and section")};
  }
};

/// One case: the fastest rung, and how much faster it is than the first rung and than the rival.
struct StudySummary {
  std::string case_name, best;
  double ms = 0;
  std::optional<double> over_first, over_rival;

  static constexpr auto fields() {
    using S = StudySummary;
    return std::tuple{field("case", &S::case_name, "the case"),
                      field("best", &S::best, "the fastest rung"), field("ms", &S::ms, "its time"),
                      field("over_first", &S::over_first, "times as fast as the first rung"),
                      field("over_rival", &S::over_rival, "times as fast as the rival")};
  }
};

struct StudyResult {
  std::string study, device;
  double peak_gflops = 0, peak_gbytes = 0;  ///< measured
  std::string cpu;                          ///< for a study that also has rungs on the CPU
  double cpu_gflops = 0;                    ///< measured
  std::string first = "1", rival;           ///< rungs that the summary compares with
  std::vector<StudyRow> rows;
  std::vector<StudySummary> summary;
  std::vector<ComparedFigure> compared;  ///< what the paper printed besides times of rungs
  std::string verdict;
  std::string pinned;   ///< how threads were bound to cores; "" if they were not
  std::string further;  ///< tables behind those of the rungs
  std::string tables;  ///< the paper's own, instead of one for all rungs; not a field: rows have it

  static constexpr auto fields() {
    using R = StudyResult;
    return std::tuple{
        field("study", &R::study, "its name"),
        field("device", &R::device, "where it ran"),
        field("peak_gflops", &R::peak_gflops, "measured multiply-add peak"),
        field("peak_gbytes", &R::peak_gbytes, "measured copy bandwidth, GB/s"),
        field("cpu", &R::cpu, "where the rungs of the CPU ran"),
        field("cpu_gflops", &R::cpu_gflops, "measured multiply-add peak"),
        field("rows", &R::rows, "one row per rung and case"),
        field("summary", &R::summary, "one line per case"),
        field("compared", &R::compared, "further figures of the paper, and the same here"),
        field("pinned", &R::pinned, "how threads were bound to cores"),
        field("verdict", &R::verdict, "the outcome, in a sentence")};
  }

  std::string describe() const;  ///< tables for a terminal
  std::string csv() const;       ///< the rows, with a line of names
};

/// The times of a row as those of a part or a multiple of its work.
void scale_times(StudyRow& row, double factor);

/// "cpu.fft", and "cpu.fft.4" on four threads.
bool is_rung_or_its_threads(const std::string& rung, const std::string& name);

/// The best rung of every case, without the rival and rungs that do part of the work (`left_out`).
std::vector<StudySummary> summarize(const StudyResult& result,
                                    const std::vector<std::string>& left_out);

}  // namespace tessera
