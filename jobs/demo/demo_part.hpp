// SPDX-License-Identifier: Apache-2.0
/// A part of the demo: one operation at work on made data whose truth is known.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/options.hpp"

namespace tessera {

/// A picture, plot or film that the page shows; the file lies in the demo's folder.
struct DemoPicture {
  std::string file, caption;

  static constexpr auto fields() {
    using P = DemoPicture;
    return std::tuple{field("file", &P::file, "in the demo's folder"),
                      field("caption", &P::caption, "what it shows")};
  }
};

/// What came of a part.
struct DemoResult {
  std::string operation, title, story;  ///< "cells", "Cells in a vessel", one or two sentences
  std::vector<DemoPicture> inputs, outputs;
  std::vector<std::string> commands;  ///< as typed in a shell, in order
  std::string python;                 ///< lines that do the same
  std::string ran;                    ///< the plan's describe()
  std::string backend;
  double seconds = 0;  ///< of the operation, files read and written with it
  bool right = false;  ///< held against the truth
  std::string check;   ///< "68 of 68 tracks found, 0 false; speeds to 0.004 pixels a frame"

  static constexpr auto fields() {
    using R = DemoResult;
    return std::tuple{field("operation", &R::operation, "which"),
                      field("title", &R::title, "headline"),
                      field("story", &R::story, "what is done, for whom"),
                      field("inputs", &R::inputs, "what went in"),
                      field("outputs", &R::outputs, "what came out"),
                      field("commands", &R::commands, "the command lines"),
                      field("python", &R::python, "the same in Python"),
                      field("ran", &R::ran, "method and target"),
                      field("backend", &R::backend, "where it ran"),
                      field("seconds", &R::seconds, "time taken"),
                      field("right", &R::right, "the truth was met"),
                      field("check", &R::check, "how that was seen")};
  }
};

/// Where a part works: everything it writes goes into `folder`.
struct DemoPlace {
  std::string folder;
  std::uint64_t seed = 1;
  Backend backend = Backend::automatic;
  bool quick = false;  ///< smaller data: for tests
};

struct DemoPart {
  const char* operation;
  DemoResult (*run)(const DemoPlace& place);
};

/// The seven, in the order of the page.
const std::vector<DemoPart>& demo_parts();

}  // namespace tessera
