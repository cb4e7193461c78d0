/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** What the stages of a picture's way have in common, on a device and on the CPU, and what they are given. */
package org.gstqpu.kernels.internal.stage;
