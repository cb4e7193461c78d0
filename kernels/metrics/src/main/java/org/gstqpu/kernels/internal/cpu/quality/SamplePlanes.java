/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetShort;

import java.util.EnumMap;
import java.util.Map;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * The samples of a picture's components as numbers, from 0 to the format's peak, rows one behind the other without gaps. Owns their
 * memory.
 */
public final class SamplePlanes {
    private static final PictureComponent[] COMPONENTS = PictureComponent.values();

    private final PixelFormat format;
    private final int width;
    private final int height;
    private final Map<PictureComponent, int[]> samples = new EnumMap<>(PictureComponent.class);

    SamplePlanes(PixelFormat format, int width, int height, boolean chroma) {
        this.format = format;
        this.width = width;
        this.height = height;
        samples.put(PictureComponent.Y, new int[width * height]);
        if (chroma && format.hasChroma()) {
            int count = format.chromaWidth(width) * format.chromaHeight(height);
            samples.put(PictureComponent.CB, new int[count]);
            samples.put(PictureComponent.CR, new int[count]);
        }
    }

    /** Format of the picture. */
    public PixelFormat format() {
        return format;
    }

    /** Luma samples a row. */
    public int width() {
        return width;
    }

    /** Luma rows. */
    public int height() {
        return height;
    }

    /** The luma samples, {@link #width} a row. */
    public int[] luma() {
        return samples.get(PictureComponent.Y);
    }

    /** The samples of a component; null for chroma that is not there, or not wanted. */
    public int[] of(PictureComponent component) {
        return samples.get(component);
    }

    void load(long address, PictureLayout layout) {
        for (PictureComponent component : COMPONENTS) {
            int[] into = samples.get(component);
            if (into != null) {
                load(address, layout, component, into);
            }
        }
    }

    private void load(long address, PictureLayout layout, PictureComponent component, int[] into) {
        int count = component.rowSamples(layout);
        int rows = component.rows(layout);
        int plane = component.plane(format);
        for (int y = 0; y < rows; y++) {
            long at = address
                    + layout.offsetBytes(plane)
                    + (long) y * layout.strideBytes(plane)
                    + (long) component.firstSample(format) * format.sampleBytes();
            loadRow(at, component.sampleStep(format) * format.sampleBytes(), into, y * count, count);
        }
    }

    private void loadRow(long at, int step, int[] into, int from, int count) {
        if (format.sampleBytes() == 1) {
            for (int x = 0; x < count; x++) {
                into[from + x] = memGetByte(at + (long) x * step) & 0xff;
            }
        } else {
            int shift = format.sampleShift();
            int peak = format.peak();
            for (int x = 0; x < count; x++) {
                into[from + x] = memGetShort(at + (long) x * step) >> shift & peak;
            }
        }
    }
}
