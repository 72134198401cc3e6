// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_agree.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/counted.hpp"
#include "io/hdu_name.hpp"
#include "jobs/faraday/faraday_lists.hpp"
#include "jobs/faraday/faraday_stokes.hpp"
#include "jobs/sky_header.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::string cube_shape(const Size& size) {
  return fmt::format("{} of {}x{}", counted(size.planes, "channel"), size.width, size.height);
}

void check_frequencies(const FaradayCubeSource& q, const FaradayCubeSource& other) {
  const std::vector<double> a = stated_frequencies(q), b = stated_frequencies(other);
  if (a.empty() || b.empty()) return;
  // A hundredth of a channel; of the frequency if there is only one.
  const double width = a.size() > 1
                           ? std::abs(a.back() - a.front()) / static_cast<double>(a.size() - 1)
                           : std::abs(a.front());
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!(std::abs(a[k] - b[k]) <= 0.01 * width))
      throw Error(
          ErrorKind::usage,
          fmt::format("faraday: channel {} is {:.9g} MHz in {} and {:.9g} MHz in {}; give "
                      "cubes of the same channels, or --allow-other-frequencies if a header "
                      "is wrong",
                      k, a[k] / 1e6, q.channel_name(k), b[k] / 1e6, other.channel_name(k)));
}

bool is_same_file(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const HduName of_a = split_hdu(a), of_b = split_hdu(b);
  std::error_code none;
  return of_a.hdu == of_b.hdu && std::filesystem::equivalent(of_a.path, of_b.path, none);
}

}  // namespace

void check_cubes_agree(const FaradayCubeSource& q, const FaradayCubeSource& other,
                       const FaradayAllowed& allowed) {
  if (q.info().size != other.info().size)
    throw Error(
        ErrorKind::usage,
        fmt::format("faraday: {} has {}, and {} has {}; both must have the same shape", q.path(),
                    cube_shape(q.info().size), other.path(), cube_shape(other.info().size)));
  if (!allowed.other_frequencies) check_frequencies(q, other);
  if (!allowed.other_sky)
    if (const std::string sky = sky_difference(q.header(), q.path(), other.header(), other.path());
        !sky.empty())
      throw Error(
          ErrorKind::usage,
          fmt::format("faraday: {}; give cubes of the same pixels, or --allow-other-sky if a "
                      "header is wrong",
                      sky));
  const auto a = q.beam(), b = other.beam();
  if (!allowed.unlike_beams && a && b && !like_beams(*a, *b))
    throw Error(ErrorKind::usage,
                fmt::format("faraday: the beam of {} is {}, and that of {} is {}; convolve both to "
                            "one beam (tessera beam), or give --allow-unlike-beams",
                            q.path(), arcsec_text(*a), other.path(), arcsec_text(*b)));
}

void check_not_exchanged(const FaradayCubeSource& q, const FaradayCubeSource& u) {
  if (first_stokes(q.header()) != 'U' || first_stokes(u.header()) != 'Q') return;
  throw Error(
      ErrorKind::usage,
      fmt::format("faraday: {} is given as Stokes Q and states that it is U, and {} is given "
                  "as U and states that it is Q; exchange them",
                  q.path(), u.path()));
}

void check_two_cubes(const FaradayCubeSource& q, const FaradayCubeSource& u) {
  const bool several = q.stack() || u.stack();
  const std::size_t channels = several ? static_cast<std::size_t>(q.info().size.planes) : 1;
  for (std::size_t k = 0; k < channels; ++k) {
    const std::string &a = q.channel_name(k), &b = u.channel_name(k);
    if (q.channel_plane(k) != u.channel_plane(k) || !is_same_file(a, b)) continue;
    throw Error(ErrorKind::usage,
                fmt::format("faraday: {}{} is given as Stokes Q and as Stokes U{}; give a file of "
                            "each",
                            a, a == b ? "" : fmt::format(" (or {})", b),
                            several ? fmt::format(" of channel {}", k) : ""));
  }
}

void check_like_beams(const FaradayCubeSource& cube, const FaradayAllowed& allowed) {
  if (allowed.unlike_beams) return;
  const auto& beams = cube.beams();
  std::size_t first = 0;
  while (first < beams.size() && !beams[first]) ++first;
  for (std::size_t k = first; k < beams.size(); ++k)
    if (beams[k] && !like_beams(*beams[first], *beams[k]))
      throw Error(
          ErrorKind::usage,
          fmt::format("faraday: {}: the beam of channel {} is {}, and that of channel {} is "
                      "{}; convolve all channels to one beam (tessera beam), or give "
                      "--allow-unlike-beams",
                      cube.path(), first, arcsec_text(*beams[first]), k, arcsec_text(*beams[k])));
}

}  // namespace tessera
