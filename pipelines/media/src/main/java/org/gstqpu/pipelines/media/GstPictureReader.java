/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Owns a stream of I420 pictures in the default layout of GStreamer's gst_video_info: rows are padded to a multiple of 4 bytes, and
 * chroma is computed for an even number of rows and columns of luma. GStreamer's y4menc is not used, because version 1.22 writes
 * this padding into YUV4MPEG2 files, which must not have it. Belongs to one thread.
 */
final class GstPictureReader implements PictureStream {
    private final InputStream in;
    private final byte[] padding = new byte[4];

    /** Takes ownership of the stream. */
    GstPictureReader(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 20);
    }

    @Override
    public boolean read(I420Picture picture) throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            return false;
        }
        in.reset();
        for (int plane = 0; plane < 3; plane++) {
            int samples = picture.rowSamples(plane);
            int strideBytes = (samples + 3) / 4 * 4;
            // If the height is odd, luma has a padding row, so that its number of rows is even.
            int rows = plane == 0 ? (picture.height() + 1) / 2 * 2 : picture.rows(plane);
            for (int row = 0; row < rows; row++) {
                boolean inPicture = row < picture.rows(plane);
                read(inPicture ? picture.plane(plane) : new byte[samples], inPicture ? row * samples : 0, samples);
                read(padding, 0, strideBytes - samples);
            }
        }
        return true;
    }

    private void read(byte[] into, int at, int count) throws IOException {
        if (in.readNBytes(into, at, count) < count) {
            throw new EOFException("it ends within a picture");
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
