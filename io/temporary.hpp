// SPDX-License-Identifier: Apache-2.0
/// The hidden file an output is written to before it has its name.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "io/file.hpp"

namespace tessera {

/// ".NAME.tessera-PROCESS-RANDOM" beside its target, locked while it is written. It is removed with
/// the object unless it was placed; what a killed process left behind is removed by the next one
/// for the same target.
class Temporary {
 public:
  /// Throws Error(usage) when the folder takes no new file.
  explicit Temporary(const std::string& target);
  Temporary(Temporary&& other) noexcept;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  const File& file() const { return file_; }
  /// Gives it the target's name. Unless `replace`, a file of that name stays and Error(usage) is
  /// thrown.
  void place(bool replace);

 private:
  struct Opened {};
  Temporary(const std::string& target, Opened);
  bool open();

  friend void place_together(std::span<struct ToPlace> all);
  friend struct ToPlace;
  enum class Placed : unsigned char { as_new, in_exchange, for_good };
  Placed put(bool replace);
  void take_back(Placed how);
  void forget();

  std::string target_, name_;
  File file_;
};

struct ToPlace {
  Temporary temporary;
  bool replace = false;
  Temporary::Placed placed = Temporary::Placed::for_good;
};

/// Gives all of them their names, one right after the other. Where one cannot have its name, those
/// before it lose theirs, what they replaced is there again, and Error is thrown; file systems that
/// cannot exchange two names (RENAME_EXCHANGE) keep the new ones then.
void place_together(std::span<ToPlace> all);

/// Removes what every unfinished Temporary of this process has written, and lets no new one begin:
/// for a process that is about to end without unwinding, as on Ctrl-C. From any thread, not from a
/// signal handler.
void abandon_outputs();

/// The target exists and may not be replaced.
Error exists_error(const std::string& path);

}  // namespace tessera
