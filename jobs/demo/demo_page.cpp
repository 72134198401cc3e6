// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/demo_page.hpp"

#include <set>
#include <string_view>
#include <vector>

#include "core/folder.hpp"
#include "io/output_set.hpp"
#include "jobs/demo/demo_run.hpp"
#include "report/base64.hpp"
#include "report/page.hpp"

namespace tessera {
namespace {

constexpr const char* kScripts[] = {"page_elements.js", "demo_page_film.js", "demo_page.js"};

std::string data_uri(const std::string& path) {
  const File file = File::open_to_read(path);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(file.bytes()));
  file.read_all(0, bytes.data(), static_cast<long long>(bytes.size()));
  return "data:" + picture_type(path) + ";base64," + base64(bytes);
}

/// {"noise/sky.png": "data:…", …}, each once.
std::string all_pictures(const DemoResult& result, const std::string& folder) {
  std::set<std::string> names;
  for (const DemoPartResult& part : result.parts)
    for (const auto* pictures : {&part.inputs, &part.outputs})
      for (const DemoPicture& picture : *pictures)
        for (const std::string& file : picture.files) names.insert(part.operation + "/" + file);
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ",\n") + Json(name).dump() + ": \"" +
            data_uri(joined(folder, name)) + "\"";
  return "{" + text + "}";
}

std::string page_of(const DemoResult& result, const std::string& folder) {
  std::string page;
  fill_page(
      page_text("demo_page.html"), [&](std::string_view text) { page += text; },
      [&](std::string_view name) {
        if (name == "title") page += "Tessera at work";
        if (name == "style") page += page_text("demo_page.css");
        if (name == "data") page += script_json(json_text(result));
        if (name == "pictures") page += script_json(all_pictures(result, folder));
        if (name == "script")
          for (const char* script : kScripts) page += page_text(script);
      });
  return page;
}

void finish(Output& output, const std::string& text) {
  output.file().write_all(0, text.data(), static_cast<long long>(text.size()));
  output.finish();
}

}  // namespace

DemoFiles::DemoFiles(const std::string& folder, bool force)
    : folder_(folder),
      page_(joined(folder, "index.html"), force),
      json_(joined(folder, "demo.json"), force) {}

void DemoFiles::write(const DemoResult& result) {
  OutputSet together;
  finish(page_, page_of(result, folder_));
  finish(json_, json_text(result) + "\n");
  together.place();
}

}  // namespace tessera
