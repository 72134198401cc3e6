// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/vdif_header.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/counted.hpp"
#include "io/voltages/voltage_keys.hpp"
#include "io/voltages/voltage_reader.hpp"

namespace tessera {
namespace {

using Words = std::array<std::uint32_t, 8>;

std::uint32_t bits_of(std::uint32_t word, int first, int count) {
  return word >> first & (count == 32 ? 0xffffffffu : (1u << count) - 1);
}

// Extended headers that give the rate, in kHz or MHz, of complex samples; real samples come twice
// as often.
bool says_rate(int extension) { return extension == 1 || extension == 3 || extension == 4; }

// Days that began after a leap second, since 2000.
constexpr std::array<long long, 5> kAfterLeaps{53736, 54832, 56109, 57204, 57754};

long long day_of(int epoch) { return mjd_of_date(2000 + epoch / 2, epoch % 2 == 0 ? 1 : 7, 1); }

}  // namespace

VdifHeader parse_vdif_header(const unsigned char* bytes) {
  Words w{};
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t k = 4; k-- > 0;) w[i] = w[i] << 8 | bytes[4 * i + k];
  VdifHeader header;
  header.invalid = bits_of(w[0], 31, 1) != 0;
  header.legacy = bits_of(w[0], 30, 1) != 0;
  header.seconds = bits_of(w[0], 0, 30);
  header.epoch = static_cast<int>(bits_of(w[1], 24, 6));
  header.frame = bits_of(w[1], 0, 24);
  header.version = static_cast<int>(bits_of(w[2], 29, 3));
  const auto channels = static_cast<int>(bits_of(w[2], 24, 5));
  header.channels = channels > 30 ? 0 : 1 << channels;
  header.frame_bytes = 8LL * bits_of(w[2], 0, 24);
  header.complex = bits_of(w[3], 31, 1) != 0;
  header.bits = static_cast<int>(bits_of(w[3], 26, 5)) + 1;
  header.thread = static_cast<int>(bits_of(w[3], 16, 10));
  header.station = static_cast<int>(bits_of(w[3], 0, 16));
  if (header.legacy) return header;
  header.extension = static_cast<int>(bits_of(w[4], 24, 8));
  if (says_rate(header.extension))
    header.rate =
        (bits_of(w[4], 23, 1) ? 1e6 : 1e3) * bits_of(w[4], 0, 23) * (header.complex ? 1 : 2);
  return header;
}

std::string vdif_header_bytes(const VdifHeader& header) {
  const auto word = [](auto value) { return static_cast<std::uint32_t>(value); };
  Words w{};
  w[0] = word(header.invalid) << 31 | word(header.seconds);
  w[1] = word(header.epoch) << 24 | word(header.frame);
  w[2] =
      1u << 29 | word(std::countr_zero(word(header.channels))) << 24 | word(header.frame_bytes / 8);
  w[3] = word(header.complex) << 31 | word(header.bits - 1) << 26 | word(header.thread) << 16 |
         word(header.station);
  w[4] = word(header.extension) << 24;
  if (says_rate(header.extension)) {
    const double rate = header.rate / (header.complex ? 1e3 : 2e3);
    const bool mega = rate >= 1 << 23;
    w[4] |= word(mega) << 23 | word(mega ? rate / 1e3 : rate);
    w[5] = 0xacabfeed;
  }
  std::string bytes;
  for (const std::uint32_t value : w)
    for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> 8 * k & 0xff);
  return bytes;
}

void check_vdif_header(const std::string& name, long long offset, const VdifHeader& header) {
  if (header.frame_bytes <= header.header_bytes())
    throw voltage_error(name,
                        "the VDIF frame at byte {} claims to be {} long; its header has "
                        "{}",
                        offset, counted(header.frame_bytes, "byte"), header.header_bytes());
  if (header.extension == 0xab)
    throw voltage_error(name, "it is Mark 5B inside VDIF, which cannot be read");
  if (!std::has_single_bit(static_cast<unsigned>(header.bits)) || header.bits > 16)
    throw voltage_error(
        name,
        "the samples of the VDIF frame at byte {} have {} bits; 1, 2, 4, 8 and 16 can be read",
        offset, header.bits);
  if (header.channels < 1 || header.payload_bytes() * 8 % header.sample_bits() != 0)
    throw voltage_error(name,
                        "the VDIF frame at byte {} has {} of samples; that is not a whole "
                        "number of samples, which have {} and {} each",
                        offset, counted(header.payload_bytes(), "byte"),
                        counted(header.channels, "channel"), counted(header.sample_bits(), "bit"));
}

std::string vdif_difference(const VdifHeader& a, const VdifHeader& b) {
  const auto say = [](const char* what, auto x, auto y) {
    return fmt::format("{} are {} and {}", what, x, y);
  };
  if (a.frame_bytes != b.frame_bytes) return say("bytes per frame", a.frame_bytes, b.frame_bytes);
  if (a.legacy != b.legacy) return say("bytes per header", a.header_bytes(), b.header_bytes());
  if (a.bits != b.bits) return say("bits per sample", a.bits, b.bits);
  if (a.channels != b.channels) return say("channels", a.channels, b.channels);
  if (a.complex != b.complex) return say("complex samples", a.complex, b.complex);
  if (a.extension != b.extension) return say("extensions (EDV)", a.extension, b.extension);
  if (a.rate != b.rate) return say("samples per second", a.rate, b.rate);
  return "";
}

long long VdifHeader::time() const {
  const long long day = day_of(epoch), leaps = std::ranges::count_if(
                                           kAfterLeaps, [&](auto after) { return after <= day; });
  return (day - day_of(0)) * 86400 + leaps + seconds;
}

VdifTime vdif_time(int epoch, long long seconds) {
  const long long first = day_of(epoch);
  for (const long long day : kAfterLeaps)
    if (first < day && first + (seconds - 1) / 86400 >= day) --seconds;
  return {first + seconds / 86400, static_cast<double>(seconds % 86400)};
}

}  // namespace tessera
