/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which GStreamer the tests run with. */
final class GstVersion {
    private static final Pattern VERSION = Pattern.compile("GStreamer (\\d+)\\.(\\d+)\\.");

    private GstVersion() {}

    /** Whether it has format=DMA_DRM: 1.24 and newer. */
    static boolean hasDmaDrm() {
        String output = new GstProcess("gst-inspect-1.0", "--version").run().output();
        Matcher version = VERSION.matcher(output);
        assertTrue(version.find(), output);
        return Integer.parseInt(version.group(1)) > 1 || Integer.parseInt(version.group(2)) >= 24;
    }
}
