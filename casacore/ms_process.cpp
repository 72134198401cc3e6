// SPDX-License-Identifier: Apache-2.0
#include "casacore/ms_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>

#include "casacore/ms_writer.hpp"

namespace tessera {
namespace {

constexpr std::size_t kText = 4096;

/// An answer of the process; an empty text is success.
struct Answer {
  char text[kText];
};

int answer_socket = -1;  // of the child

void copy_text(char (&to)[kText], const char* from) {
  const std::size_t length = std::min(kText - 1, std::strlen(from));
  std::memcpy(to, from, length);
  to[length] = 0;
}

void answer(const char* text) {
  Answer made{};
  copy_text(made.text, text);
  [[maybe_unused]] const ssize_t sent =
      ::send(answer_socket, &made, sizeof made, MSG_NOSIGNAL | MSG_EOR);
}

/// Destructors of casacore come here when a disk fails; without this the reason would be lost.
[[noreturn]] void answer_and_end() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
    answer("it ended without a reason");
  } catch (const std::exception& error) {
    answer(error.what());
  } catch (...) {
    answer("it failed and does not say why");
  }
  ::_exit(1);
}

std::runtime_error system_failure(const char* what) {
  return std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

/// Signals that end the tool reach its whole group: it decides when this process ends. Files and
/// sockets of the tool are none of its business, and a lock that it held would outlive the tool.
void leave_the_tool(int socket) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(number, SIG_IGN);
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) ::signal(number, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int standard : {0, 1, 2}) ::dup2(nothing, standard);
  const auto own = static_cast<unsigned>(socket);
  if (own > 3) ::close_range(3, own - 1, 0);
  ::close_range(own + 1, ~0U, 0);
}

}  // namespace

SharedRows::SharedRows(const TesseraMsHeader& header)
    : products_(static_cast<std::size_t>(header.polarisations * header.polarisations)),
      values_(2 * products_ * static_cast<std::size_t>(header.channels)),
      most_(static_cast<std::size_t>(header.rows_at_once)),
      part_bytes_(most_ *
                  (3 * sizeof(double) + 2 * sizeof(int) + (values_ + products_) * sizeof(float))) {
  part_bytes_ = (part_bytes_ + 63) / 64 * 64;
  void* const made =
      ::mmap(nullptr, 2 * part_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) throw system_failure("memory for rows");
  memory_ = static_cast<char*>(made);
}

SharedRows::~SharedRows() { ::munmap(memory_, 2 * part_bytes_); }

// Doubles come first, so that everything is aligned.
TesseraMsRows SharedRows::get(TesseraMsRows rows, int part) const {
  char* const start = memory_ + static_cast<std::size_t>(part) * part_bytes_;
  rows.uvw = reinterpret_cast<const double*>(start);
  rows.data = reinterpret_cast<const float*>(rows.uvw + 3 * most_);
  rows.weights = rows.data + values_ * most_;
  rows.antenna1 = reinterpret_cast<const int*>(rows.weights + products_ * most_);
  rows.antenna2 = rows.antenna1 + most_;
  return rows;
}

void SharedRows::put(const TesseraMsRows& rows, int part) {
  const auto count = static_cast<std::size_t>(rows.count);
  if (count > most_) throw std::length_error("more rows than were announced");
  const TesseraMsRows to = get(rows, part);
  const auto copy = [](auto* there, const auto* from, std::size_t number) {
    std::memcpy(const_cast<void*>(static_cast<const void*>(there)), from, number * sizeof *from);
  };
  copy(to.uvw, rows.uvw, 3 * count);
  copy(to.data, rows.data, values_ * count);
  copy(to.weights, rows.weights, products_ * count);
  copy(to.antenna1, rows.antenna1, count);
  copy(to.antenna2, rows.antenna2, count);
}

/// An order of the tool. Rows are in the shared memory.
struct MsProcess::Order {
  enum class Kind { field, rows, close } kind;
  int part;
  TesseraMsRows rows;
  TesseraMsField field;
  char name[kText];
  double first, last;
};

MsProcess::MsProcess(const TesseraMsHeader& header) : rows_(header) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw system_failure("a socket for the process that writes");
  socket_ = ends[0];
  child_ = ::fork();
  if (child_ == 0) {
    answer_socket = ends[1];
    leave_the_tool(answer_socket);
    serve(header);
  }
  const int failure = errno;
  ::close(ends[1]);
  if (child_ < 0) {
    ::close(socket_);
    errno = failure;
    throw system_failure("the process that writes cannot be started");
  }
  answer_due_ = true;
  try {
    wait_for_answer();
  } catch (...) {
    end();
    throw;
  }
}

MsProcess::~MsProcess() { end(); }

void MsProcess::end() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (socket_ >= 0) ::close(socket_);
  child_ = socket_ = -1;
}

// The tool that has ended sends nothing any more.
void MsProcess::serve(const TesseraMsHeader& header) {
  std::set_terminate(answer_and_end);
  try {
    auto* const writer = new MsWriter(header);
    answer("");
    for (;;) {
      Order order;
      const ssize_t got = ::recv(answer_socket, &order, sizeof order, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got != sizeof order) ::_exit(0);
      switch (order.kind) {
        case Order::Kind::field:
          order.field.name = order.name;
          writer->add(order.field);
          break;
        case Order::Kind::rows:
          writer->add(rows_.get(order.rows, order.part));
          break;
        case Order::Kind::close:
          writer->finish(order.first, order.last);
          delete writer;
          answer("");
          ::_exit(0);
      }
      answer("");
    }
  } catch (...) {
    answer_and_end();
  }
}

void MsProcess::wait_for_answer() {
  if (!answer_due_) return;
  answer_due_ = false;
  Answer came{};
  ssize_t got = 0;
  do got = ::recv(socket_, &came, sizeof came, 0);
  while (got < 0 && errno == EINTR);
  if (got != sizeof came) throw std::runtime_error("the process that writes has ended");
  if (came.text[0] != 0) throw std::runtime_error(came.text);
}

void MsProcess::send(const Order& order) {
  wait_for_answer();
  ssize_t sent = 0;
  do sent = ::send(socket_, &order, sizeof order, MSG_NOSIGNAL | MSG_EOR);
  while (sent < 0 && errno == EINTR);
  if (sent != sizeof order) throw std::runtime_error("the process that writes has ended");
  answer_due_ = true;
}

void MsProcess::add(const TesseraMsField& field) {
  Order order{};
  order.kind = Order::Kind::field;
  order.field = field;
  copy_text(order.name, field.name);
  send(order);
}

void MsProcess::add(const TesseraMsRows& rows) {
  Order order{};
  order.kind = Order::Kind::rows;
  order.rows = rows;
  order.part = part_;
  rows_.put(rows, part_);
  part_ = 1 - part_;
  send(order);
}

void MsProcess::close(double first, double last) {
  Order order{};
  order.kind = Order::Kind::close;
  order.first = first;
  order.last = last;
  send(order);
  wait_for_answer();
}

}  // namespace tessera
