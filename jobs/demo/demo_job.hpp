// SPDX-License-Identifier: Apache-2.0
/// The demo: all parts one after the other, then the page.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/demo/demo_run.hpp"

namespace tessera {

struct DemoListener {
  /// A part begins: its number, counted from 0, and how many there are.
  std::function<void(const DemoPart& part, std::size_t number, std::size_t all)> begins;
  std::function<void(const DemoPartResult& part)> ended;
};

struct DemoJob {
  std::string output = "demo";
  int seed = 1;
  bool quick = false;
  Backend backend = Backend::automatic;
  std::string only;
  bool force = false;

  static constexpr auto fields() {
    using J = DemoJob;
    return std::tuple{field("seed", &J::seed, "the same number makes the same data"),
                      field("quick", &J::quick, "small data, a few seconds"),
                      field("backend", &J::backend, "where to run"),
                      field("only", &J::only, "only these parts, such as noise,cells"),
                      field("force", &J::force, "replace an earlier demo")};
  }

  /// The settings for the parts.
  DemoOptions options() const { return {seed, to_text(backend), quick}; }

  /// `parts` are all parts; throws Error(usage) before anything is made if the output exists or a
  /// part is unknown.
  DemoResult run(const std::vector<DemoPart>& parts, const RunLine& line,
                 const DemoListener& listener) const;

 private:
  std::vector<const DemoPart*> chosen(const std::vector<DemoPart>& parts) const;
  void check_new(const std::vector<const DemoPart*>& parts) const;
};

}  // namespace tessera
