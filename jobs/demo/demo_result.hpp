// SPDX-License-Identifier: Apache-2.0
/// The result of the demo: the JSON next to the page, with everything that the page shows.
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
  double seconds = 0;  ///< wall-clock time

  static constexpr auto fields() {
    using S = DemoStep;
    return std::tuple{field("line", &S::line, "as typed in the part's folder"),
                      field("is_work", &S::is_work, "the operation itself"),
                      field("seconds", &S::seconds, "duration of the whole command")};
  }
};

struct DemoPartResult {
  std::string operation, field_of_work, title, story;
  std::vector<DemoStep> commands;
  std::string python;
  std::string backend, method;  ///< with several operations, all methods: "separable, van-herk"
  double seconds = 0;           ///< of the work, as it reports itself
  double part_seconds = 0;      ///< including its data, pictures and check
  bool failed = false;          ///< an error occurred before the check was done
  bool right = false;
  std::string check;  ///< the sentence of the check, or why the part failed
  std::vector<DemoPicture> inputs, outputs;

  static constexpr auto fields() {
    using P = DemoPartResult;
    return std::tuple{
        field("operation", &P::operation, "the operation; also the name of its folder"),
        field("field", &P::field_of_work, "the field of work"),
        field("title", &P::title, "what happens"),
        field("story", &P::story, "the input, the question, what to see"),
        field("commands", &P::commands, "the commands, in order"),
        field("python", &P::python, "the same in Python"),
        field("backend", &P::backend, "where the work ran"),
        field("method", &P::method, "how"),
        field("seconds", &P::seconds,
              "how long the work took, without reading and writing files if the command reports "
              "that"),
        field("part_seconds", &P::part_seconds, "including its data, pictures and check"),
        field("failed", &P::failed, "it failed before its check"),
        field("right", &P::right, "the check holds"),
        field("check", &P::check, "the figures compared with the truth"),
        field("inputs", &P::inputs, "pictures of the input"),
        field("outputs", &P::outputs, "pictures of the results")};
  }

  /// One aligned line, with the beginning of the check's sentence if it passed.
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
    return std::tuple{field("page", &R::page, "the page"),
                      field("version", &R::version, "of Tessera"),
                      field("date", &R::date, "when, UTC"),
                      field("machine", &R::machine, "the processor"),
                      field("threads", &R::threads, "CPU threads available to Tessera"),
                      field("device", &R::device, "the GPU; empty: none"),
                      field("no_device_reason", &R::no_device_reason, "why there is none"),
                      field("backend", &R::backend, "the backend asked for"),
                      field("seed", &R::seed, "of all data"),
                      field("quick", &R::quick, "small data"),
                      field("seconds", &R::seconds, "all parts together"),
                      field("right", &R::right, "parts whose check holds"),
                      field("parts", &R::parts, "one per operation")};
  }

  std::string describe() const;
  /// One sentence for every part that failed or is wrong.
  std::vector<std::string> complaints() const;
  int exit_code() const;
};

}  // namespace tessera
