// SPDX-License-Identifier: Apache-2.0
/// libjpeg calls a function of ours on an error, which must not return. As with libpng it makes a
/// longjmp, which must not pass over C++ objects with destructors. All calls of libjpeg are
/// therefore made inside `jpeg_attempt`, by code that only touches plain data.
#pragma once

// jpeglib.h needs headers that it does not include, and jerror.h needs jpeglib.h.
// clang-format off
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

namespace tessera {

/// The message of libjpeg, kept where a jump does not lose it. libjpeg sees only the first member.
struct JpegErrors {
  jpeg_error_mgr base;
  jmp_buf jump;
  char text[JMSG_LENGTH_MAX] = "";
  int code = 0;
  bool stop_at_damage = true;  ///< otherwise damage is only noted
  bool damaged = false;
  bool extra_bytes = false;  ///< after the data of a scan: of pixels that were decoded differently?
};

inline JpegErrors& jpeg_errors_of(j_common_ptr jpeg) {
  return *reinterpret_cast<JpegErrors*>(jpeg->err);
}

[[noreturn]] inline void jpeg_jump(j_common_ptr jpeg) {
  JpegErrors& errors = jpeg_errors_of(jpeg);
  errors.code = errors.base.msg_code;
  errors.base.format_message(jpeg, errors.text);
  std::longjmp(errors.jump, 1);
}

/// Warnings after which pixels differ from those stored. The others (bytes between segments of the
/// header, odd versions of JFIF) are common in good files; but bytes left over before a restart are
/// pixels.
inline bool is_damage(const jpeg_error_mgr& errors) {
  switch (errors.msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_JPEG_EOF:
    case JWRN_MUST_RESYNC:
    case JWRN_BOGUS_PROGRESSION:
      return true;
    case JWRN_EXTRANEOUS_DATA:
      return errors.msg_parm.i[1] >= JPEG_RST0 && errors.msg_parm.i[1] <= JPEG_RST0 + 7;
    default:
      return false;
  }
}

/// Whether bytes are left over at the end of a scan. libjpeg does not count those that it holds
/// already, up to 8.
inline bool is_after_scan(j_common_ptr jpeg) {
  return jpeg->err->msg_code == JWRN_EXTRANEOUS_DATA && jpeg->is_decompressor &&
         reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number > 0;
}

inline void jpeg_notice(j_common_ptr jpeg, int level) {
  JpegErrors& errors = jpeg_errors_of(jpeg);
  if (level < 0 && is_after_scan(jpeg)) errors.extra_bytes = true;
  if (level >= 0 || !is_damage(errors.base) || errors.damaged) return;
  errors.damaged = true;
  if (errors.stop_at_damage) jpeg_jump(jpeg);
  errors.base.format_message(jpeg, errors.text);
}

inline void jpeg_print_nothing(j_common_ptr) {}

/// Call this before the struct is created.
inline jpeg_error_mgr* jpeg_catch(JpegErrors& errors) {
  jpeg_std_error(&errors.base);
  errors.base.error_exit = jpeg_jump;
  errors.base.emit_message = jpeg_notice;
  errors.base.output_message = jpeg_print_nothing;
  return &errors.base;
}

/// False if libjpeg failed inside `body`; the struct can then only be destroyed.
template <class Body>
bool jpeg_attempt(JpegErrors& errors, const Body& body) {
  if (setjmp(errors.jump) != 0) return false;
  body();
  return true;
}

}  // namespace tessera
