// SPDX-License-Identifier: Apache-2.0
/// The templates of parallel.hpp.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/stop.hpp"

namespace tessera {

/// Number of pieces in `all` if cuts lie at multiples of `piece_rows`.
inline int piece_count(Rows all, int piece_rows) {
  if (all.count() <= 0) return 0;
  return (all.end - 1) / piece_rows - all.first / piece_rows + 1;
}
/// The rows of piece `index`; the first and last may be shorter.
inline Rows piece_at(Rows all, int piece_rows, int index) {
  const int first = (all.first / piece_rows + index) * piece_rows;
  return {first < all.first ? all.first : first,
          all.end - first < piece_rows ? all.end : first + piece_rows};
}

template <class Value>
Value fold_pieces(Rows all, int piece_rows, const Stream& stream,
                  const std::function<Value(Rows)>& leaf,
                  const std::function<void(Value&, const Value&)>& add) {
  const int count = piece_count(all, piece_rows);
  std::vector<Value> leaves(static_cast<std::size_t>(count));
  parallel_for(count, stream.threads(), [&](int i) {
    leaves[static_cast<std::size_t>(i)] = leaf(piece_at(all, piece_rows, i));
  });
  Value sum{};
  for (const Value& value : leaves) add(sum, value);
  return sum;
}

namespace ordered_detail {

/// A queue between two stages; `close` lets the reader finish what is left.
template <class Item>
class Queue {
 public:
  void push(Item item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
    changed_.notify_one();
  }
  /// Throws Stopped if the caller of all stages wants them to stop.
  std::optional<Item> pop() {
    poll_stop();
    std::unique_lock lock(mutex_);
    const auto is_ready = [&] { return closed_ || !items_.empty(); };
    while (!changed_.wait_for(lock, kStopInterval, is_ready)) {
      lock.unlock();
      poll_stop();
      lock.lock();
    }
    if (items_.empty()) return std::nullopt;
    Item item = std::move(items_.front());
    items_.pop_front();
    return item;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  void abandon() {
    const std::lock_guard lock(mutex_);
    items_.clear();
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  bool closed_ = false;
};

}  // namespace ordered_detail

template <class Item>
void ordered(const std::function<bool(Item&)>& read, const std::function<void(Item&)>& work,
             const std::function<void(Item&)>& write, int depth) {
  ordered_detail::Queue<Item> to_work, to_write;
  ordered_detail::Queue<int> tickets;  // one for each item that may be in flight
  ordered_detail::Queue<int> written;  // closed when everything is
  for (int i = 0; i < depth; ++i) tickets.push(i);

  StopState* const stop = current_stop();
  std::mutex failure_mutex;
  std::exception_ptr failure;
  const auto stage = [&](const auto& body) {
    try {
      body();
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      to_work.abandon();
      to_write.abandon();
      tickets.abandon();
    }
  };

  std::thread reader([&] {
    const StopShare share(stop);
    stage([&] {
      while (tickets.pop()) {
        Item item{};
        if (!read(item)) break;
        to_work.push(std::move(item));
      }
    });
    to_work.close();
  });
  std::thread writer;
  stage([&] {  // a writer that cannot start stops the reader
    writer = std::thread([&] {
      const StopShare share(stop);
      stage([&] {
        while (auto item = to_write.pop()) {
          write(*item);
          item.reset();  // its memory is free before the next may be read
          tickets.push(0);
        }
      });
      written.close();
    });
  });
  stage([&] {
    while (auto item = to_work.pop()) {
      work(*item);
      to_write.push(std::move(*item));
    }
  });
  to_write.close();
  if (writer.joinable()) stage([&] { written.pop(); });
  reader.join();
  if (writer.joinable()) writer.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tessera
