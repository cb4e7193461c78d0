/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which memory of this process is mapped from files, those in memory included: another program can make a file shorter, and who then
 * touches its end dies of a bus error. Holds no state; any thread.
 */
final class FileMappings {
    /** In the order of addresses; see proc_pid_maps(5). Names of files may have any bytes. */
    private static final Path MAPS = Path.of("/proc/self/maps");

    /** What stands before the name of the file: addresses, permissions, offset, device and inode. */
    private static final int INODE = 4;

    private static final String NO_FILE = "0";

    private FileMappings() {}

    /**
     * True if a part of that memory is mapped from a file.
     *
     * @throws IOException if that cannot be told
     */
    static boolean hold(long address, long sizeBytes) throws IOException {
        try (BufferedReader maps = Files.newBufferedReader(MAPS, StandardCharsets.ISO_8859_1)) {
            for (String line = maps.readLine(); line != null; line = maps.readLine()) {
                int dash = line.indexOf('-');
                int end = line.indexOf(' ');
                if (Long.compareUnsigned(Long.parseUnsignedLong(line, 0, dash, 16), address + sizeBytes) >= 0) {
                    return false;
                }
                boolean reaches = Long.compareUnsigned(Long.parseUnsignedLong(line, dash + 1, end, 16), address) > 0;
                if (reaches && !line.split(" +", INODE + 2)[INODE].equals(NO_FILE)) {
                    return true;
                }
            }
            return false;
        }
    }
}
