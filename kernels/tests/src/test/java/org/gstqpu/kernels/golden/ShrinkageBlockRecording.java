/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.gstqpu.kernels.ReferenceShrinkage;

/** The golden records of shrinkage of single blocks, which {@link ReferenceShrinkage} gives. */
final class ShrinkageBlockRecording {
    static final String FILE = "shrinkage8x8.gv.gz";

    private static final int RECORDS = 300;
    private static final int RECORD_BYTES = 2 + 1 + 1 + 128 + 128;
    private static final int LARGEST_SAMPLE = 1023;
    private static final int LARGEST_THRESHOLD = 3072;

    private ShrinkageBlockRecording() {}

    /** The file's content before compression. */
    static byte[] record() {
        byte[] header = ("{\"format\":\"gv1\",\"kernel\":\"shrinkage8x8\",\"records\":" + RECORDS + ",\"record_bytes\":"
                        + RECORD_BYTES + ",\"fields\":[{\"name\":\"threshold\",\"type\":\"u16\"},"
                        + "{\"name\":\"weight\",\"type\":\"u8\"},{\"name\":\"kind\",\"type\":\"u8\"},"
                        + "{\"name\":\"in\",\"type\":\"i16\",\"count\":64},"
                        + "{\"name\":\"out\",\"type\":\"i16\",\"count\":64}]}\n")
                .getBytes(StandardCharsets.UTF_8);
        ByteBuffer file =
                ByteBuffer.allocate(header.length + RECORDS * RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        file.put(header);
        Random random = new Random(1);
        for (int i = 0; i < RECORDS; i++) {
            int kind = i % 6;
            int[][] block = block(random, kind);
            int threshold = i % 10 == 9 ? LARGEST_THRESHOLD : random.nextInt(kind < 2 ? 300 : LARGEST_THRESHOLD);
            file.putShort((short) threshold);
            int weightAt = file.position();
            file.put((byte) 0).put((byte) kind);
            put(file, block);
            file.put(weightAt, (byte) ReferenceShrinkage.shrinkBlock(block, threshold));
            put(file, block);
        }
        return file.array();
    }

    private static void put(ByteBuffer file, int[][] block) {
        for (int[] row : block) {
            for (int number : row) {
                file.putShort((short) number);
            }
        }
    }

    /** The kinds are those of the README beside the files. */
    private static int[][] block(Random random, int kind) {
        int mean = random.nextInt(256);
        int step = random.nextInt(60);
        int[][] block = new int[8][8];
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 8; j++) {
                block[i][j] = switch (kind) {
                    case 0 -> Math.min(255, mean + random.nextInt(12) + (i + j < 7 ? step : 0));
                    case 1 -> random.nextInt(61) - 30;
                    case 2 -> random.nextInt(LARGEST_SAMPLE + 1);
                    case 3 -> random.nextInt(2 * LARGEST_SAMPLE + 1) - LARGEST_SAMPLE;
                    case 4 -> random.nextBoolean() ? LARGEST_SAMPLE : -LARGEST_SAMPLE;
                    default -> i == mean % 8 && j == mean / 8 % 8 ? 4 * mean : 0;
                };
            }
        }
        return block;
    }
}
