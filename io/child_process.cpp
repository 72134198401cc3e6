// SPDX-License-Identifier: Apache-2.0
#include "io/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "tessera/error.hpp"

extern char** environ;

namespace tessera {
namespace {

/// Bytes kept of a child's messages: only the last line is shown.
constexpr size_t kKeptWords = 4096;
/// Descriptors for the child are moved up to here first, so that none of them collides with 0 to 3,
/// even if this process was started without standard streams.
constexpr int kOutOfTheWay = 10;

struct Ends {
  File ours, theirs;
};

File moved_up(int descriptor, const std::string& subject) {
  File file(::fcntl(descriptor, F_DUPFD_CLOEXEC, kOutOfTheWay), subject);
  if (file.descriptor() < 0)
    throw system_error(ErrorKind::failure, subject, "a pipe cannot be created", errno);
  return file;
}

Ends ends_of(const int (&descriptors)[2], const std::string& subject) {
  File first(descriptors[0], subject);
  const File second(descriptors[1], subject);
  ::fcntl(first.descriptor(), F_SETFL, O_NONBLOCK);
  return {std::move(first), moved_up(second.descriptor(), subject)};
}

// The child writes, this process reads.
Ends pipe_from_child(const std::string& subject) {
  int descriptors[2];
  if (::pipe2(descriptors, O_CLOEXEC) != 0)
    throw system_error(ErrorKind::failure, subject, "a pipe cannot be created", errno);
  return ends_of(descriptors, subject);
}

// A socket, not a pipe: only a socket can be written to without a signal after the child has gone.
Ends pipe_to_child(const std::string& subject) {
  int descriptors[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, descriptors) != 0)
    throw system_error(ErrorKind::failure, subject, "a pipe cannot be created", errno);
  return ends_of(descriptors, subject);
}

// A duplicate would share the locks of this process, and a child that outlives it would hold them:
// the next run would take the temporary of a killed one for a file still being written.
File reopened(int descriptor, const std::string& subject) {
  const int access = ::fcntl(descriptor, F_GETFL) & O_ACCMODE;
  const File again(
      ::open(fmt::format("/proc/self/fd/{}", descriptor).c_str(), access | O_NONBLOCK | O_CLOEXEC),
      subject);
  return moved_up(again.descriptor() >= 0 ? again.descriptor() : descriptor, subject);
}

bool can_run(const std::string& path) {
  std::error_code ignored;
  return ::access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(path, ignored);
}

/// The steps between fork and exec, where memory is shared with this process: nothing but calls of
/// the kernel.
struct Start {
  std::vector<std::pair<int, int>> descriptors;  ///< ours, and its number in the child
  std::vector<char*> words;
  std::optional<ProgramConfinement> confinement;

  // The child does not inherit signals that this process has blocked, handles or ignores. Ctrl-C is
  // handled by this process; the child then sees its pipes closed.
  static void reset_signals() noexcept {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &plain, nullptr);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
  }
  [[noreturn]] void become_program(volatile int& error) const noexcept {
    ::setpgid(0, 0);
    for (const auto& [ours, theirs] : descriptors)
      if (::dup2(ours, theirs) < 0) fail(error);
    if (confinement) confinement->apply();
    reset_signals();
    ::execve(words[0], words.data(), environ);
    fail(error);
  }
  [[noreturn]] static void fail(volatile int& error) noexcept {
    error = errno;
    ::_exit(127);
  }
};

// Not posix_spawn, which cannot confine the program. Like it, vfork copies no memory, and no signal
// handler may run in the child meanwhile. Returns 0, or why the program cannot be run.
[[gnu::noinline]] int spawn(const Start& start, pid_t& id) {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  volatile int error = 0;  // otherwise the compiler drops what the child stores before it ends
  const pid_t child = ::vfork();
  if (child == 0) start.become_program(error);
  const int failed = child < 0 ? errno : error;
  if (child > 0 && failed != 0)
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  id = failed == 0 ? child : -1;
  return failed;
}

}  // namespace

std::string find_program(const char* name, const char* variable) {
  if (const char* chosen = std::getenv(variable)) return can_run(chosen) ? chosen : "";
  const char* folders = std::getenv("PATH");
  std::string rest = folders ? folders : "";
  while (!rest.empty()) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    const std::string path = rest.substr(0, colon) + "/" + name;
    // A relative folder would run programs from wherever the user happens to be.
    if (path[0] == '/' && colon > 0 && can_run(path)) return path;
    rest.erase(0, colon + 1);
  }
  return "";
}

ChildProcess::ChildProcess(const ChildPlan& plan)
    : subject_(plan.subject),
      program_(std::filesystem::path(plan.arguments.at(0)).filename().string()),
      input_(-1, plan.subject),
      output_(-1, plan.subject),
      errors_(-1, plan.subject) {
  if (plan.limit) {
    limit_ = *plan.limit;
    deadline_ = std::chrono::steady_clock::now() + limit_;
  }
  Ends output = pipe_from_child(subject_), errors = pipe_from_child(subject_);
  Ends input{File(-1, subject_), File(-1, subject_)};
  if (plan.takes_input) input = pipe_to_child(subject_);
  start(plan, input.theirs.descriptor(), output.theirs.descriptor(), errors.theirs.descriptor());
  input_ = std::move(input.ours);
  output_ = std::move(output.ours);
  errors_ = std::move(errors.ours);
}

void ChildProcess::start(const ChildPlan& plan, int input, int output, int error) {
  const File null(::open("/dev/null", O_RDWR | O_CLOEXEC), subject_);
  const File nothing = moved_up(null.descriptor(), subject_);
  const File file = plan.descriptor >= 0 ? reopened(plan.descriptor, subject_) : File(-1, subject_);
  const File shared = plan.shared >= 0 ? moved_up(plan.shared, subject_) : File(-1, subject_);
  Start start;
  start.descriptors = {{input >= 0 ? input : nothing.descriptor(), STDIN_FILENO},
                       {output, STDOUT_FILENO},
                       {error, STDERR_FILENO}};
  if (file.descriptor() >= 0) start.descriptors.emplace_back(file.descriptor(), 3);
  if (shared.descriptor() >= 0) start.descriptors.emplace_back(shared.descriptor(), 4);
  for (const std::string& word : plan.arguments)
    start.words.push_back(const_cast<char*>(word.c_str()));
  start.words.push_back(nullptr);
  if (plan.confined) start.confinement.emplace(*plan.confined);
  if (const int code = spawn(start, id_); code != 0)
    throw system_error(ErrorKind::failure, subject_, plan.arguments[0] + " cannot be run", code);
}

ChildProcess::~ChildProcess() { kill_and_reap(); }

void ChildProcess::kill_and_reap() {
  if (id_ < 0) return;
  ::kill(id_, SIGKILL);
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) continue;
  id_ = -1;
}

// Waits until `file` is ready, or for the end if there is no file. Standard error is read
// meanwhile; otherwise a child that writes much there would wait for us for ever.
void ChildProcess::wait_for(const File& file, short events) {
  using std::chrono::milliseconds, std::chrono::steady_clock;
  for (;;) {
    pollfd polled[] = {{file.descriptor(), events, 0}, {errors_.descriptor(), POLLIN, 0}};
    int timeout = -1;
    if (deadline_) {
      const auto left = std::chrono::ceil<milliseconds>(*deadline_ - steady_clock::now()).count();
      timeout = static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
    }
    const int ready = ::poll(polled, 2, timeout);
    if (ready < 0 && errno != EINTR)
      throw system_error(ErrorKind::failure, subject_, "cannot wait for " + program_, errno);
    if (ready == 0) {
      kill_and_reap();
      throw Error(ErrorKind::input, fmt::format("{}: {} has not finished after {} s", subject_,
                                                program_, limit_.count()));
    }
    if (ready > 0 && polled[1].revents != 0) read_errors();
    if (ready > 0 && polled[0].revents != 0) return;
    if (file.descriptor() < 0 && errors_.descriptor() < 0) return;
  }
}

void ChildProcess::read_errors() {
  char part[kKeptWords];
  const auto got = ::read(errors_.descriptor(), part, sizeof part);
  if (got == 0) errors_.close();
  if (got <= 0) return;
  said_.append(part, static_cast<size_t>(got));
  if (said_.size() > kKeptWords) said_.erase(0, said_.size() - kKeptWords);
}

long long ChildProcess::read(void* to, long long count) {
  long long done = 0;
  while (done < count) {
    const auto got = ::read(output_.descriptor(), static_cast<char*>(to) + done,
                            static_cast<size_t>(count - done));
    if (got == 0) break;
    if (got > 0)
      done += got;
    else if (errno == EAGAIN)
      wait_for(output_, POLLIN);
    else if (errno != EINTR)
      throw system_error(ErrorKind::failure, subject_, "cannot read from " + program_, errno);
  }
  return done;
}

bool ChildProcess::write(const void* from, long long count) {
  long long done = 0;
  while (done < count) {
    const auto put = ::send(input_.descriptor(), static_cast<const char*>(from) + done,
                            static_cast<size_t>(count - done), MSG_NOSIGNAL);
    if (put >= 0)
      done += put;
    else if (errno == EAGAIN)
      wait_for(input_, POLLOUT);
    else if (errno == EPIPE || errno == ECONNRESET)
      return false;
    else if (errno != EINTR)
      throw system_error(ErrorKind::failure, subject_, "cannot write to " + program_, errno);
  }
  return true;
}

int ChildProcess::finish() {
  input_.close();
  output_.close();
  if (errors_.descriptor() >= 0) wait_for(File(-1, subject_), 0);
  int status = 0;
  pid_t ended = -1;
  if (id_ > 0) do
      ended = ::waitpid(id_, &status, 0);
    while (ended < 0 && errno == EINTR);
  id_ = -1;
  // The exit code is lost if SIGCHLD is ignored or other code waits for all children.
  if (ended < 0)
    throw Error(
        ErrorKind::failure,
        fmt::format("{}: the exit code of {} is not known; restore the default handler of SIGCHLD",
                    subject_, program_));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string ChildProcess::last_line() const {
  const size_t end = said_.find_last_not_of(" \r\n");
  if (end == std::string::npos) return "";
  const size_t start = said_.find_last_of("\r\n", end);
  return said_.substr(start == std::string::npos ? 0 : start + 1,
                      end - (start == std::string::npos ? 0 : start + 1) + 1);
}

}  // namespace tessera
