// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cpu/xengine_host.hpp"

#include <fmt/format.h>

#include <cstring>
#include <new>

#include "core/memory.hpp"
#include "core/pools.hpp"
#include "ops/xengine/cpu/xengine_samples.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

[[noreturn]] void throw_too_large(const XEngineProblem& p, double bytes) {
  throw Error(
      ErrorKind::resources,
      fmt::format("xengine: sums of {}x{} inputs and {} channels need {}, {} are free; give "
                  "fewer channels at a time",
                  p.shape.antennas, p.shape.polarisations, p.shape.channels, bytes_text(bytes),
                  bytes_text(static_cast<double>(available_memory()))));
}

/// Zeros, if there are no sums yet.
template <class T>
void make_sums(const XEngineProblem& p, std::vector<T>& sums) {
  const auto count = static_cast<std::size_t>(2 * p.shape.values() * p.shape.channels);
  if (sums.size() == count) return;
  const std::size_t bytes = count * sizeof(T);
  if (sums.capacity() < count && bytes > available_memory())
    throw_too_large(p, static_cast<double>(bytes));
  try {
    sums.resize(count);
  } catch (const std::bad_alloc&) {
    throw_too_large(p, static_cast<double>(bytes));
  }
}

}  // namespace

void XEngineHostSums::end_run() {
  for (std::size_t k = 0; k < run.size(); ++k) real[k] += run[k];
  run.clear();
}

std::unique_ptr<XEngineSums> XEngineHostRunner::start() const {
  return std::make_unique<XEngineHostSums>();
}

void XEngineHostRunner::add(XEngineSums& sums, const VoltageBlock& block, Stream& stream) const {
  auto& host = static_cast<XEngineHostSums&>(sums);
  const long long end = host.position + block.samples;
  if (is_integer(problem_.options.samples)) {
    make_sums(problem_, host.integer);
  } else {
    make_sums(problem_, host.real);
    host.end_run_before(host.position);
    if (host.phase() > 0 || end % kFloatRun != 0) make_sums(problem_, host.run);
  }
  sums.touched = true;
  accumulate(host, block, stream);
  host.ran_up_to(end);
}

long long XEngineHostRunner::dump(XEngineSums& sums, VisibilityView out, Stream& stream) const {
  auto& host = static_cast<XEngineHostSums&>(sums);
  host.end_run();
  long long saturated = 0;
  if (!host.integer.empty())
    saturated = write_visibilities(problem_, host.integer.data(), out, stream.threads());
  else if (!host.real.empty())
    saturated = write_visibilities(problem_, host.real.data(), out, stream.threads());
  else
    std::memset(out.data, 0, static_cast<std::size_t>(problem_.output.bytes()));
  clear(sums, stream);
  return saturated;
}

void XEngineHostRunner::clear(XEngineSums& sums, Stream&) const {
  auto& host = static_cast<XEngineHostSums&>(sums);
  host.integer.clear();
  host.real.clear();
  host.run.clear();
}

IntegerSample integer_sample(const XEngineOptions& options, const VoltageLayout& layout,
                             const unsigned char* at) {
  return with_reader(options, layout, [&](const auto& read) {
    const auto sample = read(at);
    return IntegerSample{static_cast<int>(sample.re), static_cast<int>(sample.im)};
  });
}

std::complex<float> float_sample(SampleType type, const VoltageLayout& layout,
                                 const unsigned char* at) {
  return with_reader({.samples = type}, layout, [&](const auto& read) {
    const auto sample = read(at);
    return std::complex<float>(static_cast<float>(sample.re), static_cast<float>(sample.im));
  });
}

}  // namespace tessera
