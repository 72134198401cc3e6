// SPDX-License-Identifier: Apache-2.0
// Help, version, completion and info.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/formats.hpp"
#include "tessera/convolve.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
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
                                                  {"edges"},
                                                  {"erode"},
                                                  {"dilate"},
                                                  {"opening"},
                                                  {"closing"},
                                                  {"white-tophat"},
                                                  {"black-tophat"},
                                                  {"gradient"},
                                                  {"median"},
                                                  {"rank"},
                                                  {"match"},
                                                  {"correlate"},
                                                  {"enhance"},
                                                  {"faraday", "synth"},
                                                  {"faraday", "clean"},
                                                  {"xengine"},
                                                  {"noise"},
                                                  {"join"},
                                                  {"bench"},
                                                  {"study"},
                                                  {"study", "convolve"},
                                                  {"study", "correlate"},
                                                  {"tune"},
                                                  {"completion"},
                                                  {"help"}}) {
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

TEST(CliHelp, HelpOfACommandIsItsHelp) {
  EXPECT_EQ(run_tool({"help"}).out, run_tool({"--help"}).out);
  EXPECT_EQ(run_tool({"help", "convolve"}).out, run_tool({"convolve", "--help"}).out);
  EXPECT_EQ(run_tool({"help", "faraday", "synth"}).out,
            run_tool({"faraday", "synth", "--help"}).out);
  EXPECT_EQ(run_tool({"help", "sample", "polarized"}).out,
            run_tool({"sample", "polarised", "--help"}).out);
  const Outcome unknown = run_tool({"help", "convole"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown.err, "convolve")) << unknown.err;
}

// The sentence that refuses an unknown method lists them all.
TEST(CliHelp, MethodsAreThoseThatCanBeNamed) {
  const TemporaryFolder folder;
  write_image(folder.path("a.npy"), testing::short_view(random_image({9, 7}, Type::f32, 1)));
  const std::vector<std::vector<std::string>> commands{
      {"convolve", folder.path("a.npy"), "box:3x3", folder.path("b.npy")},
      {"edges", folder.path("a.npy"), "sobel", folder.path("b.npy")},
      {"erode", folder.path("a.npy"), "disk:1", folder.path("b.npy")},
      {"white-tophat", folder.path("a.npy"), "disk:1", folder.path("b.npy")},
      {"median", folder.path("a.npy"), "3", folder.path("b.npy")},
      {"rank", folder.path("a.npy"), "3", folder.path("b.npy"), "--rank", "1"},
      {"match", folder.path("a.npy"), folder.path("a.npy"), folder.path("b.npy")},
      {"noise", folder.path("a.npy"), "-o", folder.path("b")}};
  for (std::vector<std::string> command : commands) {
    const std::string help = run_tool({command[0], "--help"}).out;
    const std::size_t from = help.find("--method ") + 9;
    std::string listed = help.substr(from, help.find('\n', from) - from);
    for (std::size_t at = 0; (at = listed.find('|')) != std::string::npos;)
      listed.replace(at, 1, listed.find('|', at + 1) == std::string::npos ? " or " : ", ");
    command.insert(command.end(), {"--method", "none-of-them"});
    const Outcome refused = run_tool(command);
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(has(refused.err, "it can be " + listed)) << refused.err << listed;
  }
}

TEST(CliHelp, TheOutputHasAnOptionToo) {
  const TemporaryFolder folder;
  write_image(folder.path("a.npy"), testing::short_view(random_image({9, 7}, Type::f32, 1)));
  const std::string in = folder.path("a.npy"), out = folder.path("b.npy");
  for (const std::vector<std::string>& rest :
       {std::vector<std::string>{"convert", in, "-o", out, "--force"},
        {"convert", "--output", out, in, "--force"},
        {"convolve", "-o", out, in, "box:3x3", "--force"},
        {"erode", in, "disk:1", "-o", out, "--force"},
        {"enhance", folder.path("c.png"), "--output=" + out, "--force"},
        {"sample", "scene", "-o", folder.path("c.png"), "--size", "20x20", "--force"}}) {
    if (rest[0] == "enhance")
      write_image(folder.path("c.png"), testing::short_view(random_image({9, 7}, Type::u8, 1)));
    const Outcome outcome = run_tool(rest);
    EXPECT_EQ(outcome.code, 0) << rest[0] << outcome.err;
  }
  const Outcome twice = run_tool({"convert", in, out, "-o", folder.path("d.npy")});
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(has(twice.err, "OUTPUT and -o both name the output")) << twice.err;
  const Outcome none = run_tool({"convert", in});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err, "OUTPUT")) << none.err;
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
  EXPECT_EQ(completed({"convolve", "--method", "d"}), "direct\n");
  EXPECT_EQ(completed({"erode", "--method", "s"}), "separable\n");
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
  write_image(folder.path("a.npy"), testing::short_view(random_image({7, 5, 3}, Type::u16, 1)));
  const auto json = nlohmann::json::parse(run_tool({"info", folder.path("a.npy"), "--json"}).out);
  EXPECT_EQ(json["width"], 7);
  EXPECT_EQ(json["height"], 5);
  EXPECT_EQ(json["channels"], 3);
  EXPECT_EQ(json["type"], "u16");
}

}  // namespace
}  // namespace tessera::testing
