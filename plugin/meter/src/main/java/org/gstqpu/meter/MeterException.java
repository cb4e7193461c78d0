/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

/** Thrown if a meter cannot go on; becomes an element error. The message is one line with cause and cure. */
final class MeterException extends Exception {
    private static final long serialVersionUID = 1;

    /** The GError domains (1 library, 2 resource, 3 stream) and codes that are used here. */
    enum Kind {
        /** GST_LIBRARY_ERROR_FAILED: a fault in this element. */
        FAULT(1, 1),
        /** GST_LIBRARY_ERROR_SETTINGS: a property has an invalid value. */
        SETTINGS(1, 5),
        /** GST_RESOURCE_ERROR_FAILED: the device failed, or a picture would be copied. */
        DEVICE_FAILED(2, 1),
        /** GST_RESOURCE_ERROR_NOT_FOUND: the substrate or the device is missing. */
        NOT_FOUND(2, 3),
        /** GST_RESOURCE_ERROR_WRITE: the file of results cannot be written. */
        WRITE(2, 10),
        /** GST_STREAM_ERROR_FORMAT: the pictures cannot be measured. */
        FORMAT(3, 11);

        private final int domain;
        private final int code;

        Kind(int domain, int code) {
            this.domain = domain;
            this.code = code;
        }

        int domain() {
            return domain;
        }

        int code() {
            return code;
        }
    }

    private final Kind kind;

    MeterException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    MeterException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }
}
