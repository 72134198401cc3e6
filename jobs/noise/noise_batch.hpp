// SPDX-License-Identifier: Apache-2.0
/// Maps of many images, each with its own job.
///
///     NoiseJob job{.input = "fields/*.fits", .output = "maps/"};
///     BatchResult result = run_noise_batch(job, {});   // maps/NAME_bkg.fits, …
#pragma once

#include "jobs/batch.hpp"
#include "jobs/noise/noise_job.hpp"

namespace tessera {

/// Whether the input stands for several images: a folder, or a pattern. Throws Error(usage) for
/// options of a batch with a single image, and for options that a batch does not have.
bool is_noise_batch(const NoiseJob& job, const BatchOptions& options);

/// Every image, with the names and bytes of a single job; continues where an earlier run stopped.
BatchResult run_noise_batch(const NoiseJob& job, const BatchOptions& options,
                            const Progress& progress = {});

}  // namespace tessera
