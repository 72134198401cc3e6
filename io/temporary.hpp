// SPDX-License-Identifier: Apache-2.0
/// The hidden file that an output is written to before it gets its name.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "io/output_place.hpp"

namespace tessera {

/// ".NAME.tessera-PROCESS-RANDOM" next to its target, locked while it is written. It is removed
/// with the object unless it was placed; files left by a killed process are removed by the next
/// output with the same target.
class Temporary {
 public:
  /// Throws Error(usage) if no file can be created in the folder.
  explicit Temporary(OutputPlace target);
  Temporary(Temporary&& other) noexcept;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  const File& file() const { return file_; }
  const File& folder() const { return target_.folder; }
  const std::string& name() const { return name_; }
  /// Gives it the target's name. Unless `replace`, an existing file of that name stays and
  /// Error(usage) is thrown.
  void place(bool replace);

 private:
  struct Opened {};
  Temporary(OutputPlace target, Opened);
  bool open();

  friend void place_together(std::span<struct ToPlace> all);
  friend struct ToPlace;
  enum class Placed : unsigned char { as_new, in_exchange, for_good };
  Placed put(bool replace);
  void take_back(Placed how);
  void forget();
  bool rename_by(unsigned how) const;
  void rename_over() const;
  void link_or_rename() const;

  OutputPlace target_;
  std::string name_;
  File file_;
};

struct ToPlace {
  Temporary temporary;
  bool replace = false;
  Temporary::Placed placed = Temporary::Placed::for_good;
};

/// Gives all of them their names, one right after the other. If one cannot get its name, those
/// before it lose theirs, the files they replaced are restored, and Error is thrown; file systems
/// that cannot exchange two names (RENAME_EXCHANGE) keep the new ones.
void place_together(std::span<ToPlace> all);

/// ".NAME.tessera-", with which the names of a target's temporaries begin, and a new one.
std::string temporary_prefix(const std::string& name);
std::string temporary_name(const std::string& name);

/// Files and folders that are to vanish if the process ends, besides Temporary objects.
void note_unfinished(int folder, const std::string& name);
void forget_unfinished(int folder, const std::string& name);

/// Removes the files of all unfinished Temporary objects of this process and prevents new ones: for
/// a process that is about to end without unwinding, as on Ctrl-C. May be called from any thread,
/// but not from a signal handler.
void abandon_outputs();

}  // namespace tessera
