// SPDX-License-Identifier: Apache-2.0
// Sums of pairs, [time][input], in registers: samples are read through the texture units.
#pragma once

#include "ops/xengine/study/sums_bodies.cuh"

namespace tessera {

__device__ inline void texture_sums(const TextureSumsArgs& given) {
  const SumsArgs& a = given.sums;
  const SumsPair pair = pair_of_thread(a);
  if (!pair.inside) return;
  const int i = pair.second, j = pair.first;
  int re = 0, im = 0, row = given.first + pair.channel * a.samples * a.inputs;
  for (int t = 0; t < a.samples; ++t, row += a.inputs) {
    const char2 x = tex1Dfetch<char2>(given.samples_texture, row + i);
    const char2 y = tex1Dfetch<char2>(given.samples_texture, row + j);
    re += x.x * y.x + x.y * y.y;
    im += x.y * y.x - x.x * y.y;
  }
  int* const sum = sum_of(a, pair.channel, i, j);
  put_sums(a, sum, sum + 1, re, im);
}

}  // namespace tessera
