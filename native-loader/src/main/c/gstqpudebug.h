/*
 * The debug category qpuloopfilter, made by plugin_init.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

GST_DEBUG_CATEGORY_EXTERN (gst_qpu_loop_filter_debug);
#define GST_CAT_DEFAULT gst_qpu_loop_filter_debug
