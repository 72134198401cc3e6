// SPDX-License-Identifier: Apache-2.0
/// Cubes that belong together: the same shape, frequencies, sky and beam.
#pragma once

#include <tuple>

#include "jobs/faraday/faraday_cube_file.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// Differences that the user means.
struct FaradayAllowed {
  bool unlike_beams = false, other_sky = false, other_frequencies = false;

  static constexpr auto fields() {
    using A = FaradayAllowed;
    return std::tuple{
        field("allow-unlike-beams", &A::unlike_beams,
              "accept beams that differ between channels or cubes; tessera beam makes them alike"),
        field("allow-other-sky", &A::other_sky,
              "accept cubes whose headers place their pixels differently on the sky"),
        field("allow-other-frequencies", &A::other_frequencies,
              "accept cubes whose headers state different frequencies"),
    };
  }
};

/// Throws Error(usage) in one sentence with both files and both values.
void check_cubes_agree(const FaradayCubeSource& q, const FaradayCubeSource& other,
                       const FaradayAllowed& allowed);

/// Throws Error(usage) if the header of `q` states Stokes U and that of `u` Stokes Q: all rotation
/// measures would have the other sign.
void check_not_exchanged(const FaradayCubeSource& q, const FaradayCubeSource& u);

/// Throws Error(usage) if a channel of both is the same plane of the same file, under whatever
/// name. Both have the same shape.
void check_two_cubes(const FaradayCubeSource& q, const FaradayCubeSource& u);

/// Throws Error(usage) if the channels of one cube have unlike beams.
void check_like_beams(const FaradayCubeSource& cube, const FaradayAllowed& allowed);

}  // namespace tessera
