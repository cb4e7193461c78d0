/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.cpu.block.CpuBlockContext;

/** Files of golden vectors that anyone may have written: each is verified, or refused as wrong or unknown. */
public final class GoldenFileFuzz {
    /** Without workers: nobody closes what it runs on. */
    private static final GoldenVerifier VERIFIER =
            new GoldenVerifier(new CpuFilterContext(1, "fuzzing"), new CpuBlockContext(1, "fuzzing"));

    private GoldenFileFuzz() {}

    /**
     * Verifies one file.
     *
     * @param data a file; one that is not gzip is compressed first, so that the fuzzer gets past the compression
     */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        Path file = Files.createTempFile("fuzz", ".gz");
        try {
            if (data.length > 1 && data[0] == 0x1f && data[1] == (byte) 0x8b) {
                Files.write(file, data);
            } else {
                try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
                    out.write(data);
                }
            }
            try {
                VERIFIER.verify(GoldenFile.read(file));
            } catch (GoldenFormatException | GoldenUnsupportedException e) {
                if (e.getMessage().indexOf('\n') >= 0) {
                    throw new IllegalStateException("more than one line", e);
                }
            }
        } finally {
            Files.delete(file);
        }
    }
}
