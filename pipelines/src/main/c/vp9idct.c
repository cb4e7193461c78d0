/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "vp9idct.h"

/* round (2^14 * cos (n * pi / 64)) */
enum
{
  COS4 = 16069,
  COS8 = 15137,
  COS12 = 13623,
  COS16 = 11585,
  COS20 = 9102,
  COS24 = 6270,
  COS28 = 3196
};

static int32_t
round14 (int32_t value)
{
  return (value + (1 << 13)) >> 14;
}

/* One-dimensional transform, in place, of 8 values that are `step` apart. */
static void
idct8 (int32_t *x, size_t step)
{
  const int32_t x0 = x[0], x1 = x[step], x2 = x[2 * step], x3 = x[3 * step];
  const int32_t x4 = x[4 * step], x5 = x[5 * step], x6 = x[6 * step],
                x7 = x[7 * step];
  /* even half: a DCT of 4 */
  const int32_t a0 = round14 ((x0 + x4) * COS16),
                a1 = round14 ((x0 - x4) * COS16);
  const int32_t a2 = round14 (x2 * COS24 - x6 * COS8),
                a3 = round14 (x2 * COS8 + x6 * COS24);
  const int32_t even0 = a0 + a3, even1 = a1 + a2, even2 = a1 - a2,
                even3 = a0 - a3;
  /* odd half */
  const int32_t b4 = round14 (x1 * COS28 - x7 * COS4),
                b7 = round14 (x1 * COS4 + x7 * COS28);
  const int32_t b5 = round14 (x5 * COS12 - x3 * COS20),
                b6 = round14 (x5 * COS20 + x3 * COS12);
  const int32_t odd4 = b4 + b5, c5 = b4 - b5, c6 = b7 - b6, odd7 = b6 + b7;
  const int32_t odd5 = round14 ((c6 - c5) * COS16),
                odd6 = round14 ((c5 + c6) * COS16);

  x[0] = even0 + odd7;
  x[step] = even1 + odd6;
  x[2 * step] = even2 + odd5;
  x[3 * step] = even3 + odd4;
  x[4 * step] = even3 - odd4;
  x[5 * step] = even2 - odd5;
  x[6 * step] = even1 - odd6;
  x[7 * step] = even0 - odd7;
}

void
vp9_idct8x8_add (const int16_t *coefficients, uint8_t *samples,
    size_t stride_bytes)
{
  int32_t block[64];

  for (size_t i = 0; i < 64; i++)
    block[i] = coefficients[i];
  for (size_t row = 0; row < 8; row++)
    idct8 (block + row * 8, 1);
  for (size_t column = 0; column < 8; column++)
    idct8 (block + column, 8);
  for (size_t row = 0; row < 8; row++) {
    for (size_t column = 0; column < 8; column++) {
      uint8_t *sample = samples + row * stride_bytes + column;
      const int32_t value = *sample + ((block[row * 8 + column] + 16) >> 5);

      *sample = (uint8_t) (value < 0 ? 0 : value > 255 ? 255 : value);
    }
  }
}
