/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** The commands {@code qpu play}, {@code qpu transcode} and {@code qpu list}, and the ready pipelines. */
package org.gstqpu.pipelines.play;
