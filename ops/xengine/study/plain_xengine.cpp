// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/study/plain_xengine.hpp"

namespace tessera {
namespace {

/// Samples of an input are `time` complex samples apart, inputs `input`.
void correlate_channel(const signed char* given, long long input, long long time,
                       const PlainXEngine& x, int* made) {
  for (int i = 0; i < x.inputs; ++i)
    for (int j = 0; j < x.inputs; ++j) {
      int re = x.add ? made[0] : 0, im = x.add ? made[1] : 0;
      for (int t = 0; t < x.samples; ++t) {
        const signed char* const a = given + 2 * (i * input + t * time);
        const signed char* const b = given + 2 * (j * input + t * time);
        re += a[0] * b[0] + a[1] * b[1];
        im += a[1] * b[0] - a[0] * b[1];
      }
      *made++ = re;
      *made++ = im;
    }
}

void correlate(const PlainXEngine& x, long long input, long long time) {
  for (int c = 0; c < x.channels; ++c)
    correlate_channel(x.given + 2LL * c * x.inputs * x.samples, input, time, x,
                      x.made + 2LL * c * x.inputs * x.inputs);
}

}  // namespace

void plain_xengine_it(const PlainXEngine& x) { correlate(x, x.samples, 1); }
void plain_xengine_ti(const PlainXEngine& x) { correlate(x, 1, x.inputs); }

}  // namespace tessera
