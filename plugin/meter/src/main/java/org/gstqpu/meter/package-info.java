/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** How close a video comes to its reference, as the element qpumeter and {@code qpu measure} say it: models of VMAF, and figures by name. */
package org.gstqpu.meter;
