// SPDX-License-Identifier: Apache-2.0
/// The list of studies. Each one registers itself before main begins, as benchmarks do.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "study/study_result.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct StudyOptions {
  std::string sizes = "all";
  std::string rungs = "all";
  std::optional<int> side;
  int search = 4;
  Backend backend = Backend::automatic;
  int device = 0;
  std::string threads = "auto";
  bool pin = false;
  std::map<std::string, std::string> own;  ///< values of options that only one study has, as text
  const Image* image = nullptr;            ///< of the user, for a study that takes one
  std::string image_name;

  static constexpr auto fields() {
    using O = StudyOptions;
    return std::tuple{
        field("sizes", &O::sizes,
              "the cases to run: 3-43, or 3,5,17x43; a range takes every other"),
        field("rungs", &O::rungs, "the rungs to run: 1,5a,8; all runs every one"),
        field("side", &O::side, "width and height of the image; auto: as in the paper"),
        field("search", &O::search,
              "how many block sizes and tile factors a rung compiled at run time tries"),
        field("backend", &O::backend, "the rungs to run: those of a backend, or auto for all"),
        field("device", &O::device, "which GPU, counted from 0"),
        field("threads", &O::threads,
              "threads of the CPU's rungs: 1,2,3,4,6,8 makes one rung each; auto: 1, 2, 4 ... and "
              "all where the paper has a series"),
        field("pin", &O::pin, "bind the threads of the CPU's rungs to one core each")};
  }
};

/// Called with the number done and the total.
using StudyProgress = std::function<void(long long done, long long all)>;

/// An option that only one study has.
struct StudyOption {
  std::string name, hint, usual, help;
};

struct Study {
  std::string name, title;
  std::string notes;  ///< what its sizes and rungs are, for --help
  StudyResult (*run)(const StudyOptions&, const StudyProgress&);
  std::vector<StudyOption> own = {};
  std::string image = {};  ///< the user's images that it takes, for --help; "": none
};

/// The fields of a struct as options of one study, and their values.
template <class Own>
std::vector<StudyOption> own_options() {
  std::vector<StudyOption> options;
  const Own usual;
  for_each_option(usual, [&]<class T>(const char* name, const T& value, const Help& help) {
    options.push_back({name, value_hint<T>(), to_text(value), help});
  });
  return options;
}
template <class Own>
Own read_own(const StudyOptions& options) {
  Own own;
  for_each_option(own, [&](const char* name, auto& value, const Help&) {
    const auto given = options.own.find(name);
    if (given != options.own.end()) from_text(std::string("--") + name, given->second, value);
  });
  return own;
}

const std::vector<Study>& studies();

/// Runs a study with its threads as the options ask.
StudyResult run_study(const Study& study, const StudyOptions& options,
                      const StudyProgress& progress);

/// Always true; for a static initialiser.
bool add_study(const Study& study);

/// "a,b,," is "a", "b" and two empty words.
std::vector<std::string> split_text(std::string_view text, char separator);

/// The words of "1,5a,8" that are among `known`, in the order of `known`; all of them for "all".
/// Throws Error(usage) for an unknown one.
std::vector<std::string> chosen_rungs(const std::string& text,
                                      const std::vector<std::string>& known);

/// The rungs that words select: "simd.1", or "row.co" for all that begin with "row.co.". Throws
/// Error(usage) for a word that none begins with.
std::vector<std::string> rungs_beginning(const std::string& words,
                                         const std::vector<std::string>& known);

/// A filter's size.
struct StudySize {
  int width = 0, height = 0;
  bool operator==(const StudySize&) const = default;
};

/// "3-7,17x43" is 3x3, 5x5, 7x7 and 17x43. Throws Error(usage) for sides below 1 or above `most`.
std::vector<StudySize> parse_sizes(const std::string& text, int most);

/// Throws Error(resources) in one sentence if there is no such device.
void need_device(const std::string& study, int device);

}  // namespace tessera
