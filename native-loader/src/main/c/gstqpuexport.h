/*
 * What the library exports besides GStreamer's plugin symbols: the functions that Java calls.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

/* Marks a function that Java calls. */
#define GST_QPU_FOR_JAVA __attribute__ ((visibility ("default")))
