// SPDX-License-Identifier: Apache-2.0
// faraday_catalogue: the job of `tessera faraday catalogue`, with positions from a file or a dict.
#include <nanobind/nanobind.h>

#include "jobs/faraday/catalogue_job.hpp"
#include "jobs/table_files.hpp"
#include "python/arrays.hpp"
#include "python/doors.hpp"
#include "python/keyword_names.hpp"
#include "python/long_call.hpp"
#include "python/options_python.hpp"
#include "python/text.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

/// Columns of a dict: any sequences of one length.
Table table_from(nb::handle given) {
  Table table;
  for (auto [key, cells] : nb::cast<nb::dict>(given)) {
    TableColumn column;
    column.name = shown(key);
    column.kind = TableKind::text;
    for (nb::handle cell : nb::iter(cells)) {
      column.texts.push_back(shown(cell));
      column.numbers.push_back(table_number(column.texts.back()));
    }
    if (!table.columns.empty() && column.texts.size() != table.columns.front().texts.size())
      throw_usage("faraday_catalogue: positions: '" + column.name + "' has " +
                  std::to_string(column.texts.size()) + " values and '" +
                  table.columns.front().name + "' has " +
                  std::to_string(table.columns.front().texts.size()) +
                  "; all columns must have the same length");
    table.columns.push_back(std::move(column));
  }
  return table;
}

nb::object column_to_python(const TableColumn& column) {
  if (column.kind == TableKind::text) {
    nb::list texts;
    for (const std::string& text : column.texts) texts.append(to_python(text));
    return texts;
  }
  Image values({std::max(1, static_cast<int>(column.numbers.size())), 1}, Type::f64);
  for (std::size_t i = 0; i < column.numbers.size(); ++i)
    values.as<double>().at(static_cast<int>(i), 0) = column.numbers[i];
  const nb::object row = to_numpy(std::move(values))[nb::int_(0)];
  return row[nb::slice(nb::int_(0), nb::int_(column.numbers.size()), nb::int_(1))];
}

nb::dict catalogue(nb::handle positions, nb::handle q, nb::handle u, nb::handle frequencies,
                   nb::handle model, nb::handle output, const nb::kwargs& keywords) {
  FaradayCatalogueJob job;
  HostOptions host;
  take_options("faraday_catalogue", keywords, job.options, job.files.fitting, job.files.allowed,
               job.choices, job.cleaning, host);
  job.settings.threads = host.threads;
  job.settings.memory_limit.bytes = host.memory_bytes();
  job.files.q = path_text("faraday_catalogue: q", q);
  job.files.u = path_text("faraday_catalogue: u", u);
  if (!frequencies.is_none())
    job.frequencies = path_text("faraday_catalogue: frequencies", frequencies);
  if (!model.is_none()) job.files.model = path_text("faraday_catalogue: model", model);
  if (!output.is_none()) job.output = path_text("faraday_catalogue: output", output);
  job.force = true;
  Table table;
  FaradayCatalogueResult result;
  if (nb::isinstance<nb::dict>(positions)) {
    job.positions = "positions";
    const Table given = table_from(positions);
    const LongCall unlocked;
    result = naming_keywords([&] { return job.run(given, {}, &table); });
  } else {
    job.positions = path_text("faraday_catalogue: positions", positions);
    const LongCall unlocked;
    result = naming_keywords([&] { return job.run({}, &table); });
  }
  warn(result.warnings);
  nb::dict columns;
  for (const TableColumn& column : table.columns)
    columns[nb::str(column.name.c_str())] = column_to_python(column);
  return columns;
}

constexpr const char* kCatalogue =
    R"(Rotation measures of listed positions, in the columns of RMTable 1.3.

positions: a table (.csv, .tsv, .fits, .vot or .xml), or a dict of columns: ra and dec in degrees (ICRS), l
    and b in degrees, or x and y, pixels counted from 0; and, if there are names, name or cat_id.
q, u: the files of cubes, as for `tessera faraday synth`.
frequencies: a file, one per line, in hertz; None: those of q's header.
model: Stokes I, by which Q and U are divided, a file: a model or, with fit_i, the data; None: they are taken
    as they are.
output: a table to write, too, by its ending; one that exists is replaced.
Returns a dict of columns: arrays of numbers and lists of texts, one value per position, in the order of
RMTable, then snr, x and y of the pixel measured, and flag: "", or why there is no rotation measure.

>>> rms = tessera.faraday_catalogue({"ra": [83.6], "dec": [22.0]}, "Q.fits", "U.fits", noise="1e-4")
>>> rms["rm"], rms["rm_err"], rms["flag"])";

}  // namespace

void add_faraday_catalogue(nb::module_& module) {
  module.def(
      "faraday_catalogue", &catalogue, "positions"_a, "q"_a, "u"_a, "frequencies"_a = nb::none(),
      nb::kw_only(), "model"_a = nb::none(), "output"_a = nb::none(), "options"_a,
      nb::sig(kept("def faraday_catalogue(positions: typing.Any, q: str | bytes | "
                   "os.PathLike[typing.Any], u: str | bytes | os.PathLike[typing.Any], "
                   "frequencies: str | bytes | os.PathLike[typing.Any] | None = None, *, "
                   "model: str | bytes | os.PathLike[typing.Any] | None = None, "
                   "output: str | bytes | os.PathLike[typing.Any] | None = None" +
                   option_parameters<FaradayOptions>() + option_parameters<FaradayFitting>() +
                   option_parameters<FaradayAllowed>() +
                   option_parameters<FaradayCatalogueChoices>() +
                   option_parameters<FaradaySynthCleaning>() + option_parameters<HostOptions>() +
                   ") -> dict[str, typing.Any]")),
      kept(std::string(kCatalogue) + "\n\nOptions:\n" + option_help<FaradayOptions>() +
           option_help<FaradayFitting>() + option_help<FaradayAllowed>() +
           option_help<FaradayCatalogueChoices>() + option_help<FaradaySynthCleaning>() +
           option_help<HostOptions>()));
}

}  // namespace tessera::python
