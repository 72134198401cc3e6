// SPDX-License-Identifier: Apache-2.0
/// Commands that several devices share, with more than one unit of work each.
#pragma once

#include <string>
#include <vector>

#include "tests/support/file_commands.hpp"

namespace tessera::testing {

/// 21 images are two blocks of an ensemble and a part of one.
inline FileCommand ensemble_command() {
  FileCommand command{.name = "ensemble",
                      .words = {"correlate", "STEM_*.npy", "-o", "OUT.npy", "--max-shift", "20"},
                      .outputs = 3,
                      .many = true};
  for (int i = 1; i <= 21; ++i)
    command.before.push_back({"sample", "scene", "STEM_" + std::to_string(10 + i) + ".npy",
                              "--size", "90x70", "--seed", std::to_string(i)});
  return command;
}

/// Films named f1.npy and so on in a folder.
inline void make_films(const std::string& folder, int count) {
  std::filesystem::create_directory(folder);
  for (int i = 1; i <= count; ++i) {
    const std::string name = folder + "/f" + std::to_string(i);
    const Outcome made =
        Process({TESSERA_CLI, "sample", "cells", name + ".npy", "--size", "90x70", "--frames", "12",
                 "--cells", "2", "--seed", std::to_string(i), "--quiet"})
            .wait();
    EXPECT_EQ(made.code, 0) << made.err;
    std::filesystem::remove(name + ".csv");  // the truth is not a film
  }
}

/// The integrations that the X-engine makes of a recording in the folder. Their description keeps
/// the command line.
inline std::string integrations_of(const TemporaryFolder& folder, const Words& more) {
  const std::string recording = folder.path("v.npy"), out = folder.path("vis.npy");
  if (!std::filesystem::exists(recording)) {
    Words words =
        sample_voltages_words(recording, {.antennas = "6", .channels = "10", .samples = "4000"});
    words.insert(words.begin(), TESSERA_CLI);
    EXPECT_EQ(Process(words).wait().code, 0);
  }
  Words words{TESSERA_CLI, "xengine", recording, "-o", out, "--integrate", "700", "--force"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = Process(words).wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return read_bytes(out);
}

inline std::vector<FileCommand> commands_of_devices() {
  const PolarisedSize cube{.size = "120x110", .channels = "48", .sources = "5"};
  return {
      convolve_command("npy", Type::f32, {1200, 1700}, "gauss:2"),
      named(convolve_command("npy", Type::f32, {1200, 1700}, "gauss:9", {"--method", "fft"}),
            "convolve_fft"),
      // Rows of PNG must come in order.
      convolve_command("png", Type::u8, {1800, 1500, 3}, "box:3x3"),
      {.name = "erode", .size = {3000, 2100}, .words = {"erode", "IN", "disk:4", "OUT"}},
      {.name = "opening", .size = {3000, 2100}, .words = {"opening", "IN", "disk:4", "OUT"}},
      median_command({2000, 2100}),
      noise_npy_command({900, 1500}, "32"),
      named(noise_npy_command({900, 1500}, "32", {"--mode", "grid"}), "noise_grid"),
      named(noise_npy_command({900, 1500}, "32", {"--fill"}), "noise_filled"),
      enhance_command("npy", {1800, 1500, 3}),
      {.name = "enhance_clahe",
       .type = Type::u16,
       .size = {1500, 1700},
       .words = {"enhance", "IN", "OUT", "--steps", "clahe"}},
      faraday_synth_command(cube),
      faraday_patterns("faraday_patterns", cube, {"--maps-only"}, 7),
      faraday_clean_command(cube),
      ensemble_command(),
  };
}

}  // namespace tessera::testing
