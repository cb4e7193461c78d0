/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

/** The GStreamer object that an element belongs to. Any thread; the object keeps no argument. */
interface ElementHost {
    /** Posts an element error. {@code text} is one line with cause and cure; {@code debug} has details, or is null. */
    void error(ErrorCode code, String text, String debug);

    /** Posts an element warning. {@code text} is one line with cause and cure. */
    void warning(ErrorCode code, String text);

    /** Posts an element info message. {@code text} is one line. */
    void info(ErrorCode code, String text);

    /** True if the debug category writes lines of this level. */
    boolean logs(LogLevel level);

    /** Writes a line to the debug category. */
    void log(LogLevel level, String line);

    /** From the next buffer on, passes buffers through unfiltered, or filters them again. */
    void setPassthrough(boolean passthrough);

    /** From the next buffer on, pictures wait for so many after them. */
    void setLookAhead(int pictures);

    /**
     * Describes the open substrate. Called before caps are negotiated.
     *
     * @param importsDmabufs true if dmabufs may be negotiated as input
     * @param worksAlone true if the substrate works on pictures while the streaming thread does something else
     */
    void describeDevice(boolean importsDmabufs, boolean worksAlone);

    /**
     * Posts a QoS message for the picture that begins: from this one on, pictures are filtered at another step.
     *
     * @param lateNanos by how much a picture was late
     * @param step 0 if pictures are filtered as the settings say, up to {@code steps}
     * @param steps how many steps there are
     * @param frames number of pictures that were filtered
     */
    void degraded(long lateNanos, int step, int steps, long frames);

    /** GStreamer's debug levels (GstDebugLevel) that are used here. */
    enum LogLevel {
        /** A fault after which the stream goes on. */
        WARNING(2),
        /** An event that happens once a stream. */
        INFO(4),
        /** An event that happens with each change. */
        DEBUG(5);

        private final int number;

        LogLevel(int number) {
            this.number = number;
        }

        /** The number of this level in GstDebugLevel. */
        int number() {
            return number;
        }
    }

    /** The GError domains and codes that are used here. */
    enum ErrorCode {
        /** GST_LIBRARY_ERROR_FAILED: a fault in this element. */
        LIBRARY_FAILED(1, 1),
        /** GST_LIBRARY_ERROR_SETTINGS: a property has an invalid value. */
        LIBRARY_SETTINGS(1, 5),
        /** GST_RESOURCE_ERROR_FAILED: the device failed. */
        RESOURCE_FAILED(2, 1),
        /** GST_RESOURCE_ERROR_NOT_FOUND: the requested substrate or device is missing. */
        RESOURCE_NOT_FOUND(2, 3),
        /** GST_STREAM_ERROR_NOT_IMPLEMENTED: the format cannot be filtered. */
        STREAM_NOT_IMPLEMENTED(3, 3),
        /** GST_STREAM_ERROR_FORMAT: a buffer does not hold what its caps say. */
        STREAM_FORMAT(3, 11);

        private final int domain;
        private final int code;

        ErrorCode(int domain, int code) {
            this.domain = domain;
            this.code = code;
        }

        /** The domain: 0 core, 1 library, 2 resource, 3 stream. */
        int domain() {
            return domain;
        }

        /** The code in the enum of the domain. */
        int code() {
            return code;
        }
    }
}
