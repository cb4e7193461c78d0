/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Reading, writing and measuring of pictures and videos. */
package org.gstqpu.pipelines.media;
