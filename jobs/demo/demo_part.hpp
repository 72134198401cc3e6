// SPDX-License-Identifier: Apache-2.0
/// A part of the demo is data: the commands that make its input, do its work and draw its pictures,
/// the lines of Python that do the same, and a check of the results against the known truth.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "report/json.hpp"

namespace tessera {

struct DemoOptions {
  int seed = 1;
  std::string backend = "auto";  ///< as users type it: auto, cpu, cuda
  bool quick = false;            ///< small data, for tests

  /// " --backend cuda", for the end of a command; empty if Tessera chooses.
  std::string backend_words() const { return backend == "auto" ? "" : " --backend " + backend; }
  /// The same for the end of the arguments of a call in Python.
  std::string backend_argument() const {
    return backend == "auto" ? "" : ", backend=\"" + backend + "\"";
  }
};

/// A PNG or JPEG file of the part's folder, for the page. Several files are played as a film.
struct DemoPicture {
  std::vector<std::string> files;
  std::string caption;
  double rate = 0;  ///< pictures per second of a film

  static constexpr auto fields() {
    using P = DemoPicture;
    return std::tuple{field("files", &P::files, "in the part's folder"),
                      field("caption", &P::caption, "caption"),
                      field("rate", &P::rate, "pictures per second of a film; 0: none")};
  }
};

struct DemoCommand {
  std::string line;      ///< "tessera noise sky.fits -o out", as typed in the part's folder
  bool is_work = false;  ///< the operation itself, whose time and backend are shown
};

struct DemoCheck {
  bool right = false;
  /// The figures compared with the truth: "noise 0.2% from the truth (1% allowed)".
  std::string sentence;
};

struct DemoPart {
  std::string operation;  ///< also its folder: "noise"
  std::string field;      ///< the field of work: "Radio surveys"
  std::string title;      ///< what happens: "Background and noise of a survey field"
  std::string story;      ///< two or three sentences: the input, the question, what to see
  std::vector<DemoCommand> commands;
  /// Runs as shown in the part's folder, after the commands that make the input.
  std::string python;
  std::vector<DemoPicture> inputs, outputs;
  /// Called in the part's folder after the commands, with the JSON of each. May also write pictures
  /// that no command makes.
  std::function<DemoCheck(const std::vector<Json>& said)> check;
};

/// All of them, in the order they are shown.
std::vector<DemoPart> demo_parts(const DemoOptions& options);

DemoPart demo_convolve(const DemoOptions& options);
DemoPart demo_rank(const DemoOptions& options);
DemoPart demo_correlate(const DemoOptions& options);
DemoPart demo_enhance(const DemoOptions& options);
DemoPart demo_cells(const DemoOptions& options);
DemoPart demo_faraday(const DemoOptions& options);
DemoPart demo_channelise(const DemoOptions& options);
DemoPart demo_xengine(const DemoOptions& options);
DemoPart demo_noise(const DemoOptions& options);
DemoPart demo_beam(const DemoOptions& options);
DemoPart demo_sources(const DemoOptions& options);

}  // namespace tessera
