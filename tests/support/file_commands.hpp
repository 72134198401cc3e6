// SPDX-License-Identifier: Apache-2.0
/// Commands that stand in several tables of FileCommand, by the size of what they work on.
#pragma once

#include <string>
#include <utility>

#include "tests/support/file_scene.hpp"

namespace tessera::testing {

/// The rest of a command in a table, besides its size.
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

inline FileCommand named(FileCommand command, const std::string& name) {
  command.name = name;
  return command;
}

inline FileCommand convert_command(const std::string& ending, Type type, Size size,
                                   const Words& more = {}) {
  return {.name = "convert_" + ending,
          .ending = "." + ending,
          .type = type,
          .size = size,
          .words = {"convert", "IN", "OUT"},
          .more = more,
          .always_force = ending == "fits"};
}

inline FileCommand convolve_command(const std::string& ending, Type type, Size size,
                                    const std::string& filter, const Words& more = {}) {
  return {.name = "convolve_" + ending,
          .ending = "." + ending,
          .type = type,
          .size = size,
          .words = {"convolve", "IN", filter, "OUT"},
          .more = more};
}

inline FileCommand median_command(Size size, const Words& more = {}) {
  return {
      .name = "median_npy", .size = size, .words = {"median", "IN", "disk:3", "OUT"}, .more = more};
}

inline FileCommand match_command(Size size, const Words& more = {}) {
  return {.name = "match_npy",
          .type = Type::f32,
          .size = size,
          .words = {"match", "IN", "STEM_t.npy", "OUT"},
          .more = more,
          .before = {{"sample", "points", "STEM_t.npy", "--size", "9x7"}}};
}

inline FileCommand edges_command(Size size, const Words& more = {}) {
  return {
      .name = "edges_npy", .size = size, .words = {"edges", "IN", "gauss:2", "OUT"}, .more = more};
}

inline FileCommand correlate_command(Size size, const std::string& shift) {
  return {.name = "correlate_npy",
          .type = Type::f32,
          .size = size,
          .words = {"correlate", "IN", "-o", "OUT", "--max-shift", shift},
          .always_force = true,
          .outputs = 4};
}

inline FileCommand enhance_command(const std::string& ending, Size size, const Words& more = {}) {
  return {.name = "enhance_" + ending,
          .ending = "." + ending,
          .size = size,
          .words = {"enhance", "IN", "OUT"},
          .more = more};
}

inline FileCommand cells_detect_command(Size size) {
  return {.name = "cells_detect", .size = size, .words = {"cells", "detect", "IN", "-o", "OUT"}};
}

inline FileCommand cells_preview_command(Size size) {
  return {.name = "cells_preview", .size = size, .words = {"cells", "preview", "IN", "-o", "OUT"}};
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

/// Files of RMSFs by pattern. `flags`: the share of voxels without data, so that pixels lack
/// channels in many ways.
inline FileCommand faraday_patterns(const std::string& name, const PolarisedSize& cube,
                                    const Words& more, int outputs,
                                    const std::string& flags = "0.01") {
  FileCommand command = named(faraday_synth_command(cube, {.more = more}), name);
  command.outputs = outputs;
  command.before[0].insert(command.before[0].end(), {"--flags", flags});
  return command;
}

/// Synthesis and cleaning in one run.
inline FileCommand faraday_cleaned_command(const PolarisedSize& cube, const Words& more = {}) {
  FileCommand command = faraday_synth_command(cube);
  command.name = "faraday_synth_clean";
  command.words.insert(command.words.end(), {"--clean", "-c", "-5", "--cubes", "clean"});
  command.more = more;
  command.outputs = 10;
  return command;
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

/// A fit of Stokes I: here of Q, which has all that a fit needs.
inline FileCommand faraday_fit_command(const PolarisedSize& cube, const Words& more = {}) {
  return {.name = "faraday_fit_i",
          .words = {"faraday", "fit-i", "STEM_Q.npy", "STEM_freqs.txt", "-o", "OUT", "-n", "0.01",
                    "--order", "1", "--snr", "0", "--floor", "-1"},
          .more = more,
          .outputs = 15,
          .many = true,
          .before = {sample_polarised_words(cube)}};
}

inline FileCommand faraday_catalogue_command(const PolarisedSize& cube) {
  return {.name = "faraday_catalogue",
          .ending = ".fits",
          .words = {"faraday", "catalogue", "STEM_truth.csv", "STEM_Q.npy", "STEM_U.npy",
                    "STEM_freqs.txt", "-o", "OUT", "-n", "0.01"},
          .always_force = true,
          .before = {sample_polarised_words(cube)}};
}

inline const std::string kTestData = TESSERA_SOURCE_DIR "/tests/data/";

inline FileCommand faraday_spectrum_command() {
  return {.name = "faraday_spectrum",
          .words = {"faraday", "spectrum", kTestData + "rmtools/RMsynth1D_testdata.dat", "-o",
                    "OUT", "-l", "600", "-d", "3", "-i", "-c", "-3"},
          .outputs = 9,
          .many = true};
}

/// The page of times that were measured before.
inline FileCommand bench_report_command() {
  return {
      .name = "bench_report",
      .words = {"bench", "--report", "OUT.html", "--from", kTestData + "bench/made_up_report.json"},
      .outputs = 2,
      .many = true};
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

/// A catalogue and its regions, which appear together.
inline FileCommand sources_command(const std::string& size, const Words& more = {}) {
  return {.name = "sources",
          .type = Type::f32,
          .words = {"sources", "STEM_s.fits", "-o", "OUT.csv", "-o", "OUT.reg", "--box", "32"},
          .more = more,
          .outputs = 2,
          .many = true,
          .before = {{"sample", "sky", "STEM_s.fits", "--size", size, "--sources", "5"}}};
}

/// `files`: the visibilities, and their description if the format cannot hold it.
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
  FileCommand command = xengine_command("uvfits", 1, voltages, rest);
  command.words.insert(command.words.end(), {"--phase-centre", "zenith"});
  return command;
}

/// A raw band: delays of its antennas are below a sample.
inline FileCommand channelise_command(const VoltagesSize& voltages, const CommandRest& rest = {}) {
  Words words = sample_voltages_words("STEM_b.npy", voltages);
  words.insert(words.end(), {"--raw", "real"});
  return {.name = "channelise",
          .words = {"channelise", "STEM_b.npy", "-o", "OUT.npy", "--channels", "8", "--taps", "4"},
          .more = rest.more,
          .always_force = true,
          .outputs = 2,
          .many = true,
          .before = {words},
          .goes_on = rest.goes_on,
          .spare = rest.spare};
}
inline FileCommand xengine_fused_command(const VoltagesSize& voltages) {
  FileCommand command = channelise_command(voltages);
  command.name = "xengine_fused";
  command.words = {"xengine", "STEM_b.npy", "-o", "OUT.npy", "--channelise", "8", "--taps", "4"};
  command.spare = 1;
  return command;
}

inline FileCommand beam_command(const std::string& size, const Words& more = {}) {
  return {.name = "beam_fits",
          .ending = ".fits",
          .type = Type::f32,
          .words = {"beam", "STEM_s.fits", "-o", "OUT", "--to", "12,12,0"},
          .more = more,
          .always_force = true,
          .before = {{"sample", "sky", "STEM_s.fits", "--size", size, "--sources", "3"}}};
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
          .outputs = 5,
          .many = true};
}

inline FileCommand cells_track_command(const std::string& size, const CommandRest& rest = {}) {
  return {.name = "cells_track",
          .words = {"cells", "track", "STEM_film.npy", "-o", "OUT", "--overlay", "no", "--report",
                    "no", "--frame-rate", "30"},
          .more = rest.more,
          .outputs = 8,
          .many = true,
          .last = "/summary.json",
          .before = {{"sample", "cells", "STEM_film.npy", "--size", size, "--frames", "12",
                      "--cells", "2", "--seed", "2"}},
          .goes_on = rest.goes_on,
          .spare = rest.spare};
}

/// With label masks, in a stack and in a folder: 12 frames. Without --geff, whose files have hidden
/// names, as temporaries do.
inline FileCommand cells_masks_command(const std::string& size) {
  FileCommand command = cells_track_command(size, {.more = {"--masks", "yes", "--ctc", "yes"}});
  command.name = "cells_masks";
  command.outputs += 14;
  return command;
}

/// The line of a command in its table, by which tests vary what they sample.
template <class Commands>
int line_of(const FileCommand& command, const Commands& commands) {
  const auto found = std::ranges::find(commands, command.name, &FileCommand::name);
  return static_cast<int>(found - std::ranges::begin(commands));
}

/// One of every kind, on small files: for the tables of faults.
inline std::vector<FileCommand> small_commands() {
  const PolarisedSize cube{.size = "9x7", .channels = "8", .sources = "1"};
  const VoltagesSize voltages{.antennas = "3", .channels = "4", .samples = "300"};
  const CommandRest blocks{.more = {"--block", "100"}, .goes_on = true};
  return {
      convert_command("npy", Type::u16, {60, 40}),
      convert_command("png", Type::u8, {300, 200, 3}),
      convert_command("raw", Type::f32, {60, 40}, {"--raw", "60x40:f32"}),
      convert_command("tif", Type::u16, {60, 40}, {"--compression", "deflate"}),
      convert_command("fits", Type::f32, {60, 40}),
      convert_command("jpg", Type::u8, {60, 40, 3}),
      convolve_command("npy", Type::f32, {90, 70}, "gauss:1", {"--memory-limit", "30k"}),
      edges_command({90, 70}, {"--memory-limit", "40k"}),
      median_command({90, 70}, {"--memory-limit", "30k"}),
      match_command({90, 70}, {"--memory-limit", "100k", "--peaks", "3"}),
      correlate_command({60, 40}, "20"),
      enhance_command("npy", {90, 70}, {"--memory-limit", "5k"}),
      cells_detect_command({64, 48}),
      cells_preview_command({64, 48}),
      faraday_synth_command(cube, {.more = {"--memory-limit", "70k"}}),
      faraday_cleaned_command(cube, {"--memory-limit", "120k"}),
      faraday_clean_command(cube, {"--memory-limit", "80k"}),
      faraday_fit_command(cube),
      faraday_catalogue_command(cube),
      noise_npy_command({60, 40}, "8", {"--memory-limit", "12k"}),
      beam_command("60x40"),
      sources_command("90x70"),
      xengine_npy_command(voltages, blocks),
      xengine_uvfits_command(voltages, blocks),
      channelise_command({.antennas = "3", .channels = "8", .samples = "1000"}),
      xengine_fused_command({.antennas = "3", .channels = "8", .samples = "1000"}),
      sample_sky_command("60x40", {"--sources", "3", "--memory-limit", "30k"}),
      sample_voltages_command(voltages),
      cells_track_command("80x60", {.goes_on = true}),
  };
}

}  // namespace tessera::testing
