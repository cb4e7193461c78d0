/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
            JsonObject json = parse(name, headerLine(name, in));
            GoldenHeader header = new GoldenHeader(name, json);
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

    private static String headerLine(String name, InputStream in) throws IOException, GoldenFormatException {
        final int limitBytes = 1 << 20;
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new GoldenFormatException(name, "it ends before its header line does");
            }
            if (line.size() == limitBytes) {
                throw new GoldenFormatException(name, "no header line in its first " + limitBytes + " bytes");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static JsonObject parse(String name, String line) throws GoldenFormatException {
        Gson gson = new GsonBuilder().setStrictness(Strictness.STRICT).create();
        try {
            JsonObject json = gson.fromJson(line, JsonObject.class);
            if (json == null) {
                throw new GoldenFormatException(name, "its header line is empty");
            }
            return json;
        } catch (JsonParseException e) {
            throw new GoldenFormatException(name, "its header line is not a JSON object", e);
        }
    }
}
