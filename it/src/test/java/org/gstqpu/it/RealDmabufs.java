/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Decides where the tests with the tag {@value #TAG} run. They need a kernel that makes dmabufs of ordinary memory. If this kernel does,
 * they run here; else they run inside the rig, which {@link RigIT} starts. The test platform finds this filter as a service.
 */
public final class RealDmabufs implements PostDiscoveryFilter {
    /** Tag of a test that needs {@code /dev/udmabuf}. */
    static final String TAG = "dmabuf";

    /** Tag of the test that runs the tests with {@link #TAG} in the rig. */
    static final String RIG_TAG = "rig";

    /** True if this kernel makes dmabufs for this user. */
    static boolean areHere() {
        Path device = Path.of("/dev/udmabuf");
        return Files.isReadable(device) && Files.isWritable(device);
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        String unwanted = areHere() ? RIG_TAG : TAG;
        return FilterResult.includedIf(
                !test.getTags().contains(TestTag.create(unwanted)),
                () -> "wanted",
                () -> areHere() ? "/dev/udmabuf can be used here" : "/dev/udmabuf cannot be used here");
    }
}
