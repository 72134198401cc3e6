// SPDX-License-Identifier: Apache-2.0
/// Errors of fitted Gaussians and of sums under correlated noise.
#pragma once

#include <vector>

#include "ops/sources/fit/sources_fit.hpp"

namespace tessera {

struct SourceErrorsOf {
  const std::vector<SourceLag>& lags;
  double noise_pixels = 1;         ///< the sum of the correlation
  double background_variance = 0;  ///< of the background, in variances of the noise
};

/// The covariance of the free parameters of source k, row-major; empty if it cannot be computed.
std::vector<double> gaussian_covariance(const SourceGroup& group,
                                        const std::vector<SourceFit>& fits, std::size_t k,
                                        const SourceErrorsOf& of);

/// The variance of the sum of d over pixels.
double sum_variance(const SourceGroup& group, const std::vector<std::size_t>& pixels,
                    const SourceErrorsOf& of);

/// The variance of the sum of data in sigmas times a pattern. An error that all pixels of the
/// background share counts too.
double pattern_variance(const SourceGroup& group, const std::vector<std::size_t>& pixels,
                        const std::vector<double>& pattern, const SourceErrorsOf& of);

}  // namespace tessera
