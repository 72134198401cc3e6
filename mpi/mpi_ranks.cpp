// SPDX-License-Identifier: Apache-2.0
// The ranks of MPI. This file is compiled once for each MPI that is found, into a library of its
// own that the tool opens when a launcher has started it (jobs/launch.cpp); nothing else is
// linked with MPI.
//
// Calls come from several threads, one at a time. None of them holds the lock while it waits for
// other ranks, and none waits busily: ranks may share a core.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "core/ranks.hpp"

namespace tessera {
namespace {

// Places in the window of rank 0.
constexpr int kFailures = 0, kEnding = 1, kCleaned = 2, kFirstCounter = 3, kCounters = 4;
constexpr int kTextTag = 1;
constexpr std::chrono::seconds kCleaningMayTake{2};
constexpr std::size_t kLongMessage = 64 << 10;

// MPI counts in int. Callers cut what may be longer.
int length_of(const std::string& text) {
  if (text.size() > INT_MAX) throw std::length_error("a message of more than 2 GiB");
  return static_cast<int>(text.size());
}

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int initialised = 0, provided = 0;
    MPI_Initialized(&initialised);
    if (!initialised) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &all_);
    MPI_Comm_rank(all_, &rank_);
    MPI_Comm_size(all_, &count_);
    const int places = rank_ == 0 ? kFirstCounter + kCounters : 0;
    MPI_Win_allocate(static_cast<MPI_Aint>(places * sizeof(long long)), sizeof(long long),
                     MPI_INFO_NULL, all_, &places_, &window_);
    if (rank_ == 0) {
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window_);
      std::fill_n(places_, places, 0);
      MPI_Win_unlock(0, window_);
    }
    MPI_Barrier(all_);
    MPI_Win_lock_all(0, window_);
    // Where one-sided calls need the help of the rank they go to, rank 0 must not keep the others
    // waiting while it computes.
    if (rank_ == 0 && count_ > 1) helper_ = std::thread([this] { help_others(); });
  }

  ~MpiRanks() override {
    ending_ = true;
    if (helper_.joinable()) helper_.join();
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
    MPI_Comm_free(&all_);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int count() const override { return count_; }

  void wait() override {
    finish([&](MPI_Request& request) { MPI_Ibarrier(all_, &request); });
  }

  std::string told(const std::string& text) override {
    long long length = std::ssize(text);
    finish([&](MPI_Request& request) { MPI_Ibcast(&length, 1, MPI_LONG_LONG, 0, all_, &request); });
    std::string copy = rank_ == 0 ? text : std::string(static_cast<std::size_t>(length), '\0');
    finish([&](MPI_Request& request) {
      MPI_Ibcast(copy.data(), length_of(copy), MPI_CHAR, 0, all_, &request);
    });
    return copy;
  }

  std::vector<std::string> gathered(const std::string& text) override {
    const int length = length_of(text);
    std::vector<int> lengths(static_cast<std::size_t>(count_)), places;
    finish([&](MPI_Request& request) {
      MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, all_, &request);
    });
    long long end = 0;
    for (const int one : lengths) places.push_back(static_cast<int>(std::exchange(end, end + one)));
    if (end > INT_MAX) throw std::length_error("messages of more than 2 GiB");
    std::string all(static_cast<std::size_t>(end), '\0');
    finish([&](MPI_Request& request) {
      MPI_Iallgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(),
                      MPI_CHAR, all_, &request);
    });
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < lengths.size(); ++i)
      texts.push_back(
          all.substr(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(lengths[i])));
    return texts;
  }

  // Counters are used in turn. While one is in use nobody can be at the one after the next, because
  // end_units waits for all: rank 0 sets the next to 0 meanwhile.
  void begin_units() override {
    ++round_;
    if (rank_ != 0) return;
    const std::lock_guard lock(mutex_);
    const long long zero = 0;
    long long before = 0;
    MPI_Fetch_and_op(&zero, &before, MPI_LONG_LONG, 0, counter(round_ + 1), MPI_REPLACE, window_);
    MPI_Win_flush(0, window_);
  }
  long long next_unit() override { return add_one(counter(round_)); }
  void end_units() override { wait(); }

  void post(const std::string& text) override {
    finish(
        [&](MPI_Request& request) {
          MPI_Isend(text.data(), length_of(text), MPI_CHAR, 0, kTextTag, all_, &request);
        },
        text.size());
  }

  std::optional<std::string> received() override {
    MPI_Message message;
    MPI_Status status;
    std::string text;
    {
      const std::lock_guard lock(mutex_);
      int there = 0, length = 0;
      MPI_Improbe(MPI_ANY_SOURCE, kTextTag, all_, &there, &message, &status);
      if (!there) return std::nullopt;
      MPI_Get_count(&status, MPI_CHAR, &length);
      text.resize(static_cast<std::size_t>(length));
    }
    finish(
        [&](MPI_Request& request) {
          MPI_Imrecv(text.data(), static_cast<int>(text.size()), MPI_CHAR, &message, &request);
        },
        text.size());
    return text;
  }

  int note_failure() override { return static_cast<int>(add_one(kFailures)); }
  int failures() override { return static_cast<int>(add(0, kFailures)); }
  void end_all(int exit_code) override {
    add_one(kEnding);
    const auto begun = std::chrono::steady_clock::now();
    while (rank_ != 0 && add(0, kCleaned) == 0 &&
           std::chrono::steady_clock::now() - begun < kCleaningMayTake)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    MPI_Abort(all_, exit_code);
  }

 private:
  static int counter(long long round) {
    return kFirstCounter + static_cast<int>(round % kCounters);
  }
  long long add_one(int place) { return add(1, place); }
  long long add(long long number, int place) {
    const std::lock_guard lock(mutex_);
    long long before = 0;
    MPI_Fetch_and_op(&number, &before, MPI_LONG_LONG, 0, place, MPI_SUM, window_);
    MPI_Win_flush(0, window_);
    return before;
  }

  /// Long messages travel in pieces, some at each look: whoever sleeps keeps them waiting.
  void finish(const std::function<void(MPI_Request&)>& start, std::size_t bytes = 0) {
    const std::chrono::microseconds longest(bytes >= kLongMessage ? 20 : 2000);
    MPI_Request request;
    {
      const std::lock_guard lock(mutex_);
      start(request);
    }
    auto pause = std::chrono::microseconds(10);
    for (;;) {
      {
        const std::lock_guard lock(mutex_);
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) return;
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, longest);
    }
  }

  void help_others() {
    while (!ending_) {
      if (add(0, kEnding) > 0) {
        if (clean_up) clean_up();  // launchers may kill without asking
        add_one(kCleaned);
        return;
      }
      {
        const std::lock_guard lock(mutex_);
        int there = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, all_, &there, MPI_STATUS_IGNORE);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  MPI_Comm all_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  long long* places_ = nullptr;
  int rank_ = 0, count_ = 1;
  long long round_ = 0;
  std::mutex mutex_;
  std::atomic<bool> ending_ = false;
  std::thread helper_;
};

}  // namespace
}  // namespace tessera

/// The version with which this library was built: a tool of another version does not call the
/// other function.
extern "C" __attribute__((visibility("default"))) const char* tessera_mpi_version() {
  return TESSERA_VERSION;
}

extern "C" __attribute__((visibility("default"))) tessera::Ranks* tessera_mpi_ranks() {
  return new tessera::MpiRanks;
}
