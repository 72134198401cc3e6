// SPDX-License-Identifier: Apache-2.0
/// Outputs of `faraday synth` besides images: pictures of a spectrum and of the RMSF, and the RMSF
/// as text.
#pragma once

#include "jobs/faraday/faraday_strips.hpp"
#include "jobs/faraday/faraday_synth_job.hpp"

namespace tessera {

/// Throws Error(usage), before the work, for impossible names and an RMSF that is not made.
void check_plots(const FaradaySynthJob& job);
/// The same for a pixel outside the image.
void check_picture_pixel(const FaradaySynthJob& job, const Size& size);

/// Draws the pictures that the job asks for. The spectrum is that of one pixel, in double; if no
/// pixel has one and none is named, there is a note instead.
void draw_pictures(const FaradaySynthJob& job, FaradayVoxelInput& input, const FaradayAxes& axes,
                   const FaradaySeen& seen, const FaradayRmsf* rmsf, FaradaySynthResult& result);

/// Lines of depth, real and imaginary part; returns the file's name.
std::string write_rmsf_text(const FaradaySynthJob& job, const FaradayRmsf& rmsf);

}  // namespace tessera
