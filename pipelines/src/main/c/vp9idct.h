/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_QPU_VP9IDCT_H
#define GST_QPU_VP9IDCT_H

#include <stddef.h>
#include <stdint.h>

/*
 * VP9 inverse DCT 8x8 (VP9 specification, 8.7.1 and 8.7.2) added to the prediction, 8 bit.
 * coefficients: i16[64], [v * 8 + u], u = horizontal frequency. samples: 8 rows of 8, changed in place.
 */
void vp9_idct8x8_add (const int16_t *coefficients, uint8_t *samples,
    size_t stride_bytes);

#endif
