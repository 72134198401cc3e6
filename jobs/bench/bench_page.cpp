// SPDX-License-Identifier: Apache-2.0
#include "jobs/bench/bench_page.hpp"

#include <fmt/format.h>

#include <string_view>

#include "io/output_set.hpp"
#include "report/page.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kScripts[] = {"page_elements.js",        "report_page_numbers.js",
                                    "report_page_roofline.js", "report_page_bars.js",
                                    "report_page_table.js",    "report_page.js"};
constexpr std::string_view kEnding = ".html";

std::string page_of(const std::string& json, const std::string& against) {
  std::string page;
  fill_page(
      page_text("report_page.html"), [&](std::string_view text) { page += text; },
      [&](std::string_view name) {
        if (name == "title") page += "CPU or GPU? Tessera on this machine";
        if (name == "style") page += page_text("report_page.css");
        if (name == "data") page += script_json(json);
        if (name == "against") page += script_json(against);
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

std::string json_beside(const std::string& page) {
  if (!page.ends_with(kEnding) || page.size() == kEnding.size())
    throw Error(
        ErrorKind::usage,
        fmt::format("--report: '{}' is not the name of a page; it should end in .html", page));
  return page.substr(0, page.size() - kEnding.size()) + ".json";
}

BenchFiles::BenchFiles(const std::string& page, bool force)
    : page_(page, force), json_(json_beside(page), force) {}

void BenchFiles::write(const std::string& json, const std::string& against) {
  OutputSet together;
  finish(page_, page_of(json, against));
  finish(json_, json + "\n");
  together.place();
}

}  // namespace tessera
