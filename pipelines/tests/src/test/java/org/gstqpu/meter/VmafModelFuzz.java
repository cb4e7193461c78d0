/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.gstqpu.kernels.quality.VmafModel;

/** Models of VMAF that anyone may have written: each gives a score, or is refused in one line. */
public final class VmafModelFuzz {
    private VmafModelFuzz() {}

    /**
     * Reads one model.
     *
     * @param data its text
     */
    public static void fuzzerTestOneInput(byte[] data) {
        try {
            VmafModel model = VmafModels.read("fuzz", new StringReader(new String(data, StandardCharsets.UTF_8)));
            for (double feature : new double[] {0, 0.9, 100}) {
                double[] values = new double[model.features().size()];
                Arrays.fill(values, feature);
                if (Double.isNaN(model.score(values))) {
                    throw new IllegalStateException("no score");
                }
            }
        } catch (VmafModelException e) {
            if (e.getMessage().lines().count() != 1) {
                throw new IllegalStateException("not one line", e);
            }
        }
    }
}
