// SPDX-License-Identifier: Apache-2.0
#include "jobs/failure.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "io/file.hpp"

namespace tessera {
namespace {

Error no_memory() {
  return {ErrorKind::resources, "memory ran out; set a memory limit or take a smaller image"};
}

Error failed_call(const std::string& subject, const std::error_code& code) {
  const bool of_system =
      code.category() == std::generic_category() || code.category() == std::system_category();
  if (of_system) return system_error(ErrorKind::failure, subject, "a call failed", code.value());
  return {ErrorKind::failure, fmt::format("{}: a call failed: {}", subject, code.message())};
}

}  // namespace

Error current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::length_error&) {  // more elements than any memory holds
    return no_memory();
  } catch (const std::filesystem::filesystem_error& error) {
    return failed_call(error.path1().empty() ? "a folder" : error.path1().string(), error.code());
  } catch (const std::system_error& error) {
    // Threads that cannot be started.
    if (error.code() == std::errc::resource_unavailable_try_again)
      return {ErrorKind::resources, "no more threads can be started; ask for fewer"};
    return failed_call("the system", error.code());
  } catch (const std::exception& error) {
    return {ErrorKind::failure,
            fmt::format("this is a defect of Tessera ({}); please report it with the command",
                        error.what())};
  }
}

}  // namespace tessera
