// SPDX-License-Identifier: Apache-2.0
// Help, version, completion and info.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/formats.hpp"
#include "tessera/convolve.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/text_has.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

TEST(CliHelp, NamesEveryOptionAndFilter) {
  const std::string help = run_tool({"convolve", "--help"}).out;
  ConvolveOptions options;
  for_each_option(options, [&](const char* name, auto&, const Help&) {
    EXPECT_TRUE(has(help, std::string("--") + name)) << name;
  });
  for (const std::string& border : names_of<Border>()) EXPECT_TRUE(has(help, border)) << border;
  for (const FilterUsage& usage : filter_usages()) EXPECT_TRUE(has(help, usage.form)) << usage.form;
  for (const char* shared :
       {"--threads", "--memory-limit", "--force", "--json", "--quiet", "--check"})
    EXPECT_TRUE(has(help, shared)) << shared;
}

TEST(CliHelp, EveryCommandHasExamples) {
  const std::string help = run_tool({"--help"}).out;
  for (const std::vector<std::string>& command : {std::vector<std::string>{"demo"},
                                                  {"info"},
                                                  {"sample", "scene"},
                                                  {"sample", "points"},
                                                  {"sample", "cells"},
                                                  {"sample", "polarised"},
                                                  {"sample", "sky"},
                                                  {"sample", "voltages"},
                                                  {"cells", "track"},
                                                  {"cells", "detect"},
                                                  {"cells", "preview"},
                                                  {"cells", "watch"},
                                                  {"cells", "score"},
                                                  {"convert"},
                                                  {"convolve"},
                                                  {"erode"},
                                                  {"dilate"},
                                                  {"median"},
                                                  {"rank"},
                                                  {"correlate"},
                                                  {"enhance"},
                                                  {"faraday", "synth"},
                                                  {"faraday", "clean"},
                                                  {"xengine"},
                                                  {"noise"},
                                                  {"bench"},
                                                  {"study"},
                                                  {"study", "convolve"},
                                                  {"study", "correlate"},
                                                  {"tune"},
                                                  {"completion"}}) {
    EXPECT_TRUE(has(help, "\n  " + command[0])) << command[0];
    std::vector<std::string> arguments = command;
    arguments.push_back("--help");
    const Outcome outcome = run_tool(arguments);
    EXPECT_EQ(outcome.code, 0);
    const std::size_t examples = outcome.out.find("\nExamples:\n");
    ASSERT_NE(examples, std::string::npos) << outcome.out;
    EXPECT_TRUE(has(outcome.out.substr(examples), "tessera " + command[0])) << outcome.out;
  }
}

TEST(CliHelp, FitsEightyColumns) {
  for (const std::string command :
       {"demo", "convolve", "convert", "noise", "bench", "tune", "info", "study"}) {
    std::istringstream help(run_tool({command, "--help"}).out);
    for (std::string line; std::getline(help, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(CliHelp, Version) { EXPECT_EQ(run_tool({"--version"}).out, "tessera " TESSERA_VERSION "\n"); }

// The script in a shell of its own; prints what completes the last word.
std::string completed(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += "'" + word + "' ";
  const std::string script =
      "source <(" + std::string(TESSERA_CLI) + " completion bash); COMP_WORDS=(tessera " + list +
      "); COMP_CWORD=" + std::to_string(words.size()) + "; _tessera; echo ${COMPREPLY[@]}";
  const Outcome outcome = Process({"bash", "-c", script}).wait();
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

TEST(CliCompletion, BashCompletesCommandsOptionsAndValues) {
  EXPECT_EQ(completed({"con"}), "convert convolve\n");
  EXPECT_EQ(completed({"sample", ""}), "scene points cells polarised sky voltages\n");
  EXPECT_EQ(completed({"convolve", "a.png", "--bor"}), "--border\n");
  EXPECT_EQ(completed({"convolve", "--border", "reflect"}), "reflect reflect-101\n");
  EXPECT_EQ(completed({"convolve", "--output-type", "f"}), "f32 f64\n");
  EXPECT_EQ(completed({"sample", "voltages", "--type", "c"}), "ci8 ci4 ci16 cf32\n");
  EXPECT_EQ(completed({"completion", "z"}), "zsh\n");
}

TEST(CliCompletion, ScriptsParse) {
  const TemporaryFolder folder;
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Outcome script = run_tool({"completion", shell});
    ASSERT_EQ(script.code, 0) << script.err;
    EXPECT_TRUE(has(script.out, "reflect-101")) << shell;
    if (Process({"sh", "-c", "command -v " + shell}).wait().code != 0) continue;
    write_bytes(folder.path(shell), script.out);
    const Outcome parsed = Process({shell, "-n", folder.path(shell)}).wait();
    EXPECT_EQ(parsed.code, 0) << parsed.err;
  }
}

TEST(CliInfo, MachineAsJsonAndText) {
  const auto json = nlohmann::json::parse(run_tool({"info", "--json"}).out);
  EXPECT_EQ(json["version"], TESSERA_VERSION);
  EXPECT_GE(json["threads"].get<int>(), 1);
  EXPECT_FALSE(json["targets"].empty());
  EXPECT_TRUE(!json["devices"].empty() || !json["no_device_reason"].get<std::string>().empty());
  EXPECT_EQ(json["formats"][0]["name"], "NPY");
  EXPECT_TRUE(has(run_tool({"info"}).out, json["target"].get<std::string>()));
}

TEST(CliInfo, File) {
  const TemporaryFolder folder;
  write_image(folder.path("a.npy"), random_image({7, 5, 3}, Type::u16, 1).view());
  const auto json = nlohmann::json::parse(run_tool({"info", folder.path("a.npy"), "--json"}).out);
  EXPECT_EQ(json["width"], 7);
  EXPECT_EQ(json["height"], 5);
  EXPECT_EQ(json["channels"], 3);
  EXPECT_EQ(json["type"], "u16");
}

}  // namespace
}  // namespace tessera::testing
