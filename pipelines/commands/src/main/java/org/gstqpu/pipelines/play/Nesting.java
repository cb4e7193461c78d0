/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.nio.ByteBuffer;

/** How deep parts of a file lie within each other. Stateless. */
final class Nesting {
    /** No writer of films needs a tenth of it, and GStreamer's readers have stack for hundreds of times as many. */
    static final int MOST_DEPTH = 256;

    private Nesting() {}

    /** How the next part of a file is found. */
    interface Parts {
        /**
         * Reads the beginning of the part at the buffer's position.
         *
         * @return where it ends, if parts may be in it, and the position is where they begin; else -1, and the position is behind it
         */
        int next(ByteBuffer bytes);
    }

    /** Whether parts lie too deep within each other. Parts that are longer than those around them are not taken for parts. */
    static boolean isDeep(ByteBuffer bytes, Parts parts) {
        int[] ends = new int[MOST_DEPTH];
        int depth = 0;
        while (bytes.hasRemaining()) {
            while (depth > 0 && bytes.position() >= ends[depth - 1]) {
                depth--;
            }
            int end = parts.next(bytes);
            if (end >= 0 && end <= (depth > 0 ? ends[depth - 1] : bytes.limit())) {
                if (depth == MOST_DEPTH) {
                    return true;
                }
                ends[depth++] = end;
            }
        }
        return false;
    }
}
