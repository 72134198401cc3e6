// SPDX-License-Identifier: Apache-2.0
/// Commands that stand in several tables of FileCommand, by the size of what they work on.
#pragma once

#include <string>
#include <utility>

#include "tests/support/file_scene.hpp"

namespace tessera::testing {

/// What a table asks of a command beside its size.
struct CommandRest {
  Words more = {};
  bool goes_on = false;
  int spare = 0;
};

/// Sizes are words of the command line.
struct PolarisedSize {
  std::string size, channels, sources;
};
struct VoltagesSize {
  std::string antennas, channels, samples;
};

inline Words sample_polarised_words(const PolarisedSize& cube) {
  return {"sample",     "polarised",   "STEM.npy",  "--size",    cube.size,
          "--channels", cube.channels, "--sources", cube.sources};
}

inline Words sample_voltages_words(const std::string& name, const VoltagesSize& voltages) {
  return {"sample",     "voltages",        name,        "--antennas",    voltages.antennas,
          "--channels", voltages.channels, "--samples", voltages.samples};
}

inline FileCommand faraday_synth_command(const PolarisedSize& cube, const CommandRest& rest = {}) {
  return {.name = "faraday_synth",
          .words = {"faraday", "synth", "STEM_Q.npy", "STEM_U.npy", "STEM_freqs.txt", "-o", "OUT",
                    "-l", "300", "-d", "20"},
          .more = rest.more,
          .outputs = 9,
          .many = true,
          .before = {sample_polarised_words(cube)},
          .goes_on = rest.goes_on,
          .spare = rest.spare};
}

inline FileCommand faraday_clean_command(const PolarisedSize& cube, const Words& more = {}) {
  return {
      .name = "faraday_clean",
      .words = {"faraday", "clean", "STEM_", "STEM_", "-c", "0.01", "--dphi", "20", "-o", "OUT"},
      .more = more,
      .outputs = 7,
      .many = true,
      .before = {sample_polarised_words(cube),
                 {"faraday", "synth", "STEM_Q.npy", "STEM_U.npy", "STEM_freqs.txt", "-l", "300",
                  "-d", "20", "-o", "STEM_"}}};
}

inline FileCommand noise_npy_command(Size size, const std::string& box, const Words& more = {}) {
  return {.name = "noise_npy",
          .type = Type::f32,
          .size = size,
          .words = {"noise", "IN", "-o", "OUT", "--box", box},
          .more = more,
          .outputs = 3,
          .many = true};
}

/// `files`: the visibilities, and what describes them where they cannot say it themselves.
inline FileCommand xengine_command(const std::string& ending, int files,
                                   const VoltagesSize& voltages, const CommandRest& rest) {
  return {.name = "xengine_" + ending,
          .words = {"xengine", "STEM_v.npy", "-o", "OUT." + ending},
          .more = rest.more,
          .always_force = true,
          .outputs = files,
          .many = true,
          .before = {sample_voltages_words("STEM_v.npy", voltages)},
          .goes_on = rest.goes_on,
          .spare = rest.spare};
}
inline FileCommand xengine_npy_command(const VoltagesSize& voltages, const CommandRest& rest = {}) {
  return xengine_command("npy", 2, voltages, rest);
}
inline FileCommand xengine_uvfits_command(const VoltagesSize& voltages,
                                          const CommandRest& rest = {}) {
  return xengine_command("uvfits", 1, voltages, rest);
}

inline FileCommand sample_sky_command(const std::string& size, const Words& more = {}) {
  return {.name = "sample_sky",
          .words = {"sample", "sky", "OUT.npy", "--size", size},
          .more = more,
          .outputs = 4,
          .many = true};
}

inline FileCommand sample_voltages_command(const VoltagesSize& voltages) {
  return {.name = "sample_voltages",
          .words = sample_voltages_words("OUT.npy", voltages),
          .outputs = 4,
          .many = true};
}

inline FileCommand cells_track_command(const std::string& size, const CommandRest& rest = {}) {
  return {.name = "cells_track",
          .words = {"cells", "track", "STEM_film.npy", "-o", "OUT", "--overlay", "no", "--report",
                    "no", "--frame-rate", "30"},
          .more = rest.more,
          .outputs = 6,
          .many = true,
          .last = "/summary.json",
          .before = {{"sample", "cells", "STEM_film.npy", "--size", size, "--frames", "12",
                      "--cells", "2"}},
          .goes_on = rest.goes_on,
          .spare = rest.spare};
}

}  // namespace tessera::testing
