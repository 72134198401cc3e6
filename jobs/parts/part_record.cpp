// SPDX-License-Identifier: Apache-2.0
#include "jobs/parts/part_record.hpp"

#include <fmt/format.h>

#include "core/digest.hpp"
#include "core/folder.hpp"
#include "io/file.hpp"
#include "io/hdu_name.hpp"
#include "report/json.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

constexpr long long kMostRecordBytes = 1LL << 30;

Error damaged(const std::string& path, const std::string& why) {
  return {ErrorKind::input, fmt::format("{}: {}; make this part again with --force", path, why)};
}

std::string seal_of(const Json& json) {
  const std::string text = json.dump();
  return Digest().add(text.data(), text.size()).text();
}

Json json_of(const KeptStream& stream) {
  Json outputs = Json::array();
  for (const ImageInfo& output : stream.outputs)
    outputs.push_back({{"width", output.size.width},
                       {"height", output.size.height},
                       {"channels", output.size.channels},
                       {"planes", output.size.planes},
                       {"type", std::string(name_of(output.type))}});
  return {{"unit_rows", stream.unit_rows}, {"outputs", outputs}};
}

KeptStream stream_of(const Json& json) {
  KeptStream stream{json.at("unit_rows").get<int>(), {}};
  for (const Json& output : json.at("outputs")) {
    ImageInfo info;
    info.size = {output.at("width").get<int>(), output.at("height").get<int>(),
                 output.at("channels").get<int>(), output.at("planes").get<int>()};
    info.type = parse_named<Type>("type", output.at("type").get<std::string>());
    info.device = kHost;
    stream.outputs.push_back(info);
  }
  return stream;
}

Json json_of(const PartInput& input) {
  return {{"name", input.name},
          {"bytes", input.stamp.bytes},
          {"modified_ns", input.stamp.modified_ns},
          {"digest", input.digest}};
}

PartInput input_of(const Json& json) {
  return {json.at("name").get<std::string>(),
          {json.at("bytes").get<long long>(), json.at("modified_ns").get<long long>()},
          json.at("digest").get<std::string>()};
}

std::string digest_of_beginning(const std::string& path) {
  std::string bytes(1 << 16, '\0');
  const File file = File::open_to_read(path);
  bytes.resize(static_cast<std::size_t>(file.read_some(0, bytes.data(), std::ssize(bytes))));
  return Digest().add(bytes.data(), bytes.size()).text();
}

Json parsed(const std::string& folder, const std::string& path) {
  const File file = File::open_to_read(path);
  if (file.bytes() > kMostRecordBytes) throw damaged(path, "it is not the record of a part");
  std::string text(static_cast<std::size_t>(file.bytes()), '\0');
  file.read_all(0, text.data(), std::ssize(text));
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("seal")) throw damaged(folder, "its record is damaged");
  const Json seal = json["seal"];
  json.erase("seal");
  if (seal != seal_of(json)) throw damaged(folder, "its record is damaged");
  return json;
}

}  // namespace

std::string rows_file(std::size_t stream, std::size_t output) {
  return fmt::format("rows-{}-{}.raw", stream + 1, output + 1);
}

std::string PartInput::text() const {
  return fmt::format("{} bytes, changed at {} ns, digest {}", stamp.bytes, stamp.modified_ns,
                     digest);
}

std::vector<PartInput> inputs_in(const std::vector<std::string>& words, const std::string& output) {
  std::vector<PartInput> inputs;
  for (const std::string& word : words) {
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string name = equals == std::string::npos ? word : word.substr(equals + 1);
    const std::string path = split_hdu(name).path;
    if (const FileStamp stamp = stamp_of(path); name != output && stamp.bytes >= 0)
      inputs.push_back({name, stamp, digest_of_beginning(path)});
  }
  return inputs;
}

std::string to_text(const PartRecord& record) {
  Json streams = Json::array(), files = Json::array(), inputs = Json::array();
  for (const PartInput& input : record.inputs) inputs.push_back(json_of(input));
  for (const KeptStream& stream : record.streams) streams.push_back(json_of(stream));
  for (const MadeFile& file : record.files)
    files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"digest", file.digest}});
  Json json{{"tessera", record.version},
            {"part", record.part.part},
            {"parts", record.part.parts},
            {"words", record.words},
            {"output", record.output},
            {"folder", record.folder},
            {"ran", record.ran},
            {"isa", record.isa},
            {"host", record.host},
            {"inputs", inputs},
            {"units", record.units},
            {"streams", streams},
            {"files", files}};
  json["seal"] = seal_of(json);
  return json.dump(1) + "\n";
}

PartRecord read_part_record(const std::string& folder) {
  const Json json = parsed(folder, joined(folder, kPartRecord));
  try {
    PartRecord record;
    record.version = json.at("tessera").get<std::string>();
    record.part = {json.at("part").get<int>(), json.at("parts").get<int>()};
    record.words = json.at("words").get<std::vector<std::string>>();
    record.output = json.at("output").get<std::string>();
    record.folder = json.at("folder").get<std::string>();
    record.ran = json.at("ran").get<std::string>();
    record.isa = json.at("isa").get<std::string>();
    record.host = json.at("host").get<std::string>();
    for (const Json& input : json.at("inputs")) record.inputs.push_back(input_of(input));
    record.units = json.at("units").get<long long>();
    for (const Json& stream : json.at("streams")) record.streams.push_back(stream_of(stream));
    for (const Json& file : json.at("files"))
      record.files.push_back({file.at("name").get<std::string>(), file.at("bytes").get<long long>(),
                              file.at("digest").get<std::string>()});
    return record;
  } catch (const Json::exception&) {
    throw damaged(folder, "its record is not that of a part");
  }
}

void check_part_files(const std::string& folder, const PartRecord& record) {
  for (const MadeFile& file : record.files) {
    const std::string path = joined(folder, file.name);
    const long long bytes = stamp_of(path).bytes;
    if (bytes < 0) throw damaged(path, "it is missing");
    if (bytes != file.bytes)
      throw damaged(path, fmt::format("it has {} bytes, and {} were written", bytes, file.bytes));
    if (digest_of_file(path) != file.digest)
      throw damaged(path, "it is damaged: its digest is another one");
  }
}

}  // namespace tessera
