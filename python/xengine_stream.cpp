// SPDX-License-Identifier: Apache-2.0
#include "python/xengine_stream.hpp"

#include <algorithm>

#include "python/xengine_results.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

constexpr const char* kXEngine = "xengine";

}  // namespace

XEngineStream::XEngineStream(const XEngineShape& shape, const XEngineOptions& options,
                             const HostOptions& run)
    : plan_(shape, options), run_(run), running_(plan_) {}

/// The first block says where blocks lie, and so where sums are made if that was left open.
void XEngineStream::begin(int device) {
  if (broken_)
    throw Error(ErrorKind::usage,
                "xengine: a block was interrupted, so that the sums hold a part of it; call "
                "clear() and begin again");
  if (state_) return;
  XEngineOptions options = plan_.options();
  if (device != kHost && device != running_.device() && options.backend == Backend::automatic) {
    options.backend = Backend::cuda;
    options.device = device;
    running_ = XEngine(plan_.shape(), options);
    stream_.reset();
  }
  state_ = running_.start();
}

/// Results are made by the library of the blocks, where they lie; by NumPy where nobody knows how
/// to make one.
void XEngineStream::keep_family(const Array& given) {
  if (given.library == Library::numpy || given.library == Library::other)
    family_ = {};
  else if (given.library != family_.library || given.device != family_.device)
    family_ = family_of(look_at_raw(make_empty(given, {0}, "int64"), "result", true));
}

Stream& XEngineStream::stream() {
  if (!stream_) stream_.emplace(running_.device(), run_.threads, run_.memory_bytes());
  return *stream_;
}

template <class Work>
void XEngineStream::as_a_whole(const Work& work) {
  try {
    work();
  } catch (const Stopped&) {
    broken_ = true;
    throw;
  }
}

void XEngineStream::add(const RawArray& voltages, const std::string& layout,
                        const MaskArguments& mask) {
  const XEngineOptions& options = plan_.options();
  VoltageBlock block =
      block_of(voltages, layout, plan_.shape(), {options.samples, options.offset_binary});
  const ValidMask valid = mask_of(mask.valid, plan_.shape(), block.samples, mask.samples);
  block.valid = valid.valid;
  block.valid_samples = valid.samples;
  std::optional<Stream> theirs;
  if (block.device != kHost) theirs = library_stream(family_of(voltages));
  keep_family(family_of(voltages));
  const Turn turn(kXEngine, turns_);
  begin(block.device);
  if (block.device != running_.device()) theirs.reset();
  if (theirs) stream().after(*theirs);
  as_a_whole([&] { running_.add(*state_, block, stream()); });
  // The caller's library may use the memory again as soon as its own stream comes to it.
  if (theirs) theirs->after(stream());
  if (voltages.library == Library::other) stream().wait();
}

nb::object XEngineStream::dump(nb::handle given, bool as_complex) {
  const RawArray out = visibility_array(plan_, given, family_);
  std::optional<Stream> theirs;
  if (out.device != kHost) theirs = library_stream(family_of(out));
  {
    const Turn turn(kXEngine, turns_);
    begin(out.device);
    if (theirs && out.device == running_.device()) stream().after(*theirs);
    as_a_whole([&] { last_ = running_.dump(*state_, {out.data, out.device}, stream()); });
  }
  return as_complex ? as_complex_array(plan_, out) : out.object;
}

void XEngineStream::clear() {
  const Turn turn(kXEngine, turns_);
  if (state_) running_.clear(*state_, stream());
  broken_ = false;
}

void XEngineStream::release() {
  const Turn turn(kXEngine, turns_);
  if (stream_) stream_->wait();
  state_.reset();
  stream_.reset();
  broken_ = false;
}

long long XEngineStream::samples() const {
  const Turn turn(kXEngine, turns_);
  return state_ ? state_->samples() : 0;
}

XEngineDump XEngineStream::last() const {
  const Turn turn(kXEngine, turns_);
  return last_;
}

nb::object XEngineStream::counts() const { return counts_array(plan_, last()); }

nb::object XEngineStream::weights() const {
  const long long most = std::max(1LL, last().samples * plan_.options().average);
  return nb::object(counts() / nb::int_(most));
}

XEngine XEngineStream::running() const {
  const Turn turn(kXEngine, turns_);
  return running_;
}

std::string XEngineStream::describe() const {
  const Turn turn(kXEngine, turns_);
  return running_.describe();
}

}  // namespace tessera::python
