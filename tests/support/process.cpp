// SPDX-License-Identifier: Apache-2.0
#include "tests/support/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <stdexcept>

#include "tests/support/files.hpp"

extern char** environ;

namespace tessera::testing {

Process::Process(const std::vector<std::string>& argv, const std::string& input) {
  folder_ = (std::filesystem::temp_directory_path() / "tessera-run-XXXXXX").string();
  if (!::mkdtemp(folder_.data())) throw std::runtime_error("no temporary folder: " + folder_);
  write_bytes(folder_ + "/in", input);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, 0, (folder_ + "/in").c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, (folder_ + "/out").c_str(), kNew, 0600);
  posix_spawn_file_actions_addopen(&files, 2, (folder_ + "/err").c_str(), kNew, 0600);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  // Tests that run in the background of a shell, or under nohup, ignore these, and children would.
  sigset_t asking;
  sigemptyset(&asking);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&asking, signal);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &asking);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(&id_, words[0], &files, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::runtime_error("cannot run " + argv[0]);
}

Process::~Process() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Outcome Process::wait() {
  int status = 0;
  ::waitpid(id_, &status, 0);
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
          read_bytes(folder_ + "/out"), read_bytes(folder_ + "/err")};
}

}  // namespace tessera::testing
