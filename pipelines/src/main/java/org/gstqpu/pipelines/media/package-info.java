/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Pictures and videos as the commands read, write and measure them. */
package org.gstqpu.pipelines.media;
