// SPDX-License-Identifier: Apache-2.0
#include "python/voltage_axes.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <map>

#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

/// Axes by letters: t time, c channels, a antennas, p polarisations, i inputs (both), n samples of
/// a group, r real and imaginary part.
struct NamedAxes {
  std::string letters;
  int group = 1;
};

NamedAxes axes_named(const RawArray& voltages, const std::string& layout,
                     const VoltageFormat& format) {
  if (layout == "tcc" || layout == "dp4a")  // which are not for all types, says the library
    voltage_layout(layout, {.antennas = 1}, format.samples, 0);
  if (layout == "tcc") return {"ctin", 32 / bytes_of(format.samples)};
  if (layout == "dp4a") return {"tcirn", 4};
  std::string sorted = layout;
  std::sort(sorted.begin(), sorted.end());
  const std::vector<std::string> whole{"cit", "it", "acpt", "apt", "act", "at"};
  if (std::find(whole.begin(), whole.end(), sorted) == whole.end())
    throw_usage(voltages.what.substr(0, voltages.what.find(':')) + ": layout is '" + layout +
                "'; it can be tci, cti, cit, act, tcc, dp4a, or the order of the axes: t (time), c "
                "(channels), and i (inputs) or a and p (antennas and polarisations)");
  const bool split = sorted.find('p') != sorted.npos || sorted.find('i') != sorted.npos;
  return {split ? layout : layout + "p", 1};
}

std::string letters_replaced(std::string letters, const std::string& from, const std::string& to) {
  const std::size_t at = letters.find(from);
  return at == letters.npos ? letters : letters.replace(at, from.size(), to);
}

/// With an axis of real and imaginary parts, the last unless the layout says where; or without.
std::string with_part_axis(const std::string& letters, bool with_parts) {
  if (!with_parts) return letters_replaced(letters, "r", "");
  return letters.find('r') == letters.npos ? letters + "r" : letters;
}

/// Records of two fields, and complex numbers, have their parts inside an element.
struct Parts {
  bool inside = false;
  long long first = 0, second = 0;  ///< bytes from the element's address
  std::string dtype;                ///< of a part
};

Parts parts_of(const RawArray& voltages) {
  if (voltages.dtype == "complex64") return {true, 0, 4, "float32"};
  if (voltages.library != Library::numpy) return {false, 0, 0, voltages.dtype};
  const nb::object dtype = voltages.object.attr("dtype"), names = dtype.attr("names");
  if (names.is_none()) return {false, 0, 0, voltages.dtype};
  if (nb::len(names) != 2) return {false, 0, 0, voltages.dtype};
  const nb::object re = dtype.attr("fields")[names[0]], im = dtype.attr("fields")[names[1]];
  const std::string kind = shown(nb::object(re[0]));
  if (kind != shown(nb::object(im[0]))) return {false, 0, 0, voltages.dtype};
  return {true, nb::cast<long long>(re[1]), nb::cast<long long>(im[1]), kind};
}

const char* dtype_of(const VoltageFormat& format) {
  switch (format.samples) {
    case SampleType::ci8:
      return format.offset_binary ? "uint8" : "int8";
    case SampleType::ci4:
      return "uint8";
    case SampleType::ci16:
      return format.offset_binary ? "uint16" : "int16";
    case SampleType::cf16:
      return "float16";
    default:
      return "float32";
  }
}

void check_dtype(const RawArray& voltages, const Parts& parts, const VoltageFormat& format) {
  const std::string wanted = dtype_of(format);
  const bool byte = format.samples == SampleType::ci4;
  if (parts.dtype == wanted && !(byte && parts.inside)) return;
  if (byte && !parts.inside && parts.dtype == "int8") return;
  std::string right = byte ? "uint8, one byte per sample" : wanted + " with a last axis of 2";
  if (format.samples == SampleType::cf32) right = "complex64, or " + right;
  throw nb::type_error((voltages.what + " has dtype " + voltages.dtype + "; samples of " +
                        std::string(name_of(format.samples)) +
                        (format.offset_binary ? " in offset binary are " : " are ") + right)
                           .c_str());
}

/// The layout's axes as this array has them: inputs as one axis or two, a polarisation that is
/// alone left out. Empty: it has another number of axes.
std::string letters_for(const RawArray& voltages, const NamedAxes& named, bool with_parts,
                        bool one_polarisation) {
  const std::string base = with_part_axis(named.letters, with_parts);
  std::vector<std::string> ways{letters_replaced(base, "i", "ap"), base};
  if (one_polarisation) ways.push_back(letters_replaced(base, "p", ""));
  for (const std::string& letters : ways)
    if (letters.size() == voltages.shape.size()) return letters;
  return "";
}

/// "(time, 3 channels, 4 antennas, 2 polarisations, 2)"
std::string wanted_text(const NamedAxes& named, bool with_parts, const XEngineShape* shape) {
  const std::string letters =
      with_part_axis(letters_replaced(named.letters, "i", "ap"), with_parts);
  std::string text;
  const auto count = [&](int extent, const char* what) {
    return shape ? std::to_string(extent) + " " + what : std::string(what);
  };
  for (const char letter : letters) {
    text += text.empty() ? "(" : ", ";
    text += letter == 't'   ? named.group > 1 ? "time / " + std::to_string(named.group) : "time"
            : letter == 'c' ? count(shape ? shape->channels : 0, "channels")
            : letter == 'a' ? count(shape ? shape->antennas : 0, "antennas")
            : letter == 'p' ? count(shape ? shape->polarisations : 0, "polarisations")
            : letter == 'n' ? std::to_string(named.group)
                            : "2";
  }
  return text + ")";
}

[[noreturn]] void throw_shape(const RawArray& voltages, const std::string& layout,
                              const NamedAxes& named, bool with_parts, const XEngineShape* shape) {
  throw_usage(voltages.what + " has shape " + shape_text(voltages.shape) + "; layout " + layout +
              " wants " + wanted_text(named, with_parts, shape));
}

/// Extents and steps by letter.
struct FoundAxes {
  std::map<char, long long> extent, step;

  FoundAxes(const RawArray& voltages, const std::string& letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      extent[letters[i]] = voltages.shape[i];
      step[letters[i]] = voltages.steps[i];
    }
  }
  long long extent_or(char letter, long long otherwise) const {
    const auto found = extent.find(letter);
    return found == extent.end() ? otherwise : found->second;
  }
};

bool fits(const FoundAxes& axes, const XEngineShape& shape, int group) {
  return axes.extent_or('c', 1) == shape.channels &&
         axes.extent_or('a', shape.antennas) == shape.antennas &&
         axes.extent_or('p', shape.polarisations) == shape.polarisations &&
         axes.extent_or('i', shape.inputs()) == shape.inputs() &&
         axes.extent_or('n', group) == group && axes.extent_or('r', 2) == 2;
}

/// No axis may stand still: the library reads memory as it lies.
void check_steps(const RawArray& voltages) {
  for (std::size_t i = 0; i < voltages.shape.size(); ++i)
    if (voltages.shape[i] > 1 && voltages.steps[i] == 0)
      throw_usage(voltages.what + " has one value for all " + std::to_string(voltages.shape[i]) +
                  " of axis " + std::to_string(i) + " (a broadcast); give a copy");
}

VoltageLayout layout_of(FoundAxes& axes, const XEngineShape& shape, int group) {
  VoltageLayout l;
  if (axes.step.contains('i')) {
    axes.step['p'] = axes.step['i'];
    axes.step['a'] = axes.step['i'] * shape.polarisations;
  }
  l.channel = axes.step['c'];
  l.antenna = axes.step['a'];
  l.polarisation = axes.step['p'];
  l.group = group;
  l.time = axes.step[group > 1 ? 'n' : 't'];
  l.group_step = axes.step['t'];
  l.imaginary = axes.step['r'];
  return l;
}

}  // namespace

VoltageFormat format_of(const RawArray& voltages) {
  const std::string dtype = parts_of(voltages).dtype;
  if (dtype == "int8" || dtype == "uint8") return {SampleType::ci8, dtype == "uint8"};
  if (dtype == "int16" || dtype == "uint16") return {SampleType::ci16, dtype == "uint16"};
  if (dtype == "float16") return {SampleType::cf16, false};
  if (dtype == "float32") return {SampleType::cf32, false};
  throw nb::type_error((voltages.what + " has dtype " + voltages.dtype +
                        "; int8, uint8, int16, uint16, float16 and float32 with a last axis of 2, "
                        "and complex64, in this machine's byte order work")
                           .c_str());
}

std::string axes_of(const RawArray& voltages, const std::string& layout,
                    const VoltageFormat& format, std::optional<int> polarisations) {
  const NamedAxes named = axes_named(voltages, layout, format);
  const bool with_parts = !parts_of(voltages).inside && format.samples != SampleType::ci4;
  std::string letters = letters_for(voltages, named, with_parts, polarisations == 1);
  if (letters.empty()) throw_shape(voltages, layout, named, with_parts, nullptr);
  return letters;
}

XEngineShape shape_of(const RawArray& voltages, const std::string& layout,
                      const VoltageFormat& format, std::optional<int> polarisations) {
  const FoundAxes axes(voltages, axes_of(voltages, layout, format, polarisations));
  XEngineShape shape;
  shape.channels = static_cast<int>(axes.extent_or('c', 1));
  shape.polarisations = static_cast<int>(axes.extent_or('p', polarisations.value_or(0)));
  if (polarisations && shape.polarisations != *polarisations)
    throw_usage(voltages.what + " has shape " + shape_text(voltages.shape) + " with " +
                std::to_string(shape.polarisations) + " polarisations and polarisations= says " +
                std::to_string(*polarisations) + "; leave it out, or give another layout");
  if (shape.polarisations < 1)
    throw_usage(voltages.what + " has shape " + shape_text(voltages.shape) +
                " with one axis for all inputs; say how many are an antenna's with polarisations=");
  const long long inputs = axes.extent_or('i', 0);
  if (inputs % shape.polarisations != 0)
    throw_usage(voltages.what + " has " + std::to_string(inputs) + " inputs and " +
                std::to_string(shape.polarisations) +
                " are an antenna's; give a number of polarisations that divides them");
  shape.antennas = static_cast<int>(axes.extent_or('a', inputs / shape.polarisations));
  return shape;
}

VoltageBlock block_of(const RawArray& voltages, const std::string& layout,
                      const XEngineShape& shape, const VoltageFormat& format) {
  const NamedAxes named = axes_named(voltages, layout, format);
  const Parts parts = parts_of(voltages);
  check_dtype(voltages, parts, format);
  const bool with_parts = !parts.inside && format.samples != SampleType::ci4;
  const std::string letters = letters_for(voltages, named, with_parts, shape.polarisations == 1);
  if (letters.empty()) throw_shape(voltages, layout, named, with_parts, &shape);
  FoundAxes axes(voltages, letters);
  if (!fits(axes, shape, named.group)) throw_shape(voltages, layout, named, with_parts, &shape);
  check_steps(voltages);
  VoltageBlock block;
  block.data = static_cast<const unsigned char*>(voltages.data) + parts.first;
  block.samples = axes.extent['t'] * named.group;
  block.layout = layout_of(axes, shape, named.group);
  if (parts.inside) block.layout.imaginary = parts.second - parts.first;
  block.device = voltages.device;
  return block;
}

}  // namespace tessera::python
