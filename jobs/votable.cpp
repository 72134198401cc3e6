// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "core/refuse.hpp"
#include "jobs/table_files.hpp"

namespace tessera {
namespace {

/// Names without a prefix of a name space: "vot:TABLE" is "TABLE".
bool is_element(const pugi::xml_node& node, std::string_view name) {
  std::string_view own = node.name();
  if (const std::size_t colon = own.find(':'); colon != std::string_view::npos)
    own.remove_prefix(colon + 1);
  return own == name;
}

pugi::xml_node element_in(const pugi::xml_node& node, std::string_view name) {
  for (const pugi::xml_node& child : node.children())
    if (is_element(child, name)) return child;
  return {};
}

/// The first TABLE of the document; resources may hold resources.
pugi::xml_node first_table(const pugi::xml_node& node, int depth = 0) {
  if (depth > 16) return {};
  for (const pugi::xml_node& child : node.children()) {
    if (is_element(child, "TABLE")) return child;
    if (!is_element(child, "RESOURCE")) continue;
    if (const pugi::xml_node found = first_table(child, depth + 1)) return found;
  }
  return {};
}

const char* votable_type(TableKind kind) {
  switch (kind) {
    case TableKind::f64:
      return "double";
    case TableKind::f32:
      return "float";
    case TableKind::i32:
      return "int";
    case TableKind::text:
      break;
  }
  return "char";
}

}  // namespace

Table table_of_votable(const std::string& name, const std::string& text) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) refuse_input(name, fmt::format("it is not XML: {}", parsed.description()));
  if (!is_element(document.document_element(), "VOTABLE"))
    refuse_input(name, fmt::format("it begins with <{}>; a VOTable begins with <VOTABLE>",
                                   document.document_element().name()));
  const pugi::xml_node element = first_table(document.document_element());
  if (!element) refuse_input(name, "it has no TABLE");
  Table table;
  for (const pugi::xml_node& child : element.children()) {
    if (!is_element(child, "FIELD")) continue;
    TableColumn column;
    column.name = child.attribute("name").value();
    column.unit = child.attribute("unit").value();
    column.ucd = child.attribute("ucd").value();
    column.kind = TableKind::text;
    table.columns.push_back(std::move(column));
  }
  const pugi::xml_node data = element_in(element, "DATA"), rows = element_in(data, "TABLEDATA");
  if (data && !rows)
    refuse_input(name, fmt::format("its rows are {}; they must be elements (TABLEDATA)",
                                   data.first_child().name()));
  long long row = 0;
  for (const pugi::xml_node& line : rows.children()) {
    if (!is_element(line, "TR")) continue;
    ++row;
    std::size_t c = 0;
    for (const pugi::xml_node& cell : line.children()) {
      if (!is_element(cell, "TD")) continue;
      if (c == table.columns.size())
        refuse_input(name, fmt::format("row {} has more than its {} cells", row, c));
      TableColumn& column = table.columns[c++];
      column.texts.emplace_back(cell.child_value());
      column.numbers.push_back(table_number(column.texts.back()));
    }
    if (c != table.columns.size())
      refuse_input(name,
                   fmt::format("row {} has {} cells instead of {}", row, c, table.columns.size()));
  }
  return table;
}

std::string votable_of_table(const Table& table, const std::vector<std::string>& history) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("VOTABLE");
  root.append_attribute("version") = "1.4";
  root.append_attribute("xmlns") = "http://www.ivoa.net/xml/VOTable/v1.3";
  pugi::xml_node resource = root.append_child("RESOURCE");
  for (const auto& [keyword, value] : table.notes) {
    pugi::xml_node info = resource.append_child("INFO");
    info.append_attribute("name") = keyword.c_str();
    info.append_attribute("value") = value.c_str();
  }
  for (const std::string& line : history) {
    pugi::xml_node info = resource.append_child("INFO");
    info.append_attribute("name") = "HISTORY";
    info.append_attribute("value") = line.c_str();
  }
  pugi::xml_node element = resource.append_child("TABLE");
  for (const TableColumn& column : table.columns) {
    pugi::xml_node field = element.append_child("FIELD");
    field.append_attribute("name") = column.name.c_str();
    field.append_attribute("datatype") = votable_type(column.kind);
    if (column.kind == TableKind::text) field.append_attribute("arraysize") = "*";
    if (!column.unit.empty()) field.append_attribute("unit") = column.unit.c_str();
    if (!column.ucd.empty()) field.append_attribute("ucd") = column.ucd.c_str();
    if (!column.description.empty())
      field.append_child("DESCRIPTION").text() = column.description.c_str();
  }
  pugi::xml_node rows = element.append_child("DATA").append_child("TABLEDATA");
  for (std::size_t row = 0; row < static_cast<std::size_t>(table.rows()); ++row) {
    pugi::xml_node line = rows.append_child("TR");
    for (const TableColumn& column : table.columns) {
      const std::string cell = table_cell(column, row);
      line.append_child("TD").text() = cell == "nan" ? "NaN" : cell.c_str();
    }
  }
  std::ostringstream text;
  document.save(text, " ");
  return text.str();
}

}  // namespace tessera
