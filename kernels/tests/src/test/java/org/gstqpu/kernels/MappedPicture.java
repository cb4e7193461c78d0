/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.lwjgl.system.MemoryUtil;

/**
 * A picture in native memory, with a random layout and random bytes everywhere outside its samples; the test that
 * makes it closes it.
 */
public final class MappedPicture implements Picture, AutoCloseable {
    private static final int GUARD_BYTES = 64;

    private final PictureLayout layout;
    private final int bytes;
    private final long allocation;
    private final HostMemory memory;

    /** Memory for a picture of that layout, and bytes before and after it that nobody may touch. */
    public MappedPicture(PictureLayout layout, Random random) {
        this.layout = layout;
        this.bytes = Math.toIntExact(layout.sizeBytes() + 2 * GUARD_BYTES);
        this.allocation = MemoryUtil.nmemAllocChecked(bytes);
        byte[] junk = new byte[bytes];
        random.nextBytes(junk);
        for (int i = 0; i < bytes; i++) {
            MemoryUtil.memPutByte(allocation + i, junk[i]);
        }
        this.memory = new HostMemory().set(allocation + GUARD_BYTES, layout.sizeBytes());
    }

    /**
     * A layout with gaps of random length before each plane and after each row: often of odd length, often such that all
     * begins at a multiple of 4.
     */
    public static PictureLayout randomLayout(Random random, PixelFormat format, int width, int height) {
        int alignment = random.nextBoolean() ? 4 : 1;
        long[] offset = new long[3];
        int[] stride = new int[3];
        long next = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            offset[plane] = alignUp(next + random.nextInt(20), alignment);
            int rowBytes = format.planeRowSamples(plane, width) * format.sampleBytes();
            stride[plane] = (int) alignUp(rowBytes + random.nextInt(20), alignment);
            next = offset[plane] + (long) stride[plane] * format.planeRows(plane, height);
        }
        return new PictureLayout(
                format, width, height, offset[0], stride[0], offset[1], stride[1], offset[2], stride[2]);
    }

    /**
     * An NV12 or P010_10LE layout in columns of random height: both planes in each column, luma first, or all columns of luma before those of
     * chroma.
     */
    public static PictureLayout randomColumns(Random random, PixelFormat format, int width, int height) {
        int luma = height + random.nextInt(20);
        int chroma = format.planeRows(1, height) + random.nextInt(20);
        int offset = 4 * random.nextInt(5);
        if (random.nextBoolean()) {
            int columnBytes = (luma + chroma) * PictureLayout.COLUMN_BYTES;
            return PictureLayout.inColumns(
                    format,
                    width,
                    height,
                    offset,
                    columnBytes,
                    offset + luma * PictureLayout.COLUMN_BYTES,
                    columnBytes);
        }
        int columnSamples = format == PixelFormat.NV12 ? 128 : 96;
        int columns = (format.planeRowSamples(1, width) + columnSamples - 1) / columnSamples;
        return PictureLayout.inColumns(
                format,
                width,
                height,
                offset,
                luma * PictureLayout.COLUMN_BYTES,
                offset + (long) columns * luma * PictureLayout.COLUMN_BYTES,
                chroma * PictureLayout.COLUMN_BYTES);
    }

    private static long alignUp(long value, int alignment) {
        return (value + alignment - 1) / alignment * alignment;
    }

    @Override
    public PictureLayout layout() {
        return layout;
    }

    /**
     * Imports the memory, so that a device works on it, and not on a copy. Returns null where the context cannot; the caller closes
     * the import.
     */
    public DeviceMemory importedBy(FilterContext context) {
        return context.importHost(memory.address(), memory.sizeBytes()).orElse(null);
    }

    /** The memory, without its guard bytes. */
    @Override
    public HostMemory memory() {
        return memory;
    }

    /** All bytes, the guard bytes included. */
    public byte[] bytes() {
        byte[] copy = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            copy[i] = MemoryUtil.memGetByte(allocation + i);
        }
        return copy;
    }

    /** The same without the guard bytes. */
    public byte[] picture() {
        byte[] all = bytes();
        return Arrays.copyOfRange(all, GUARD_BYTES, all.length - GUARD_BYTES);
    }

    /** Writes the samples of a picture into memory. */
    public void write(SamplePicture picture) {
        byte[] all = bytes();
        put(picture, all);
        for (int i = 0; i < bytes; i++) {
            MemoryUtil.memPutByte(allocation + i, all[i]);
        }
    }

    /** Writes the samples of a picture into a copy of the memory's bytes. */
    public void put(SamplePicture picture, byte[] all) {
        PixelFormat format = layout.format();
        for (int component = 0; component < picture.components(); component++) {
            for (int y = 0; y < picture.height(component); y++) {
                for (int x = 0; x < picture.width(component); x++) {
                    int index = index(component, x, y);
                    if (layout.isPacked()) {
                        putPacked(all, index, rowSample(component, x), picture.get(component, x, y));
                        continue;
                    }
                    int value = picture.get(component, x, y) << format.sampleShift();
                    all[index] = (byte) value;
                    if (format.sampleBytes() == 2) {
                        all[index + 1] = (byte) (value >> 8);
                    }
                }
            }
        }
    }

    /** Writes a sample into its word. The two bits above the third sample become 0. */
    private static void putPacked(byte[] all, int index, int rowSample, int value) {
        ByteBuffer words = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        int shift = 10 * (rowSample % 3);
        int cleared = (shift == 20 ? -1 : 0x3ff) << shift;
        words.putInt(index, (words.getInt(index) & ~cleared) | (value << shift));
    }

    private int rowSample(int component, int x) {
        PixelFormat format = layout.format();
        int step = component == 0 ? 1 : format.chromaPixelStep();
        int first = component == 0 ? 0 : component == 1 ? format.cbFirstSample() : format.crFirstSample();
        return x * step + first;
    }

    /** Index of a sample's first byte, or of that of its word. */
    private int index(int component, int x, int y) {
        PixelFormat format = layout.format();
        int plane = component == 0 ? 0 : component == 1 ? format.cbPlane() : format.crPlane();
        int sample = rowSample(component, x);
        int rowByte = layout.isPacked() ? sample / 3 * 4 : sample * format.sampleBytes();
        return Math.toIntExact(GUARD_BYTES + layout.offsetBytes(plane, y, rowByte));
    }

    /** Says where the first byte lies that differs. */
    public String describe(int byteIndex, SamplePicture picture) {
        for (int component = 0; component < picture.components(); component++) {
            for (int y = 0; y < picture.height(component); y++) {
                for (int x = 0; x < picture.width(component); x++) {
                    int index = index(component, x, y);
                    if (byteIndex >= index
                            && byteIndex
                                    < index
                                            + (layout.isPacked()
                                                    ? 4
                                                    : layout.format().sampleBytes())) {
                        return "component " + component + " column " + x + " row " + y;
                    }
                }
            }
        }
        return "a byte outside the samples, " + (byteIndex - GUARD_BYTES) + " from the picture's start";
    }

    @Override
    public void close() {
        MemoryUtil.nmemFree(allocation);
    }
}
