// SPDX-License-Identifier: Apache-2.0
#include "jobs/batch_manifest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "core/folder.hpp"
#include "core/regular_file.hpp"
#include "report/json.hpp"

namespace tessera {
namespace {

std::string text_of(const ManifestLine& line) {
  Json json{{"input", line.input},
            {"bytes", line.stamp.bytes},
            {"modified_ns", line.stamp.modified_ns},
            {"output", line.output},
            {"parameters", line.parameters},
            {"state", line.state}};
  if (line.state != "planned") json["seconds"] = line.seconds;
  if (line.state == "failed" || line.state == "foreign") {
    json["kind"] = line.kind;
    json["error"] = line.error;
  }
  if (!line.warnings.empty()) json["warnings"] = line.warnings;
  for (const MadeFile& file : line.files)
    json["files"].push_back({{"name", file.name}, {"bytes", file.bytes}, {"digest", file.digest}});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Lines that are not JSON or lack a member are ignored: the file is then made again.
bool parse(const std::string& text, ManifestLine& line) {
  try {
    const Json json = Json::parse(text);
    const Json &bytes = json.at("bytes"), &modified = json.at("modified_ns");
    if (!bytes.is_number_integer() || !modified.is_number_integer()) return false;
    line.input = json.at("input").get<std::string>();
    line.stamp = {bytes.get<long long>(), modified.get<long long>()};
    line.output = json.at("output").get<std::string>();
    line.parameters = json.at("parameters").get<std::string>();
    line.state = json.at("state").get<std::string>();
    if (json.contains("warnings")) line.warnings = json["warnings"].get<std::vector<std::string>>();
    line.seconds = json.value("seconds", 0.0);
    for (const Json& file : json.value("files", Json::array()))
      line.files.push_back({file.at("name").get<std::string>(), file.at("bytes").get<long long>(),
                            file.at("digest").get<std::string>()});
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

File open_manifest(const std::string& path) {
  const int descriptor = open_regular(path, O_RDWR | O_CREAT, 0666);
  if (descriptor < 0)
    throw system_error(errno == EIO ? ErrorKind::failure : ErrorKind::usage, path, "cannot be made",
                       errno);
  File file(descriptor, path);
  if (!is_owned_here(descriptor))
    throw Error(ErrorKind::usage,
                fmt::format("{}: it belongs to another user, and a manifest decides which outputs "
                            "are replaced; remove it or give another folder",
                            path));
  return file;
}

}  // namespace

std::string storable(const std::string& name) {
  try {
    static_cast<void>(Json(name).dump());
    return name;
  } catch (const Json::type_error&) {
    std::string text = "bytes:";
    for (const char byte : name) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
  }
}

Manifest::Manifest(const std::string& folder, const std::string& name)
    : file_(open_manifest(joined(folder, name))) {
  if (::flock(file_.descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error(
        ErrorKind::resources,
        fmt::format("{}: another batch works in this folder; wait for it or give another folder",
                    file_.path()));
  const File opened = File::open_folder(folder);
  if (opened.descriptor() >= 0) opened.sync();
  read();
}

void Manifest::read() {
  std::string text(static_cast<std::size_t>(file_.bytes()), '\0');
  file_.read_all(0, text.data(), static_cast<long long>(text.size()));
  std::size_t start = 0;
  for (std::size_t stop = 0; (stop = text.find('\n', start)) != std::string::npos;
       start = stop + 1) {
    ManifestLine line;
    if (parse(text.substr(start, stop - start), line)) lines_[line.output] = line;
  }
  end_ = static_cast<long long>(start);
  if (start < text.size() && ::ftruncate(file_.descriptor(), end_) != 0)
    throw system_error(ErrorKind::failure, file_.path(), "cannot be written", errno);
}

const ManifestLine* Manifest::find(const std::string& output) const {
  const auto found = lines_.find(output);
  return found == lines_.end() ? nullptr : &found->second;
}

void Manifest::append(const std::vector<ManifestLine>& lines) {
  std::string text;
  for (const ManifestLine& line : lines) text += text_of(line);
  if (text.empty()) return;
  // A write that failed halfway is overwritten by the next.
  file_.write_all(end_, text.data(), static_cast<long long>(text.size()));
  file_.sync();
  end_ += static_cast<long long>(text.size());
}

}  // namespace tessera
