// SPDX-License-Identifier: Apache-2.0
/// Candidates compiled for a device that is not present, to be copied there with the cache folder.
#pragma once

#include <functional>
#include <string>
#include <tuple>

#include "tune/tuner.hpp"

namespace tessera {

struct CompileReport {
  std::string architecture, folder;
  int kernels = 0, compiled = 0;

  static constexpr auto fields() {
    using R = CompileReport;
    return std::tuple{
        field("architecture", &R::architecture, "what they are compiled for"),
        field("folder", &R::folder, "where they are kept"),
        field("kernels", &R::kernels, "kernels that the search will ask for"),
        field("compiled", &R::compiled, "of them newly compiled"),
    };
  }
  std::string describe() const;
};

/// Everything needed to tune a device of this architecture ("sm_90") with these settings. Throws
/// Error(failure) without a run-time compiler or a cache folder.
CompileReport compile_ahead(TuneSettings settings, const std::string& architecture,
                            const std::function<void(int done, int all)>& progress);

}  // namespace tessera
