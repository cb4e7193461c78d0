/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import java.io.IOException;

/** A stream of pictures of one size. */
interface PictureStream extends AutoCloseable {
    /**
     * Reads the next picture.
     *
     * @return false at the end; the picture is then unchanged
     * @throws IOException when the stream ends within a picture
     */
    boolean read(I420Picture picture) throws IOException;

    @Override
    void close() throws IOException;
}
