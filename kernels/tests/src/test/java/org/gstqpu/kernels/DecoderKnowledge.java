/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memAlloc;
import static org.lwjgl.system.MemoryUtil.memFree;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.gstqpu.kernels.filter.H264MacroblockMaps;
import org.gstqpu.kernels.filter.H264Tables;

/**
 * What a decoder might know of a picture's macroblocks, at random: as the maps that it would hand over, and as strengths that
 * are looked up here line by line in the words of ITU-T H.264, 8.7. Owns the maps' memory.
 */
public final class DecoderKnowledge implements ReferenceDeblock.Strengths, AutoCloseable {
    private static final int PCM_QP = 0;

    private final int columns;
    private final int rows;
    private final int[] qp;
    private final int[] slice;
    private final int[] transform8x8;
    private final boolean[] intra;
    private final int[] innerBs;
    private final int[][] slices;
    private final int cbOffset;
    private final int crOffset;
    private final boolean uniformQp;
    private final boolean bsKnown;
    private final boolean transformsKnown;
    private final boolean tableKnown;
    private final boolean slicesKnown;
    private final List<ByteBuffer> memory = new ArrayList<>();

    /** Random, for pictures of this size. */
    public DecoderKnowledge(Random random, int width, int height) {
        columns = (width + 15) / 16;
        rows = (height + 15) / 16;
        uniformQp = random.nextInt(4) == 0;
        bsKnown = random.nextInt(4) > 0;
        transformsKnown = random.nextBoolean();
        slicesKnown = random.nextInt(3) > 0;
        tableKnown = random.nextBoolean();
        cbOffset = random.nextInt(25) - 12;
        crOffset = random.nextInt(3) == 0 ? cbOffset : random.nextInt(25) - 12;
        int macroblocks = columns * rows;
        qp = new int[macroblocks];
        slice = new int[macroblocks];
        transform8x8 = new int[macroblocks];
        intra = new boolean[macroblocks];
        innerBs = new int[macroblocks * 32];
        slices = new int[1 + random.nextInt(300)][];
        int[] common = randomSlice(random);
        for (int i = 0; i < slices.length; i++) {
            slices[i] = tableKnown ? randomSlice(random) : common;
        }
        int usual = 15 + random.nextInt(37);
        int current = 0;
        for (int i = 0; i < macroblocks; i++) {
            int own = random.nextInt(20) == 0 ? PCM_QP : Math.min(51, usual + random.nextInt(7) - 3);
            qp[i] = uniformQp ? usual : own;
            current = random.nextInt(4) == 0 ? random.nextInt(slices.length) : current;
            slice[i] = slicesKnown ? current : 0;
            transform8x8[i] = transformsKnown ? random.nextInt(2) : 0;
            intra[i] = random.nextInt(3) == 0;
            for (int j = 0; j < 32; j++) {
                innerBs[32 * i + j] = random.nextInt(4);
            }
        }
    }

    private static int[] randomSlice(Random random) {
        return new int[] {random.nextInt(13) - 6, random.nextInt(13) - 6, Math.max(0, random.nextInt(5) - 2)};
    }

    /** The maps, valid until {@link #close}. */
    public H264MacroblockMaps maps() {
        H264MacroblockMaps maps = new H264MacroblockMaps();
        maps.reset();
        maps.chromaQpIndexOffsets(cbOffset, crOffset);
        if (uniformQp) {
            maps.qp(qp[0]);
        } else {
            ByteBuffer map = bytes(qp.length);
            for (int value : qp) {
                map.put((byte) value);
            }
            maps.qpMap(memAddress(map, 0), map.capacity());
        }
        if (transformsKnown) {
            ByteBuffer map = bytes(qp.length);
            for (int value : transform8x8) {
                map.put((byte) value);
            }
            maps.transform8x8Map(memAddress(map, 0), map.capacity());
        }
        if (slicesKnown) {
            ByteBuffer map = bytes(2 * qp.length);
            for (int value : slice) {
                map.put((byte) value).put((byte) (value >> 8));
            }
            maps.sliceMap(memAddress(map, 0), map.capacity());
        }
        if (tableKnown) {
            ByteBuffer table = bytes(3 * slices.length);
            for (int[] one : slices) {
                table.put((byte) one[0]).put((byte) one[1]).put((byte) one[2]);
            }
            maps.sliceTable(memAddress(table, 0), table.capacity());
        } else {
            maps.slice(slices[0][0], slices[0][1], slices[0][2]);
        }
        if (bsKnown) {
            ByteBuffer map = bytes(32 * qp.length);
            for (int i = 0; i < qp.length; i++) {
                for (int j = 0; j < 32; j++) {
                    map.put((byte) macroblockBs(i, j >= 16, j / 4 % 4, j % 4));
                }
            }
            maps.bsMap(memAddress(map, 0), map.capacity());
        }
        return maps;
    }

    private ByteBuffer bytes(int size) {
        ByteBuffer bytes = memAlloc(size);
        memory.add(bytes);
        return bytes;
    }

    private int macroblockBs(int macroblock, boolean horizontal, int edge, int part) {
        if (!bsKnown) {
            return edge == 0 ? 4 : 3;
        }
        if (edge == 0) {
            int before = horizontal ? macroblock - columns : macroblock - 1;
            boolean strong = intra[macroblock] || (before >= 0 && intra[before]);
            if (strong) {
                return 4;
            }
        }
        return innerBs[32 * macroblock + (horizontal ? 16 : 0) + 4 * edge + part];
    }

    private int macroblock(int component, boolean vertical, int position, int line) {
        int size = component == 0 ? 16 : 8;
        int x = (vertical ? position : line) / size;
        int y = (vertical ? line : position) / size;
        return y * columns + x;
    }

    @Override
    public int bS(int component, boolean vertical, int position, int line) {
        int size = component == 0 ? 16 : 8;
        int macroblock = macroblock(component, vertical, position, line);
        int idc = slices[slice[macroblock]][2];
        if (idc == 1) {
            return 0;
        }
        boolean betweenMacroblocks = position % size == 0;
        if (betweenMacroblocks && idc == 2) {
            int before = macroblock(component, vertical, position - 1, line);
            if (slice[before] != slice[macroblock]) {
                return 0;
            }
        }
        // A chroma sample's bS is that of the luma sample at its place.
        int lumaStep = component == 0 ? 1 : 2;
        int edge = position * lumaStep % 16 / 4;
        if (component == 0 && transform8x8[macroblock] == 1 && edge % 2 == 1) {
            return 0;
        }
        return macroblockBs(macroblock, !vertical, edge, line * lumaStep % 16 / 4);
    }

    private int meanQp(int component, boolean vertical, int position, int line) {
        int p = qp[macroblock(component, vertical, position - 1, line)];
        int q = qp[macroblock(component, vertical, position, line)];
        if (component > 0) {
            int offset = component == 1 ? cbOffset : crOffset;
            p = H264Tables.chromaQp(p + offset);
            q = H264Tables.chromaQp(q + offset);
        }
        return (p + q + 1) >> 1;
    }

    @Override
    public int indexA(int component, boolean vertical, int position, int line) {
        int offset = slices[slice[macroblock(component, vertical, position, line)]][0] * 2;
        return Math.max(0, Math.min(51, meanQp(component, vertical, position, line) + offset));
    }

    @Override
    public int indexB(int component, boolean vertical, int position, int line) {
        int offset = slices[slice[macroblock(component, vertical, position, line)]][1] * 2;
        return Math.max(0, Math.min(51, meanQp(component, vertical, position, line) + offset));
    }

    @Override
    public void close() {
        memory.forEach(bytes -> memFree(bytes));
    }
}
