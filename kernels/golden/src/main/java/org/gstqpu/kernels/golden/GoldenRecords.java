/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** A golden file of records. Each record holds the inputs and the result of one block or edge. Immutable. */
public final class GoldenRecords implements GoldenFile {
    private record Field(int offset, GoldenType type, int count) {}

    private final String name;
    private final String kernel;
    private final GoldenHeader header;
    private final int records;
    private final int recordBytes;
    private final Map<String, Field> fields;
    private final byte[] data;
    private final boolean normative;

    private GoldenRecords(
            String name,
            String kernel,
            GoldenHeader header,
            int records,
            int recordBytes,
            Map<String, Field> fields,
            byte[] data,
            boolean normative) {
        this.name = name;
        this.kernel = kernel;
        this.header = header;
        this.records = records;
        this.recordBytes = recordBytes;
        this.fields = fields;
        this.data = data;
        this.normative = normative;
    }

    static GoldenRecords read(GoldenHeader header, InputStream in) throws IOException, GoldenFormatException {
        String kernel = header.text("kernel");
        int records = header.positive("records", 1 << 24);
        int recordBytes = header.positive("record_bytes", 1 << 16);
        Map<String, Field> fields = new LinkedHashMap<>();
        int offset = 0;
        for (GoldenHeader field : header.objects("fields")) {
            GoldenType type = GoldenType.of(field);
            int count = field.has("count") ? field.positive("count", 1 << 16) : 1;
            fields.put(field.text("name"), new Field(offset, type, count));
            offset += type.bytes() * count;
            if (offset > recordBytes) {
                break;
            }
        }
        if (offset != recordBytes) {
            throw new GoldenFormatException(
                    header.file(), "its fields do not fill the " + recordBytes + " bytes of a record");
        }
        long bytes = (long) records * recordBytes;
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new GoldenFormatException(header.file(), "its " + bytes + " bytes of records are too many");
        }
        byte[] data = in.readNBytes((int) bytes);
        if (data.length < bytes) {
            throw new EOFException();
        }
        return new GoldenRecords(
                header.file(), kernel, header, records, recordBytes, fields, data, header.flag("normative", true));
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

    /** Number of records. */
    public int records() {
        return records;
    }

    /** Number of values that a field has in each record. */
    public int count(String field) {
        return field(field).count();
    }

    /** The first, or only, value of a field of a record. */
    public long value(int record, String field) {
        return value(record, field, 0);
    }

    /** A value of a field of a record. Values of unsigned types are not negative. */
    public long value(int record, String field, int index) {
        Field found = field(field);
        if (record < 0 || record >= records || index < 0 || index >= found.count()) {
            throw new IndexOutOfBoundsException("record " + record + " of " + records + ", value " + index + " of "
                    + found.count() + " in '" + field + "'");
        }
        return found.type()
                .get(
                        data,
                        record * recordBytes
                                + found.offset()
                                + index * found.type().bytes());
    }

    private Field field(String name) {
        Field found = fields.get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    this.name + " has the fields " + fields.keySet() + ", no '" + name + "'");
        }
        return found;
    }
}
