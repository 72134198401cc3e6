// SPDX-License-Identifier: Apache-2.0
/// What the demo did: the JSON beside the page, and all that the page shows.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "jobs/demo/demo_part.hpp"
#include "jobs/result.hpp"

namespace tessera {

struct DemoStep {
  std::string line;
  bool is_work = false;
  double seconds = 0;  ///< by the clock

  static constexpr auto fields() {
    using S = DemoStep;
    return std::tuple{field("line", &S::line, "as typed in the part's folder"),
                      field("is_work", &S::is_work, "the operation itself"),
                      field("seconds", &S::seconds, "all of the command")};
  }
};

struct DemoPartResult {
  std::string operation, field_of_work, title, story;
  std::vector<DemoStep> commands;
  std::string python;
  std::string backend, method;  ///< several works: all that ran, "separable, van-herk"
  double seconds = 0;           ///< of the work, as it says itself
  double part_seconds = 0;      ///< with its data, pictures and check
  bool failed = false;          ///< something threw before the check was done
  bool right = false;
  std::string check;  ///< the check's sentence, or why it failed
  std::vector<DemoPicture> inputs, outputs;

  static constexpr auto fields() {
    using P = DemoPartResult;
    return std::tuple{
        field("operation", &P::operation, "which; also its folder"),
        field("field", &P::field_of_work, "who it is for"),
        field("title", &P::title, "what happens"),
        field("story", &P::story, "what went in, what was asked, what to see"),
        field("commands", &P::commands, "what ran, in order"),
        field("python", &P::python, "the same in Python"),
        field("backend", &P::backend, "where the work ran"),
        field("method", &P::method, "how"),
        field("seconds", &P::seconds, "how long the work took, files left out where it says so"),
        field("part_seconds", &P::part_seconds, "with its data, pictures and check"),
        field("failed", &P::failed, "ended before its check"),
        field("right", &P::right, "the check holds"),
        field("check", &P::check, "which figure against which truth"),
        field("inputs", &P::inputs, "pictures of what went in"),
        field("outputs", &P::outputs, "pictures of what came out")};
  }

  /// One aligned line: of a check that holds, what it says first.
  std::string describe() const;
};

struct DemoResult {
  std::string page, version, date, machine, device, no_device_reason, backend;
  int threads = 0, seed = 0;
  bool quick = false;
  double seconds = 0;
  int right = 0;  ///< parts whose check holds
  std::vector<DemoPartResult> parts;

  static constexpr auto fields() {
    using R = DemoResult;
    return std::tuple{field("page", &R::page, "the page made"),
                      field("version", &R::version, "of Tessera"),
                      field("date", &R::date, "when, UTC"),
                      field("machine", &R::machine, "the processor"),
                      field("threads", &R::threads, "how many it has for Tessera"),
                      field("device", &R::device, "the GPU; empty: none"),
                      field("no_device_reason", &R::no_device_reason, "why there is none"),
                      field("backend", &R::backend, "what was asked for"),
                      field("seed", &R::seed, "of all data"),
                      field("quick", &R::quick, "small data"),
                      field("seconds", &R::seconds, "all parts, without the build"),
                      field("right", &R::right, "parts whose check holds"),
                      field("parts", &R::parts, "one an operation")};
  }

  std::string describe() const;
  /// A sentence for every part that is not right.
  std::vector<std::string> complaints() const;
  int exit_code() const;
};

}  // namespace tessera
