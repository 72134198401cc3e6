// SPDX-License-Identifier: Apache-2.0
/// Processes that share one run, as `mpirun` starts them. A process on its own is the only rank,
/// unless it works on several devices, each of which is a rank of its own (core/lanes.hpp).
///
/// All ranks run the same code. Work for one of them asks for its rank; rows of images
/// and files of batches are handed out in units. Nothing that a rank computes depends on their
/// number.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

class PartRows;

/// The calls of all ranks come in the same order on each of them, except those marked "alone". All
/// is inline: the library that is linked with MPI has its own copy.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const { return 0; }
  virtual int count() const { return 1; }
  bool first() const { return rank() == 0; }
  /// The device of this rank, if ranks are lanes of one process.
  virtual std::optional<int> device() const { return std::nullopt; }

  /// Returns when all ranks have called it.
  virtual void wait() {}
  /// The text of rank 0, on all ranks.
  virtual std::string told(const std::string& text) { return text; }
  /// The texts of all ranks in their order, on all ranks.
  virtual std::vector<std::string> gathered(const std::string& text) { return {text}; }

  /// Begins to hand out units; until end_units, next_unit gives 0, 1, 2 …, each to one rank.
  virtual void begin_units() { next_ = 0; }
  virtual long long next_unit() { return next_++; }  ///< alone
  virtual void end_units() {}

  /// Sends a text to rank 0, alone; received() gives those that have come, there.
  virtual void post(const std::string& text) { posted_.push_back(text); }
  virtual std::optional<std::string> received() {
    if (posted_.empty()) return std::nullopt;
    std::string text = std::move(posted_.front());
    posted_.erase(posted_.begin());
    return text;
  }

  /// Notes, alone, that this rank cannot go on; returns how many had noted it before.
  virtual int note_failure() { return 0; }
  virtual int failures() { return 0; }  ///< alone
  /// Ends all ranks at once, alone; rank 0 cleans up before.
  virtual void end_all(int exit_code) { std::_Exit(exit_code); }

  /// Ranks that run at different times, as parts of a job array (core/part_rows.hpp): rank 0 joins
  /// what the others have kept. Each of them does by itself what rank 0 would tell it; gathered()
  /// gives a part its own text only, and rank 0 those of all parts. Null: they run together.
  virtual PartRows* part_rows() { return nullptr; }
  bool apart() { return part_rows() != nullptr; }
  /// The next text that this rank has sent, if they are kept apart; otherwise that of any rank.
  virtual std::optional<std::string> received_from(int /*rank*/) { return received(); }

  long long units_done = 0;        ///< by this rank
  double start_seconds = 0;        ///< which opening MPI took
  std::function<void()> clean_up;  ///< called by another thread of rank 0
  std::string ran;                 ///< what this rank runs, in words (check_same_method)
  bool allow_mixed = false;  ///< the user accepts that ranks run what differs in the last bits

 private:
  long long next_ = 0;
  std::vector<std::string> posted_;
};

/// All ranks that the launcher has started, or the lanes of the devices that this thread works
/// with.
Ranks& all_ranks();
/// Called once, before any work. A null pointer: this process is alone again.
void use_ranks(std::unique_ptr<Ranks> ranks);

/// From here to the end of the scope, all_ranks() of this thread are these.
class RanksOfThread {
 public:
  explicit RanksOfThread(Ranks& ranks);
  RanksOfThread(const RanksOfThread&) = delete;
  RanksOfThread& operator=(const RanksOfThread&) = delete;
  ~RanksOfThread();

 private:
  Ranks* outer_;
};

/// The ranks that share the work of this thread: all of them while a SharedRun lives on it,
/// otherwise only this process.
Ranks& ranks();

/// All ranks do the same, from here to the end of the scope, and share the work.
class SharedRun {
 public:
  explicit SharedRun(bool shared = true);
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;
  ~SharedRun();

 private:
  bool outer_;
};

/// Within it: each rank does all of the work by itself.
class UnsharedRun : public SharedRun {
 public:
  UnsharedRun() : SharedRun(false) {}
};

/// Whether this is a part: its rows and texts are kept, and it makes no outputs.
bool is_part();

/// The machine's name, for messages.
std::string host_name();

/// A text that rank 0 makes, on all ranks; an Error that it throws there is thrown on all of them.
/// Ranks that run apart each make it.
std::string told_by_first(const std::function<std::string()>& make);

/// The sum of the numbers that the ranks of this thread give.
long long sum_of_ranks(long long number);
/// Gives the texts of all ranks of this thread to `take`, on each of them: `next` makes this
/// rank's, one after the other, until it has no more. They travel in rounds, because MPI counts in
/// int and every rank has a copy of a round: its texts have some `round_bytes` together.
void exchange_texts(const std::function<std::optional<std::string>()>& next,
                    const std::function<void(std::string)>& take,
                    std::size_t round_bytes = std::size_t{128} << 20);
/// The texts of all ranks of this thread, each once.
std::vector<std::string> texts_of_ranks(const std::vector<std::string>& texts);

}  // namespace tessera
