/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Transcodes many files, on one machine or on many that share a folder: a plan, its state in files, and the workers. */
package org.gstqpu.pipelines.batch;
