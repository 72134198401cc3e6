// SPDX-License-Identifier: Apache-2.0
#include "jobs/parts/part_ranks.hpp"

#include <utility>

#include "jobs/batch_files.hpp"
#include "jobs/parts/unit_place.hpp"

namespace tessera {

PartRanks::PartRanks(PartRecord record, bool force)
    : record_(std::move(record)),
      folder_(part_folder(record_.output, record_.part), force),
      texts_(created(kPartTexts)),
      messages_(created(kPartMessages)) {}

File PartRanks::created(const std::string& name) {
  names_.push_back(name);
  return folder_.create(name);
}

std::vector<std::string> PartRanks::gathered(const std::string& text) {
  texts_.add(text);
  return {text};
}

long long PartRanks::next_unit() { return std::exchange(next_, next_ + part().parts); }

void PartRanks::begin(const std::vector<ImageInfo>& outputs, const RowUnits& units) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    rows_.push_back(created(rows_file(record_.streams.size(), i)));
  record_.streams.push_back({units.rows(), outputs});
  for (ImageInfo& output : record_.streams.back().outputs) output.device = kHost;
}

void PartRanks::keep(Rows rows, std::span<const AnyMutableView> outputs) {
  const KeptStream& stream = record_.streams.back();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const ImageInfo& output = stream.outputs[i];
    check_rows(output, rows, outputs[i].info());
    const UnitPlace place = place_of(stream, output, rows, part().parts);
    for (int plane = 0; plane < output.size.planes; ++plane)
      rows_[i].write_all(place.offset + plane * place.plane, outputs[i].address(0, 0, plane),
                         rows.count() * row_bytes(output));
  }
}

void PartRanks::fetch(Rows, std::span<const AnyMutableView>) {
  throw Error(ErrorKind::failure, "a part has the rows of no other");
}

void PartRanks::end() {
  for (const File& file : rows_) file.sync();
  rows_.clear();
}

void PartRanks::finish() {
  texts_.file().sync();
  messages_.file().sync();
  for (const std::string& name : names_) {
    const std::string path = folder_.path_of(name);
    record_.files.push_back({name, stamp_of(path).bytes, digest_of_file(path)});
  }
  record_.units = units_done;
  record_.ran = ran;
  const std::string text = to_text(record_);
  const File file = folder_.create(kPartRecord);
  file.write_all(0, text.data(), std::ssize(text));
  file.sync();
  folder_.finish();
}

}  // namespace tessera
