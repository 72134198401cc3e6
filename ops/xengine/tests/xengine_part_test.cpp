// SPDX-License-Identifier: Apache-2.0
// Memory that runs out while a block is added: the sums are then not whole, and nobody gets them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "tessera/error.hpp"
#include "tessera/xengine.hpp"

namespace {

std::size_t refused_bytes = 0;  // 0: none

}  // namespace

void* operator new(std::size_t bytes) {
  if (bytes == refused_bytes) throw std::bad_alloc();
  if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return bytes == refused_bytes ? nullptr : std::malloc(bytes > 0 ? bytes : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tessera {
namespace {

constexpr XEngineShape kPartShape{41, 1, 3};
constexpr long long kSamples = 5;
/// For the counts of pairs, which are made after the sums if a mask has a zero.
constexpr std::size_t kCountBytes = 41 * 42 / 2 * sizeof(long long);

template <class Call>
void expect_not_whole(Call call) {
  try {
    call();
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resources);
    EXPECT_STREQ(error.what(),
                 "xengine: the last block was added only in part, so the sums are not whole; "
                 "clear the state and begin again");
  }
}

TEST(XEnginePart, SumsThatAreNotWholeAreRefusedUntilCleared) {
  const std::vector<unsigned char> bytes(kSamples * 41 * 3 * 2, 1);
  std::vector<unsigned char> mask(41, 1);
  mask[7] = 0;
  VoltageBlock block{bytes.data(), kSamples,
                     voltage_layout("tci", kPartShape, SampleType::ci8, kSamples)};
  block.valid = mask;
  block.valid_samples = kSamples;
  Stream& stream = thread_stream();
  for (const char* method : {"reference", "fma"}) {
    SCOPED_TRACE(method);
    const XEngine plan(kPartShape, {.backend = Backend::cpu, .method = method});
    std::vector<long long> out(static_cast<std::size_t>(plan.output().bytes() / 8));
    XEngineState state = plan.start();
    refused_bytes = kCountBytes;
    EXPECT_THROW(plan.add(state, block, stream), std::bad_alloc);
    refused_bytes = 0;
    expect_not_whole([&] { plan.add(state, block, stream); });
    expect_not_whole([&] { plan.dump(state, {out.data()}, stream); });
    plan.clear(state, stream);
    plan.add(state, block, stream);
    EXPECT_EQ(plan.dump(state, {out.data()}, stream).samples, kSamples);
    EXPECT_EQ(out[0], 2 * kSamples);  // (1 + i) conj(1 + i), once
  }
}

}  // namespace
}  // namespace tessera
