// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/match/cpu/match_group.hpp"

#include <algorithm>

#include "core/pools.hpp"

namespace tessera {
namespace {

ImageInfo group_plane(const MatchProblem& p) {
  return {{p.row_width(), match_group_rows(p) + p.height - 1}, Type::f64};
}

bool splits_tiles(const std::string& method) { return method == "fft" || method == "lowrank"; }

}  // namespace

// Twelve templates high, or three tiles of 128 rows, they waste little of the tiles that convolve
// transforms and of the halo; 4 M samples of a plane are 32 MB. All groups are about as high.
int match_group_rows(const MatchProblem& p) {
  constexpr long long kMostSamples = 4 << 20;
  const long long all = std::max(1, p.output.size.height);
  long long rows = std::max(288LL, 12LL * p.height);
  while (rows > std::max(16, p.height / 2) && (rows + p.height) * p.row_width() > kMostSamples)
    rows /= 2;
  const long long groups = (all + rows - 1) / rows;
  return static_cast<int>((all + groups - 1) / groups);
}

// Terms of low rank leave out more than the bound of sums in double allows: transforms take their
// place.
std::string method_of_products(const MatchProblem& p) {
  const MatchWeights weights(p);
  const View<const double> filter{weights.values.data(), {p.width, p.height}, 1, p.width};
  const Convolve plan(group_plane(p), filter, {.border = Border::valid, .backend = Backend::cpu});
  return splits_tiles(plan.method()) ? "fft" : "direct";
}

Convolve match_products(const MatchProblem& p, const double* weights, const std::string& method) {
  const View<const double> filter{weights, {p.width, p.height}, 1, p.width};
  ConvolveOptions options{.border = Border::valid, .backend = Backend::cpu};
  if (method == "direct") {
    Convolve plan(group_plane(p), filter, options);
    if (!splits_tiles(plan.method())) return plan;
  }
  options.method = method;
  return {group_plane(p), filter, options};
}

void GroupSums::operator()(const Convolve& products, const double* plane, double* to,
                           bool add) const {
  Stream stream(kHost, threads_);
  const Size size = products.output().size;
  const auto samples = static_cast<std::size_t>(size.samples());
  const View<const double> from = packed(plane, products.input().size);
  if (!add) {
    products(from, packed(to, size), stream);
    return stream.wait();
  }
  const Scratch memory = host_scratch(samples * sizeof(double));
  auto* const more = memory.as<double>();
  products(from, packed(more, size), stream);
  stream.wait();
  for (std::size_t i = 0; i < samples; ++i) to[i] += more[i];
}

}  // namespace tessera
