/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** The command {@code qpu doctor}. */
package org.gstqpu.pipelines.doctor;
