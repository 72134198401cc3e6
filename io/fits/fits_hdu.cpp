// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_hdu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/refuse.hpp"
#include "tessera/printable.hpp"

namespace tessera {
namespace {

constexpr long long kMostAxes = 999, kMost = std::numeric_limits<long long>::max();

// Headers are printable ASCII, and END is followed by spaces: anything else is damage, and astropy,
// for example, reads such headers differently.
std::string odd_in(std::string_view block, long long place) {
  for (size_t i = 0; i < block.size(); ++i)
    if (block[i] < ' ' || block[i] > '~')
      return fmt::format("byte {} of the file is 0x{:02x}, which no header can have",
                         place + static_cast<long long>(i), static_cast<unsigned char>(block[i]));
  for (size_t i = 0; i + kFitsCard <= block.size(); i += kFitsCard)
    if (block.substr(i).starts_with("END     "))
      return block.find_first_not_of(' ', i + 3) < i + kFitsCard
                 ? fmt::format("text follows its END at byte {} of the file",
                               place + static_cast<long long>(i))
                 : "";
  return "";
}

// Takes the cards of one block, up to END; returns whether END was among them.
bool add_cards(std::string_view block, std::vector<std::string>& cards) {
  for (; block.size() >= kFitsCard; block.remove_prefix(kFitsCard)) {
    const std::string_view card = block.substr(0, kFitsCard);
    if (card.starts_with("END     ")) return true;
    cards.emplace_back(card);
  }
  return false;
}

std::string_view first_keyword(int number) { return number == 0 ? "SIMPLE  =" : "XTENSION="; }

}  // namespace

std::optional<FitsHdu> read_hdu(FitsBytes& bytes, int number, long long offset,
                                const ReadLimits& limits) {
  const std::string name = fmt::format("{}: HDU {}", bytes.path(), number);
  std::vector<std::string> cards;
  std::string block(kFitsBlock, '\0'), odd;
  for (long long place = offset;; place += kFitsBlock) {
    const long long got = bytes.read_some(place, block.data(), kFitsBlock);
    block.resize(static_cast<size_t>(got));
    if (place == offset && !block.starts_with(first_keyword(number))) return std::nullopt;
    if (odd.empty()) odd = odd_in(block, place);
    if (add_cards(block, cards))
      return FitsHdu{
          number, {name, cards}, place + kFitsBlock, odd.empty() ? "" : name + ": " + odd};
    check_count(bytes.path(), "tags", std::ssize(cards), limits.tags);
    if (got < kFitsBlock)
      refuse_input(name,
                   fmt::format("its header ends at byte {} without an END card", place + got));
  }
}

namespace {

void check_primary(const FitsHdu& hdu) {
  if (!hdu.header.is_true("SIMPLE"))
    refuse_input(hdu.header.name(),
                 fmt::format("its card SIMPLE is '{}'; it must be T", hdu.header.text("SIMPLE")));
}

/// Whether options.hdu names it: "SCI", "SCI,2" or "1".
bool is_named(const FitsHdu& hdu, const std::string& name) {
  const std::size_t comma = name.rfind(',');
  const std::string extension = hdu.header.text("EXTNAME");
  if (comma != std::string::npos && extension == name.substr(0, comma))
    return std::to_string(hdu.header.integer("EXTVER").value_or(1)) == name.substr(comma + 1);
  return extension == name || std::to_string(hdu.number) == name;
}

[[noreturn]] void refuse_page(const FitsBytes& bytes, int page, int hdus) {
  refuse_input(bytes.path(),
               fmt::format("it has {} HDUs; there is no HDU {}, counted from 0", hdus, page));
}

}  // namespace

bool FitsHdu::is_tiled() const { return kind() == "BINTABLE" && header.is_true("ZIMAGE"); }

std::string FitsHdu::kind() const { return number == 0 ? "PRIMARY" : header.text("XTENSION"); }

bool FitsHdu::has_image() const {
  if (is_tiled()) return true;
  if (kind() != "PRIMARY" && kind() != "IMAGE" && kind() != "IUEIMAGE") return false;
  const std::vector<long long> axes = fits_axes(header);
  return !axes.empty() && std::ranges::count(axes, 0) == 0;
}

long long FitsHdu::data_bytes() const {
  std::vector<long long> axes = fits_axes(header);
  if (axes.empty()) return 0;
  if (header.is_true("GROUPS") && axes[0] == 0) axes[0] = 1;  // random groups
  const long long bits = header.needed_integer("BITPIX", -64, 64);
  const long long extra = header.has("PCOUNT") ? header.needed_integer("PCOUNT", 0, kMost) : 0;
  const long long groups = header.has("GCOUNT") ? header.needed_integer("GCOUNT", 0, kMost) : 1;
  long long bytes = 1;
  bool fits = true;
  for (const long long axis : axes) fits = fits && !__builtin_mul_overflow(bytes, axis, &bytes);
  fits = fits && !__builtin_add_overflow(bytes, extra, &bytes) &&
         !__builtin_mul_overflow(bytes, groups, &bytes) &&
         !__builtin_mul_overflow(bytes, std::abs(bits) / 8, &bytes);
  if (!fits || bytes > kMost - data_offset - kFitsBlock)
    refuse_input(header.name(), "its axes claim more than 2^63 bytes");
  return bytes;
}

long long next_hdu_offset(const FitsHdu& hdu) {
  return hdu.data_offset + (hdu.data_bytes() + kFitsBlock - 1) / kFitsBlock * kFitsBlock;
}

std::vector<long long> fits_axes(const FitsHeader& header, const std::string& prefix) {
  const long long count = header.needed_integer(prefix + "NAXIS", 0, kMostAxes);
  std::vector<long long> axes;
  for (long long n = 1; n <= count; ++n)
    axes.push_back(header.needed_integer(fmt::format("{}NAXIS{}", prefix, n), 0, kMost));
  return axes;
}

FitsHdu find_hdu(FitsBytes& bytes, const ReadOptions& options) {
  long long offset = 0;
  std::string odd, names;
  for (int number = 0;; ++number) {
    check_count(bytes.path(), "pages", number, options.limits.pages);
    auto hdu = read_hdu(bytes, number, offset, options.limits);
    if (!hdu && !bytes.damage().empty()) refuse_input(bytes.path(), bytes.damage());
    if (!hdu && number == 0)
      refuse_input(bytes.path(), fmt::format("{} does not begin like a FITS file, with 'SIMPLE  ='",
                                             bytes.in_gzip() ? "the data in its gzip" : "it"));
    if (!hdu && !options.hdu.empty())
      refuse_input(bytes.path(),
                   fmt::format("none of its {} HDUs is {}{}", number, printable(options.hdu),
                               names.empty() ? "" : "; there are" + names));
    if (!hdu && options.page) refuse_page(bytes, *options.page, number);
    if (!hdu) refuse_input(bytes.path(), fmt::format("none of its {} HDUs has an image", number));
    if (number == 0) check_primary(*hdu);
    if (odd.empty()) odd = hdu->odd;
    hdu->odd = odd;
    if (const std::string extension = hdu->header.text("EXTNAME"); !extension.empty())
      names += (names.empty() ? " " : ", ") + printable(extension);
    const bool chosen = options.hdu.empty() || is_named(*hdu, options.hdu);
    if (chosen && options.page.value_or(number) == number) {
      if (hdu->has_image()) return *std::move(hdu);
      if (options.page || !options.hdu.empty())
        refuse_input(hdu->header.name(),
                     fmt::format("it is {} with {} axes and holds no image; give another page",
                                 hdu->kind(), hdu->header.integer("NAXIS").value_or(0)));
    }
    offset = next_hdu_offset(*hdu);
  }
}

}  // namespace tessera
