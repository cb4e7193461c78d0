/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

import java.util.Objects;

/** A picture that always has the same memory and layout. Immutable. */
record PlacedPicture(PictureMemory memory, PictureLayout layout) implements Picture {
    PlacedPicture {
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(layout, "layout");
    }
}
