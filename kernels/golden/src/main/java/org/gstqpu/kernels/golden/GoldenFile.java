/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** A file of golden vectors, read whole into memory. Immutable. */
public sealed interface GoldenFile permits GoldenRecords, GoldenPicture {
    /** Name of the file, without its folder. */
    String name();

    /** The kernel whose results the file holds, as the file names it. */
    String kernel();

    /**
     * True if a result that differs is wrong. False for files that only inform, such as blocks that no conforming
     * stream has.
     */
    boolean isNormative();

    /**
     * Reads and checks a file.
     *
     * @throws IOException if the file cannot be read
     * @throws GoldenFormatException if the file is not gzip, is damaged or cut short, or has an unknown format
     */
    static GoldenFile read(Path path) throws IOException, GoldenFormatException {
        String name = String.valueOf(path.getFileName());
        try (InputStream file = new BufferedInputStream(Files.newInputStream(path));
                InputStream in = open(name, file)) {
            GoldenHeader header = GoldenHeader.read(name, in);
            String format = header.text("format");
            GoldenFile golden = switch (format) {
                case "gv1" -> GoldenRecords.read(header, in);
                case "gvp1" -> GoldenPicture.read(header, in);
                default -> throw new GoldenFormatException(name, "unknown format '" + format + "'");
            };
            if (in.read() >= 0) {
                throw new GoldenFormatException(name, "it goes on after the last byte that its header announces");
            }
            return golden;
        } catch (EOFException e) {
            throw new GoldenFormatException(name, "the file is cut short", e);
        } catch (ZipException e) {
            throw new GoldenFormatException(name, "the gzip data is damaged: " + e.getMessage(), e);
        }
    }

    private static InputStream open(String name, InputStream file) throws IOException, GoldenFormatException {
        file.mark(2);
        byte[] magic = file.readNBytes(2);
        file.reset();
        if (magic.length < 2 || magic[0] != 0x1f || magic[1] != (byte) 0x8b) {
            throw new GoldenFormatException(name, "not a gzip file");
        }
        return new BufferedInputStream(new GZIPInputStream(file));
    }
}
