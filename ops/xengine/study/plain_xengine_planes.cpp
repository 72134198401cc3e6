// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "core/parallel.hpp"
#include "ops/xengine/study/plain_xengine.hpp"

namespace tessera {
namespace {

struct Sum {
  int re = 0, im = 0;
};

/// Rows of real parts, then of imaginary ones.
Sum correlate_rows(const short* a, const short* b, int samples) {
  Sum sum;
  for (int t = 0; t < samples; ++t) {
    sum.re += a[t] * b[t] + a[samples + t] * b[samples + t];
    sum.im += a[samples + t] * b[t] - a[t] * b[samples + t];
  }
  return sum;
}

void correlate_channel(const PlainXEngine& x, int channel) {
  const signed char* const given = x.given + 2LL * channel * x.inputs * x.samples;
  std::vector<short> planes(2UL * static_cast<unsigned>(x.inputs) *
                            static_cast<unsigned>(x.samples));
  for (int i = 0; i < x.inputs; ++i)
    for (int t = 0; t < x.samples; ++t)
      for (int part = 0; part < 2; ++part)
        planes[static_cast<std::size_t>((2LL * i + part) * x.samples + t)] =
            given[2 * (1LL * i * x.samples + t) + part];  // NOLINT(bugprone-signed-char-misuse)
  int* made = x.made + 2LL * channel * x.inputs * x.inputs;
  for (int i = 0; i < x.inputs; ++i, made += 2LL * x.inputs)
    for (int j = 0; j <= i; ++j) {
      const Sum sum = correlate_rows(planes.data() + 2LL * i * x.samples,
                                     planes.data() + 2LL * j * x.samples, x.samples);
      made[2 * j] = sum.re + (x.add ? made[2 * j] : 0);
      made[2 * j + 1] = sum.im + (x.add ? made[2 * j + 1] : 0);
    }
}

}  // namespace

void planes_xengine(const PlainXEngine& x, int threads) {
  parallel_for(x.channels, threads, [&](int channel) { correlate_channel(x, channel); });
}

}  // namespace tessera
