// SPDX-License-Identifier: Apache-2.0
/// Commands whose work several processes share, under mpirun or in parts.
#pragma once

#include <string>
#include <vector>

#include "tests/support/file_commands.hpp"
#include "tests/support/file_scene.hpp"

namespace tessera::testing {

/// The inputs are samples of several sizes, named STEM_01.npy and so on.
inline FileCommand many_images(const std::string& name, const Words& words, int outputs,
                               int images) {
  FileCommand command{.name = name, .words = words, .outputs = outputs, .many = true};
  for (int i = 1; i <= images; ++i)
    command.before.push_back({"sample", "scene", "STEM_" + std::to_string(10 + i) + ".npy",
                              "--size", "90x70", "--seed", std::to_string(i)});
  return command;
}

/// Floats are summed in runs, channel by channel.
inline FileCommand xengine_of_floats(const VoltagesSize& voltages) {
  FileCommand command =
      named(xengine_npy_command(voltages, {.more = {"--integrate", "700"}}), "xengine_floats");
  command.before[0].insert(command.before[0].end(), {"--type", "cf32"});
  return command;
}

/// Samples are turned to a phase centre, channel by channel; those at the ends are not valid.
inline FileCommand xengine_turned(const VoltagesSize& voltages) {
  FileCommand command =
      xengine_npy_command(voltages, {.more = {"--phase-centre", "zenith", "--delays", "shift",
                                              "--average", "2", "--integrate", "700"}});
  command.name = "xengine_turned";
  command.outputs = 3;
  return command;
}

/// Dirty spectra and one RMSF per pixel too.
inline FileCommand faraday_synth_and_clean(const PolarisedSize& cube) {
  FileCommand command = named(faraday_synth_command(cube), "faraday_synth_clean");
  command.words.insert(command.words.end(), {"--clean", "-c", "-5"});
  command.outputs = 16;
  return command;
}

inline FileCommand noise_grid(const std::string& name, Type type, Size size, const Words& more,
                              int outputs = 3) {
  return {.name = name,
          .type = type,
          .size = size,
          .words = {"noise", "IN", "-o", "OUT", "--box", "14", "--mode", "grid"},
          .more = more,
          .outputs = outputs,
          .many = true};
}

/// Most pixels of the image are blank.
inline FileCommand noise_filled(const std::string& name, const Words& more, int outputs) {
  return {
      .name = name,
      .words = {"noise", "STEM_points.npy", "-o", "OUT", "--zero-is-blank", "--fill"},
      .more = more,
      .outputs = outputs,
      .many = true,
      .before = {{"sample", "points", "STEM_points.npy", "--size", "1000x1301", "--type", "u16",
                  "--background", "0", "--sigma", "15", "--sources", "40", "--flux-high", "1e7"}}};
}

/// Two images of other sizes, in a folder.
inline FileCommand two_beams(const std::string& size) {
  FileCommand command = beam_command(size);
  command.name = "beam_folder";
  command.words = {"beam", "STEM_s.fits", "STEM_t.fits", "-o", "OUT/", "--to", "12,12,0"};
  command.outputs = 2;
  command.many = true;
  command.before.push_back({"sample", "sky", "STEM_t.fits", "--size", "900x1000"});
  return command;
}

/// The map and a table of its peaks.
inline FileCommand match_with_table(const std::string& ending, Size size, const Words& more) {
  FileCommand command = match_command(size, more);
  command.name = "match_" + ending.substr(1);
  command.ending = ending;
  command.words = {"match", "IN", "STEM_t.npy", "OUT" + ending, "--table", "OUT.csv"};
  command.outputs = 2;
  command.many = true;
  return command;
}

inline FileCommand word_command(const std::string& name, const Words& words, Type type, Size size,
                                const Words& more = {}) {
  return {.name = name, .type = type, .size = size, .words = words, .more = more};
}

inline const PolarisedSize kLargeCube{.size = "120x110", .channels = "48", .sources = "5"};

inline const PolarisedSize kFlaggedCube{.size = "150x251", .channels = "48", .sources = "5"};

/// A fit of Stokes I in the same run: here of Q, which has all that a fit needs.
inline FileCommand faraday_fitted(const PolarisedSize& cube) {
  FileCommand command = named(faraday_synth_command(cube), "faraday_fitted");
  command.words.insert(command.words.end(), {"-i", "STEM_Q.npy", "--fit-i", "1", "--fit-snr", "0"});
  command.outputs = 12;
  return command;
}

// Units have 4 MiB of input and output: images of several units, and of less than one.
inline std::vector<FileCommand> shared_commands() {
  return {
      convolve_command("npy", Type::f32, {1200, 1700}, "gauss:2"),
      named(convolve_command("npy", Type::f32, {1200, 1700}, "gauss:2", {"--memory-limit", "2M"}),
            "convolve_parts_of_units"),
      named(convolve_command("npy", Type::f32, {1200, 1700}, "gauss:9", {"--method", "fft"}),
            "convolve_fft"),
      named(convolve_command("npy", Type::u8, {40, 1}, "box:3x3"), "convolve_one_row"),
      convolve_command("fits", Type::f32, {1200, 1700}, "gauss:2", {"--force"}),
      named(convolve_command("tif", Type::u16, {1100, 700, 3, 2}, "box:3x3"), "convolve_pages"),
      named(convolve_command("tif", Type::u16, {1100, 700, 3, 2}, "box:3x3",
                             {"--compression", "deflate"}),
            "convolve_pages_deflate"),
      named(convolve_command("tif", Type::f32, {1200, 1700}, "gauss:2",
                             {"--compression", "lzw", "--memory-limit", "2M"}),
            "convolve_parts_of_strips"),
      convolve_command("png", Type::u8, {1800, 1500, 3}, "box:3x3"),
      convolve_command("raw", Type::u8, {3000, 2000}, "box:3x3", {"--raw", "3000x2000:u8"}),
      word_command("closing", {"closing", "IN", "disk:4", "OUT"}, Type::u8, {3000, 2100}),
      word_command("rank", {"rank", "IN", "disk:4", "OUT", "--percentile", "30"}, Type::u8,
                   {3000, 2100}),
      match_with_table(".npy", {600, 3000}, {"--peaks", "4", "--distance", "20"}),
      match_with_table(".tif", {600, 1700, 1, 2}, {"--peaks", "3", "--compression", "zstd"}),
      match_with_table(".fits", {300, 500}, {"--force"}),
      word_command("edges", {"edges", "IN", "gauss:2", "OUT"}, Type::f32, {1200, 1500}),
      word_command("checked", {"erode", "IN", "box:9x9", "OUT", "--check"}, Type::u8, {3000, 2100}),
      {.name = "noise",
       .type = Type::f32,
       .size = {700, 1500},
       .words = {"noise", "IN", "-o", "OUT", "--box", "32"},
       .outputs = 3,
       .many = true},
      {.name = "noise_binned",
       .type = Type::u16,
       .size = {900, 3000},
       .words = {"noise", "IN", "-o", "OUT", "--box", "32", "--mode", "binned"},
       .outputs = 3,
       .many = true},
      {.name = "noise_cube",
       .type = Type::f64,
       .size = {400, 1500, 1, 2},
       .words = {"noise", "IN", "-o", "OUT", "--box", "32"},
       .outputs = 3,
       .many = true},
      // Random values: many cells are refined.
      noise_grid("noise_grid", Type::f64, {700, 2401}, {"--grid", "60", "--refine", "0.3"}),
      noise_grid("noise_grid_two_pass", Type::f64, {700, 1701},
                 {"--grid", "50", "--refine", "0.3", "--two-pass", "--estimator", "mad"}),
      noise_grid("noise_grid_quantiles", Type::f32, {700, 1701, 1, 2},
                 {"--grid", "50", "--refine", "0.4", "--quantiles", "0.25,0.5"}, 2),
      noise_grid("noise_grid_bane", Type::f32, {800, 3001}, {"--like", "bane"}, 2),
      noise_grid("noise_grid_few_rows", Type::f32, {90, 5}, {}),
      noise_filled("noise_filled", {"--box", "12"}, 3),
      noise_filled("noise_filled_grid", {"--like", "bane"}, 2),
      enhance_command("npy", {1800, 1500, 3}),
      named(enhance_command("tif", {900, 1400, 3, 2}, {"--steps", "equalise", "--check"}),
            "enhance_pages"),
      word_command("enhance_clahe", {"enhance", "IN", "OUT", "--steps", "clahe"}, Type::u16,
                   {1500, 1700}),
      word_command("enhance_clahe_floats", {"enhance", "IN", "OUT", "--steps", "clahe"}, Type::f32,
                   {1100, 1700}),
      word_command("enhance_contrast_doubles", {"enhance", "IN", "OUT", "--steps", "contrast"},
                   Type::f64, {900, 1000}),
      named(xengine_npy_command({.antennas = "6", .channels = "10", .samples = "4000"}),
            "xengine_npy"),
      named(xengine_npy_command({.antennas = "6", .channels = "2", .samples = "4000"}),
            "xengine_fewer_channels"),
      // A rank's part of the integration is more than one message.
      named(xengine_npy_command({.antennas = "40", .channels = "64", .samples = "600"}),
            "xengine_messages"),
      xengine_of_floats({.antennas = "6", .channels = "10", .samples = "4000"}),
      named(xengine_uvfits_command({.antennas = "6", .channels = "10", .samples = "4000"}),
            "xengine_uvfits"),
      named(xengine_npy_command({.antennas = "6", .channels = "12", .samples = "4000"},
                                {.more = {"--average", "2", "--integrate", "700", "--order",
                                          "register-tile", "--block", "300"}}),
            "xengine_tiles"),
      beam_command("1100x1300"),
      two_beams("700x500"),
      xengine_turned({.antennas = "6", .channels = "10", .samples = "4000"}),
      faraday_synth_command(kLargeCube),
      faraday_synth_and_clean(kLargeCube),
      faraday_clean_command(kLargeCube),
      faraday_fitted(kLargeCube),
      faraday_patterns("faraday_patterns", kFlaggedCube, {"--maps-only"}, 7),
      faraday_patterns("faraday_patterns_and_cubes", kFlaggedCube, {"--rmsf", "patterns", "-t"},
                       10),
      // More patterns than have numbers: one process does it in the end.
      faraday_patterns("faraday_patterns_too_many", kLargeCube, {"--maps-only", "-t"}, 7, "0.2"),
      faraday_patterns("faraday_cubes_too_many", kLargeCube, {"-t"}, 9, "0.2"),
      faraday_patterns("faraday_patterns_few_rows",
                       {.size = "300x2", .channels = "48", .sources = "1"}, {"--maps-only"}, 7),
      // 21 images are two blocks and a part of one.
      many_images("correlate", {"correlate", "STEM_*.npy", "-o", "OUT.npy", "--max-shift", "20"}, 3,
                  21),
  };
}

/// Commands of the table that cannot be split into parts.
inline bool is_not_split(const std::string& name) {
  return name.starts_with("noise_grid") || name.starts_with("noise_filled");
}

}  // namespace tessera::testing
