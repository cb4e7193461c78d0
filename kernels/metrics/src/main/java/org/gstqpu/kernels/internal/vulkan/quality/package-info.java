/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Quality metrics on the device. */
package org.gstqpu.kernels.internal.vulkan.quality;
