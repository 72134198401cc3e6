// SPDX-License-Identifier: Apache-2.0
/// From islands to a list of sources.
#pragma once

#include "ops/sources/sources_scan.hpp"

namespace tessera {

/// `scan` is used up.
SourceList measure_sources(const SourcesProblem& problem, SourceScan::Impl& scan, int threads);

}  // namespace tessera
