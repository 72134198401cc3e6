// SPDX-License-Identifier: Apache-2.0
#include "core/lanes.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "core/ranks.hpp"
#include "core/stop.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Where lanes meet. All calls throw Stopped once a lane has failed.
class Meeting {
 public:
  explicit Meeting(std::size_t lanes) : working_(lanes), texts_(lanes) {}

  /// The texts of all lanes, when all have given theirs.
  std::vector<std::string> gather(std::size_t lane, const std::string& text) {
    std::unique_lock lock(mutex_);
    check_going();
    texts_[lane] = text;
    if (++given_ == texts_.size()) {
      given_ = 0;
      gathered_ = texts_;
      ++meetings_;
      changed_.notify_all();
      return gathered_;
    }
    // The next meeting cannot end, and change the texts, before this lane has left this one.
    changed_.wait(lock, [&, before = meetings_] { return failed_ || meetings_ != before; });
    check_going();
    return gathered_;
  }

  long long next_unit(long long round) {
    const std::lock_guard lock(mutex_);
    check_going();
    return units_[round]++;
  }
  void forget_units(long long round) {
    const std::lock_guard lock(mutex_);
    units_.erase(round);
  }

  void post(const std::string& text) {
    const std::lock_guard lock(mutex_);
    posted_.push_back(text);
  }
  std::optional<std::string> received() {
    const std::lock_guard lock(mutex_);
    check_going();
    if (posted_.empty()) return std::nullopt;
    std::string text = std::move(posted_.front());
    posted_.pop_front();
    return text;
  }

  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }
  bool has_failed() {
    const std::lock_guard lock(mutex_);
    return failed_;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_all();
  }
  /// Waits as long as the caller of all lanes is asked at most; returns whether all have left.
  bool all_have_left() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kStopInterval, [&] { return working_ == 0; });
  }

 private:
  void check_going() const {
    if (failed_) throw Stopped();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t working_;
  bool failed_ = false;
  std::vector<std::string> texts_, gathered_;
  std::size_t given_ = 0;
  long long meetings_ = 0;
  std::map<long long, long long> units_;  ///< next ones, by round
  std::deque<std::string> posted_;
};

class Lane : public Ranks {
 public:
  Lane(Meeting& meeting, const std::vector<int>& devices, int rank)
      : meeting_(meeting), devices_(devices), rank_(rank) {}

  int rank() const override { return rank_; }
  int count() const override { return static_cast<int>(devices_.size()); }
  std::optional<int> device() const override { return devices_[place()]; }

  void wait() override { gathered(""); }
  std::string told(const std::string& text) override { return gathered(text).front(); }
  std::vector<std::string> gathered(const std::string& text) override {
    return meeting_.gather(place(), text);
  }

  void begin_units() override { ++round_; }
  long long next_unit() override { return meeting_.next_unit(round_); }
  void end_units() override {
    wait();
    if (first()) meeting_.forget_units(round_);
  }

  void post(const std::string& text) override { meeting_.post(text); }
  std::optional<std::string> received() override { return meeting_.received(); }

 private:
  std::size_t place() const { return static_cast<std::size_t>(rank_); }

  Meeting& meeting_;
  const std::vector<int>& devices_;
  int rank_;
  long long round_ = 0;
};

void work_as(Lane& lane, Meeting& meeting, const std::function<void(int)>& work,
             std::exception_ptr& failure) {
  try {
    const RanksOfThread mine(lane);
    const StopCheck with_others([&] { return meeting.has_failed(); });
    work(lane.rank());
  } catch (...) {
    failure = std::current_exception();
    meeting.fail();
  }
  meeting.leave();
}

/// A lane that was only stopped says nothing of the reason.
void rethrow_first(const std::vector<std::exception_ptr>& failures) {
  std::exception_ptr stopped;
  for (const std::exception_ptr& failure : failures) {
    if (!failure) continue;
    try {
      std::rethrow_exception(failure);
    } catch (const Stopped&) {
      stopped = failure;
    }
  }
  if (stopped) std::rethrow_exception(stopped);
}

}  // namespace

void run_lanes(const std::vector<int>& devices, const std::function<void(int)>& work) {
  Meeting meeting(devices.size());
  std::deque<Lane> lanes;
  for (std::size_t i = 0; i < devices.size(); ++i)
    lanes.emplace_back(meeting, devices, static_cast<int>(i));
  std::vector<std::exception_ptr> failures(devices.size() + 1);
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 0; i < devices.size(); ++i)
      threads.emplace_back([&, i] { work_as(lanes[i], meeting, work, failures[i]); });
    while (!meeting.all_have_left()) poll_stop();
  } catch (const std::system_error&) {
    failures.back() = std::make_exception_ptr(Error(
        ErrorKind::resources, "the system has no thread for each of the devices; give one device"));
    meeting.fail();
  } catch (...) {
    failures.back() = std::current_exception();
    meeting.fail();
  }
  for (std::thread& thread : threads) thread.join();
  rethrow_first(failures);
}

}  // namespace tessera
