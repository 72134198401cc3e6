// SPDX-License-Identifier: Apache-2.0
// Filter, transform and rounding of 16 spectra, once per SIMD target. Every lane does the same
// operations wherever its spectrum lies, so that blocks and threads change no bit.
#include "ops/channelise/cpu/channelise_lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/channelise/cpu/channelise_lanes_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/fft_passes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FoldTag = SlabTag<float>;
using FoldVec = hn::Vec<FoldTag>;
constexpr int kFoldLanes = static_cast<int>(hn::MaxLanes(FoldTag()));
constexpr int kFoldRows = kBlock<float>;  // that are transposed together

// ---- samples ----

/// Packed samples have constant steps, which the compiler turns into vectors.
template <int kType, bool kReal, bool kPacked>
void channelise_decode_line(const ChanneliseSamples& s, const unsigned char* line, long long first,
                            long long count, float* HWY_RESTRICT even, float* HWY_RESTRICT odd) {
  constexpr int kPart = kType == kChanneliseCi4    ? 1
                        : kType == kChanneliseCi8  ? 1
                        : kType == kChanneliseCf32 ? 4
                                                   : 2;
  constexpr int kOne = kReal || kType == kChanneliseCi4 ? kPart : 2 * kPart;
  const auto value = [&](long long t) HWY_ATTR {
    if constexpr (kPacked) {
      const unsigned char* const at = line + t * kOne;
      ChanneliseSamples packed = s;
      packed.places.imaginary = kPart;
      return channelise_sample<kType, kReal>(packed, at);
    } else {
      return channelise_sample<kType, kReal>(s, line + s.places.at(t));
    }
  };
  if constexpr (kReal) {
    const long long end = first + count, begin = first - (s.first + first) % 2;
    // Sample 0 of the block may be an odd one of the recording.
    if (begin < first) odd[0] = value(first).re;
    const long long skip = begin < first ? 1 : 0;
    for (long long t = begin + 2 * skip, k = skip; t < end; t += 2, ++k) even[k] = value(t).re;
    for (long long t = begin + 2 * skip + 1, k = skip; t < end; t += 2, ++k) odd[k] = value(t).re;
  } else {
    for (long long t = 0; t < count; ++t) {
      const ChanneliseValue v = value(first + t);
      even[t] = v.re;
      odd[t] = v.im;
    }
  }
}

void channelise_decode(const ChanneliseOptions& options, const ChanneliseSamples& s,
                       const unsigned char* line, long long first, long long count,
                       float* planes[2]) {
  const int part = options.samples == SampleType::ci4 ? 1 : bytes_of(options.samples) / 2;
  const bool together = options.samples == SampleType::ci4 || options.real;
  const bool packed = s.places.group == 1 && s.places.group_step == part * (together ? 1 : 2) &&
                      (together || s.places.imaginary == part);
  with_channelise_type(options, [&](auto type, auto real) HWY_ATTR {
    if (packed)
      channelise_decode_line<type(), real(), true>(s, line, first, count, planes[0], planes[1]);
    else
      channelise_decode_line<type(), real(), false>(s, line, first, count, planes[0], planes[1]);
  });
}

// ---- filter ----

HWY_INLINE FoldVec fold_one(const ChanneliseFolds& f, const ChanneliseFold& row, long long a) {
  const FoldTag d;
  FoldVec sum = hn::Mul(hn::LoadU(d, row.filter + a), hn::LoadU(d, row.samples + a));
  for (int t = 1; t < f.taps; ++t) {
    a += f.length;
    sum = hn::MulAdd(hn::LoadU(d, row.filter + a), hn::LoadU(d, row.samples + a), sum);
  }
  return sum;
}

/// Values j of some rows that no end of the row cuts, whose filters are at the same place.
HWY_INLINE void fold_together(const ChanneliseFolds& f, const ChanneliseFold* rows, long long a,
                              FoldVec (&sums)[kFoldRows]) {
  const FoldTag d;
  FoldVec h = hn::LoadU(d, rows[0].filter + a);
  for (int i = 0; i < kFoldRows; ++i) sums[i] = hn::Mul(h, hn::LoadU(d, rows[i].samples + a));
  for (int t = 1; t < f.taps; ++t) {
    a += f.length;
    h = hn::LoadU(d, rows[0].filter + a);
    for (int i = 0; i < kFoldRows; ++i)
      sums[i] = hn::MulAdd(h, hn::LoadU(d, rows[i].samples + a), sums[i]);
  }
}

HWY_INLINE FoldVec fold_turned(const ChanneliseFolds& f, const ChanneliseFold& row, int j) {
  const FoldTag d;
  const int a = j - row.turn < 0 ? j - row.turn + f.length : j - row.turn;
  const FoldVec sum = fold_one(f, row, a);
  if (a + kFoldLanes <= f.length) return sum;
  // The row ends within the vector; its other lanes are the beginning.
  return hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(f.length - a)), sum,
                        fold_one(f, row, a - f.length));
}

void channelise_fold(const ChanneliseFolds& f, float* slab) {
  const FoldTag d;
  for (int part = 0; part < 2; ++part)
    for (int first = 0; first < kChanneliseLanes; first += kFoldRows) {
      const ChanneliseFold* const rows = f.rows[part] + first;
      float* to = slab + part * kSlabColumns<float> + first;
      for (int j = 0; j < f.length; j += kFoldLanes, to += kFoldLanes * kSlabRow<float>) {
        FoldVec sums[kFoldRows];
        if (f.turned)
          for (int i = 0; i < kFoldRows; ++i) sums[i] = fold_turned(f, rows[i], j);
        else
          fold_together(f, rows, j, sums);
        store_turned(d, sums, to, kSlabRow<float>);
      }
    }
}

void channelise_transform(const FftAxis<float>& axis, float* slab) {
  const AxisRun<float> run(axis, slab);
  run.forward(SlabLines<float>{slab, {}, {}});
  run.forward_last();
}

// ---- output ----

struct LineParts {
  FoldVec re, im;
};

HWY_INLINE LineParts line_parts(const ChanneliseLine& line, int column) {
  const FoldTag d;
  const float* const here = line.slab + line.row * kSlabRow<float> + column;
  const FoldVec a = hn::LoadU(d, here), b = hn::LoadU(d, here + kSlabColumns<float>);
  if (line.opposite < 0) return {a, b};
  // Even and odd samples were the two parts: separated, the odd ones turned by half a step.
  const float* const there = line.slab + line.opposite * kSlabRow<float> + column;
  const FoldVec c = hn::LoadU(d, there), e = hn::LoadU(d, there + kSlabColumns<float>);
  const FoldVec half = hn::Set(d, 0.5F);
  const FoldVec even_re = hn::Mul(half, hn::Add(a, c)), even_im = hn::Mul(half, hn::Sub(b, e));
  const FoldVec odd_re = hn::Mul(half, hn::Add(b, e)), odd_im = hn::Mul(half, hn::Sub(c, a));
  const FoldVec wr = hn::Set(d, line.turn_re), wi = hn::Set(d, line.turn_im);
  return {hn::Add(even_re, hn::NegMulAdd(wi, odd_im, hn::Mul(wr, odd_re))),
          hn::Add(even_im, hn::MulAdd(wi, odd_re, hn::Mul(wr, odd_im)))};
}

/// The same as channelise_quantise.
HWY_INLINE hn::Vec<hn::RebindToSigned<FoldTag>> channelise_rounded(const ChanneliseLine& line,
                                                                   FoldVec value,
                                                                   ChanneliseTallies& counts) {
  const FoldTag d;
  const hn::RebindToSigned<FoldTag> di;
  const FoldVec scaled = hn::Mul(hn::Set(d, line.gain), value);
  const auto nan = hn::IsNaN(scaled);
  const FoldVec nearest = hn::Round(hn::IfThenZeroElse(nan, scaled)), most = hn::Set(d, line.most);
  const auto beyond = hn::Gt(hn::Abs(nearest), most);
  counts.not_a_number += static_cast<unsigned>(hn::CountTrue(d, nan));
  counts.saturated += static_cast<unsigned>(hn::CountTrue(d, beyond));
  return hn::ConvertTo(di, hn::Min(hn::Max(nearest, hn::Neg(most)), most));
}

void channelise_store_line(const ChanneliseLine& line, unsigned char* to, int bytes,
                           ChanneliseTallies& counts) {
  const FoldTag d;
  const hn::RebindToUnsigned<FoldTag> du;
  const hn::Rebind<std::uint16_t, FoldTag> d16;
  for (int column = 0; column < kChanneliseLanes; column += kFoldLanes) {
    LineParts v = line_parts(line, column);
    const auto whole = hn::Ne(hn::LoadU(d, line.whole + column), hn::Zero(d));
    v.re = hn::IfThenElseZero(whole, v.re);
    v.im = hn::IfThenElseZero(whole, v.im);
    unsigned char* const at = to + column * bytes;
    if (line.most == 0) {
      hn::StoreInterleaved2(v.re, v.im, d, reinterpret_cast<float*>(at));
      continue;
    }
    const auto re = hn::BitCast(du, channelise_rounded(line, v.re, counts)),
               im = hn::BitCast(du, channelise_rounded(line, v.im, counts));
    if (bytes == 4) {
      const auto low = hn::And(re, hn::Set(du, 0xffffU));
      hn::StoreU(hn::Or(low, hn::ShiftLeft<16>(im)), du, reinterpret_cast<std::uint32_t*>(at));
    } else {
      const auto mask = hn::Set(du, 0xffU);
      const auto both = hn::Or(hn::And(re, mask), hn::ShiftLeft<8>(hn::And(im, mask)));
      hn::StoreU(hn::TruncateTo(d16, both), d16, reinterpret_cast<std::uint16_t*>(at));
    }
  }
}

int channelise_most_radix() { return kMostRadix; }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(channelise_decode);
HWY_EXPORT(channelise_fold);
HWY_EXPORT(channelise_transform);
HWY_EXPORT(channelise_store_line);
HWY_EXPORT(channelise_most_radix);

ChanneliseVectors channelise_vectors() {
  return {HWY_DYNAMIC_DISPATCH(channelise_most_radix)(), HWY_DYNAMIC_DISPATCH(channelise_decode),
          HWY_DYNAMIC_DISPATCH(channelise_fold), HWY_DYNAMIC_DISPATCH(channelise_transform),
          HWY_DYNAMIC_DISPATCH(channelise_store_line)};
}
}  // namespace tessera
#endif
