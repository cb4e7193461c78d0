/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

/** What an element asks of the GStreamer object that it belongs to. Any thread; nothing is kept of the arguments. */
interface ElementHost {
    /** Posts an element error: {@code text} is one line with cause and cure, {@code debug} more of it or null. */
    void error(ErrorCode code, String text, String debug);

    /** Posts an element warning, as {@link #error}. */
    void warning(ErrorCode code, String text);

    /** Whether lines of this level are written at all. */
    boolean logs(LogLevel level);

    /** Writes a line to the debug category. */
    void log(LogLevel level, String line);

    /** Lets buffers through unfiltered, or no longer, from the next buffer on. */
    void setPassthrough(boolean passthrough);

    /**
     * Says what the substrate that was opened does; called before caps come.
     *
     * @param importsDmabufs whether dmabufs may be negotiated as input
     * @param worksAlone whether pictures can be under way without the calling thread
     */
    void describeDevice(boolean importsDmabufs, boolean worksAlone);

    /** GStreamer's debug levels (GstDebugLevel) that are used here. */
    enum LogLevel {
        /** Something is not as it should be, the stream goes on. */
        WARNING(2),
        /** Happens once a stream. */
        INFO(4),
        /** Happens at each change. */
        DEBUG(5);

        private final int number;

        LogLevel(int number) {
            this.number = number;
        }

        /** GstDebugLevel. */
        int number() {
            return number;
        }
    }

    /** The GError domains and codes that are used here. */
    enum ErrorCode {
        /** GST_LIBRARY_ERROR_FAILED: this element has a fault. */
        LIBRARY_FAILED(1, 1),
        /** GST_LIBRARY_ERROR_SETTINGS: a property has a value that means nothing. */
        LIBRARY_SETTINGS(1, 5),
        /** GST_RESOURCE_ERROR_FAILED: the device failed. */
        RESOURCE_FAILED(2, 1),
        /** GST_RESOURCE_ERROR_NOT_FOUND: the substrate or device asked for is not there. */
        RESOURCE_NOT_FOUND(2, 3),
        /** GST_STREAM_ERROR_NOT_IMPLEMENTED: the format is not filtered (wholly). */
        STREAM_NOT_IMPLEMENTED(3, 3),
        /** GST_STREAM_ERROR_FORMAT: a buffer does not hold what its caps say. */
        STREAM_FORMAT(3, 11);

        private final int domain;
        private final int code;

        ErrorCode(int domain, int code) {
            this.domain = domain;
            this.code = code;
        }

        /** 0 core, 1 library, 2 resource, 3 stream. */
        int domain() {
            return domain;
        }

        /** The code in that domain's enum. */
        int code() {
            return code;
        }
    }
}
