/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.zip.CRC32;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.row.Row;
import org.gstqpu.kernels.picture.PixelFormat;

/** Cache files that anyone may have written: each is read, or ignored. */
public final class KernelRecordFuzz {
    private static final String NAME = "kernels.txt";
    private static final int MARK = 0x31_50_51_47;

    private KernelRecordFuzz() {}

    /**
     * Reads one file.
     *
     * @param data a file as it is if its first byte is even; otherwise the rest gets the header and the checksum of a file
     */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        Path folder = Files.createTempDirectory("fuzz");
        try {
            byte[] file = data;
            if (data.length > 0 && data[0] % 2 != 0) {
                CRC32 crc = new CRC32();
                crc.update(data, 1, data.length - 1);
                file = ByteBuffer.allocate(data.length + 7)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(MARK)
                        .putInt((int) crc.getValue())
                        .put(data, 1, data.length - 1)
                        .array();
            }
            Files.write(folder.resolve(NAME), file);
            KernelRecord record =
                    new KernelRecord("header\n", Optional.of(new CacheFile(folder, NAME)), InstantSource.system());
            for (RowFilter kernel : Row.FILTERS) {
                Optional<KernelRecord.Winner> found = record.find(kernel, PixelFormat.I420);
                record.add(kernel, PixelFormat.I420, KernelRecord.Winner.PLAIN);
                if (found.isPresent() && !record.find(kernel, PixelFormat.I420).equals(found)) {
                    throw new IllegalStateException(found + " was lost");
                }
            }
        } finally {
            Files.deleteIfExists(folder.resolve(NAME));
            Files.delete(folder);
        }
    }
}
