/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A golden file of one picture before and after a filter. Immutable. */
public final class GoldenPicture implements GoldenFile {
    private static final class Section {
        private final GoldenType type;
        private final int width;
        private final int height;
        private final byte[] data;

        Section(GoldenType type, int width, int height, byte[] data) {
            this.type = type;
            this.width = width;
            this.height = height;
            this.data = data;
        }
    }

    private final String name;
    private final String kernel;
    private final GoldenHeader header;
    private final Map<String, Section> sections;
    private final boolean normative;

    private GoldenPicture(
            String name, String kernel, GoldenHeader header, Map<String, Section> sections, boolean normative) {
        this.name = name;
        this.kernel = kernel;
        this.header = header;
        this.sections = sections;
        this.normative = normative;
    }

    static GoldenPicture read(GoldenHeader header, InputStream in) throws IOException, GoldenFormatException {
        String kernel = header.text("kernel");
        Map<String, Section> sections = new LinkedHashMap<>();
        for (GoldenHeader section : header.objects("sections")) {
            sections.put(section.text("name"), readSection(section, in));
        }
        return new GoldenPicture(header.file(), kernel, header, sections, header.flag("normative", true));
    }

    private static Section readSection(GoldenHeader section, InputStream in) throws IOException, GoldenFormatException {
        String name = section.text("name");
        // Only planes and maps have a known type here. A list of operations has element types of its own.
        boolean plane = section.has("width");
        GoldenType type = plane ? GoldenType.of(section) : GoldenType.U8;
        int width = plane ? section.positive("width", 1 << 15) : 0;
        int height = plane ? section.positive("height", 1 << 15) : 0;
        int bytes = section.positive("bytes", 1 << 30);
        if (plane && bytes != (long) width * height * type.bytes()) {
            throw new GoldenFormatException(
                    section.file(),
                    "section '" + name + "' is " + width + "x" + height + " " + type + " in " + bytes + " bytes");
        }
        byte[] data = in.readNBytes(bytes);
        if (data.length < bytes) {
            throw new EOFException();
        }
        String announced = section.text("md5").toLowerCase(Locale.ROOT);
        String found = HexFormat.of().formatHex(md5().digest(data));
        if (!found.equals(announced)) {
            throw new GoldenFormatException(
                    section.file(), "section '" + name + "' has MD5 " + found + ", its header says " + announced);
        }
        return new Section(type, width, height, data);
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has MD5", e);
        }
    }

    @Override
    public boolean isNormative() {
        return normative;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String kernel() {
        return kernel;
    }

    GoldenHeader header() {
        return header;
    }

    /** True if the file has a plane, map or list of operations of this name. */
    public boolean has(String section) {
        return sections.containsKey(section);
    }

    /** Number of values in a row of a plane or map. */
    public int width(String section) {
        return section(section).width;
    }

    /** Number of rows of a plane or map. */
    public int height(String section) {
        return section(section).height;
    }

    /** The bytes of a section, little-endian and read only. */
    ByteBuffer bytes(String section) {
        return ByteBuffer.wrap(section(section).data).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The value in column {@code x} and row {@code y} of a plane or map. */
    public int value(String section, int x, int y) {
        Section found = section(section);
        if (x < 0 || x >= found.width || y < 0 || y >= found.height) {
            throw new IndexOutOfBoundsException(
                    "(" + x + ", " + y + ") in '" + section + "' of " + found.width + "x" + found.height);
        }
        return (int) found.type.get(found.data, (y * found.width + x) * found.type.bytes());
    }

    private Section section(String name) {
        Section found = sections.get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    this.name + " has the sections " + sections.keySet() + ", no '" + name + "'");
        }
        return found;
    }
}
