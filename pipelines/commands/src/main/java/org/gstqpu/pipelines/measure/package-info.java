/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** How close videos come to their references. */
package org.gstqpu.pipelines.measure;
