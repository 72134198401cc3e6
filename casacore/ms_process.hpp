// SPDX-License-Identifier: Apache-2.0
/// The process that writes a Measurement Set. Tables of casacore write what they still have in
/// memory when they are destroyed, and end the process if that fails: on a full disk that must not
/// be the tool, nor somebody's Python. A process that is forked here does all of the work, and says
/// what went wrong.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "io/ms/ms_interface.h"

namespace tessera {

/// Rows in memory that both processes have: one part is filled while the other is written.
class SharedRows {
 public:
  explicit SharedRows(const TesseraMsHeader& header);
  SharedRows(const SharedRows&) = delete;
  SharedRows& operator=(const SharedRows&) = delete;
  ~SharedRows();

  void put(const TesseraMsRows& rows, int part);
  /// `rows` with the arrays of a part.
  TesseraMsRows get(TesseraMsRows rows, int part) const;

 private:
  std::size_t products_, values_, most_;  ///< products and numbers of a row, and rows
  std::size_t part_bytes_;
  char* memory_ = nullptr;
};

/// Functions throw std::runtime_error.
class MsProcess {
 public:
  explicit MsProcess(const TesseraMsHeader& header);
  MsProcess(const MsProcess&) = delete;
  MsProcess& operator=(const MsProcess&) = delete;
  /// Ends the process, whatever it does.
  ~MsProcess();

  void add(const TesseraMsField& field);
  /// Returns before they are written; the next call says whether they were.
  void add(const TesseraMsRows& rows);
  void close(double first, double last);

 private:
  struct Order;
  [[noreturn]] void serve(const TesseraMsHeader& header);
  void send(const Order& order);
  void wait_for_answer();
  void end();

  SharedRows rows_;
  int socket_ = -1;
  pid_t child_ = -1;
  int part_ = 0;
  bool answer_due_ = false;
};

}  // namespace tessera
