/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

/** Types of values in a golden file. All are little-endian. */
enum GoldenType {
    U8(1),
    I8(1),
    U16(2),
    I16(2),
    U32(4);

    private final int bytes;

    GoldenType(int bytes) {
        this.bytes = bytes;
    }

    int bytes() {
        return bytes;
    }

    static GoldenType of(GoldenHeader header) throws GoldenFormatException {
        String type = header.text("type");
        return switch (type) {
            case "u8" -> U8;
            case "i8" -> I8;
            case "u16" -> U16;
            case "i16" -> I16;
            case "u32" -> U32;
            default -> throw new GoldenFormatException(header.file(), "unknown type '" + type + "' in its header");
        };
    }

    long get(byte[] data, int offset) {
        return switch (this) {
            case U8 -> data[offset] & 0xff;
            case I8 -> data[offset];
            case U16 -> unsigned16(data, offset);
            case I16 -> (short) unsigned16(data, offset);
            case U32 -> (unsigned16(data, offset) | (long) unsigned16(data, offset + 2) << 16);
        };
    }

    private static int unsigned16(byte[] data, int offset) {
        return (data[offset] & 0xff) | (data[offset + 1] & 0xff) << 8;
    }
}
