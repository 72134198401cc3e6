// SPDX-License-Identifier: Apache-2.0
/// The engine that owns all threads. Operations' own CPU code is serial.
#pragma once

#include <functional>

#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Threads the environment allows: OMP_NUM_THREADS, else CPU affinity and the cgroup's quota.
int available_threads();
/// Those of the whole machine, or of the cgroup's quota: what choices count with, so that a process
/// bound to some cores makes the same choices as its neighbours and as one with all of them.
int node_threads();

/// Runs work(0) … work(count - 1), each once, on `threads` threads. The exception of the lowest
/// index that threw is rethrown when all have stopped.
void parallel_for(int count, int threads, const std::function<void(int)>& work);

/// While it lives, parallel_for of this thread uses OpenMP's threads: for studies of programs that
/// did.
class ScopedOpenMp {
 public:
  ScopedOpenMp();
  ScopedOpenMp(const ScopedOpenMp&) = delete;
  ScopedOpenMp& operator=(const ScopedOpenMp&) = delete;
  ~ScopedOpenMp();
};

/// The same for work that starts its own threads, such as a job on a file: `at_once` indices at a
/// time, each on a plain thread from which parallel_for may start its share of threads.
void run_at_once(int count, int at_once, const std::function<void(int)>& work);

/// Splits `all` into pieces of `piece_rows` rows, counted from row 0 of the image and never from
/// the number of threads, and runs them on the stream's threads.
void for_pieces(Rows all, int piece_rows, const Stream& stream,
                const std::function<void(Rows)>& run);

/// The same for every plane of a batch; pieces of all planes share the threads.
void for_pieces(Rows all, int piece_rows, int planes, const Stream& stream,
                const std::function<void(int plane, Rows)>& run);

/// As for_pieces, but each piece returns a value and the values are always added in row order: the
/// sum has the same bits for any number of threads.
template <class Value>
Value fold_pieces(Rows all, int piece_rows, const Stream& stream,
                  const std::function<Value(Rows)>& leaf,
                  const std::function<void(Value&, const Value&)>& add);

/// Items (strips, frames, files) in order through read, work and write, overlapped, at most `depth`
/// items in flight. Each stage sees every item once, in order, on its own thread; work runs
/// on the caller's. `read` returns false at the end. An exception of any stage stops the others and
/// is rethrown.
template <class Item>
void ordered(const std::function<bool(Item&)>& read, const std::function<void(Item&)>& work,
             const std::function<void(Item&)>& write, int depth);

}  // namespace tessera

#include "core/parallel_impl.hpp"
