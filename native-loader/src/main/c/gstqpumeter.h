/*
 * The element qpumeter: takes a reference and a distorted video, passes the distorted one on unchanged, and says how close it comes
 * to the reference.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/base/gstaggregator.h>

G_BEGIN_DECLS

#define GST_TYPE_QPU_METER (gst_qpu_meter_get_type ())
G_DECLARE_FINAL_TYPE (GstQpuMeter, gst_qpu_meter, GST, QPU_METER, GstAggregator)

G_END_DECLS
