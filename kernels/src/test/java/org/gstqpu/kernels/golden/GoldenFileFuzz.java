/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** Files of golden vectors that anyone may have written: each is verified, or refused as wrong or unknown. */
public final class GoldenFileFuzz {
    private static final FilterContext CONTEXT = context();

    private GoldenFileFuzz() {}

    private static FilterContext context() {
        try {
            // Without workers: nobody closes it.
            return Substrates.open(SubstrateRequest.of(Substrate.CPU).withThreads(1));
        } catch (SubstrateUnavailableException e) {
            throw new IllegalStateException(e);
        }
    }

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
                new GoldenVerifier(CONTEXT).verify(GoldenFile.read(file));
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
