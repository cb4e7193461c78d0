/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

/**
 * The numbers in the property {@code stats}, declared once: libgstqpu.so's table of them is generated from this enum when
 * it is built, so that an element that is closed shows the same fields, all 0 (but for those that are {@linkplain #timed timed}). All count from when the element was opened.
 * Immutable; any thread.
 */
public enum ElementCounter {
    /** Pictures filtered. */
    FRAMES("frames"),
    /** Buffers that held no picture. */
    DROPPED("dropped"),
    /** Pictures filtered, or left alone, as side information said. */
    FRAMES_WITH_PARAMS("frames-with-params"),
    /** Pictures that went on unfiltered since their side information made no sense. */
    BAD_PARAMS("bad-params"),
    /** Submissions to the device. */
    SUBMITS("submits"),
    /** Bytes copied by the CPU: to and from device memory, and of buffers that had to be merged. */
    BYTES_COPIED("bytes-copied"),
    /** Pictures, or results, that were copied so. */
    COPIES("copies"),
    /** Command buffers recorded anew. */
    RE_RECORDS("re-records"),
    /** Bytes of device memory held. */
    POOL_BYTES("pool-bytes"),
    /** Dmabufs of other elements that the device was let into. */
    IMPORTS_DMABUF("imports-dmabuf"),
    /** Dmabufs of this element's own pools that it was let into. */
    IMPORTS_POOL("imports-pool"),
    /** Memories of the process that the device was let into. */
    IMPORTS_HOST("imports-host"),
    /** Pictures found in memory that the device had been let into before. */
    IMPORT_CACHE_HITS("import-cache-hits"),
    /** Fences of other drivers that the device waited for. */
    FENCES_IMPORTED("fences-imported"),
    /** Pictures that went on with a fence, before they were done. */
    FENCES_EXPORTED("fences-exported"),
    /** Times that the CPU waited for the device, or for another driver's work on a dmabuf. */
    CPU_WAITS("cpu-waits"),
    /** Java heap that the streaming thread allocated, from the first reading on; -1 where the JVM cannot count. */
    JAVA_BYTES("java-bytes"),
    /** Frames over which that was counted. */
    JAVA_BYTES_FRAMES("java-bytes-frames"),
    /** 1 where the pictures are of an intra codec of 8x8 blocks, found by the comb that its quantiser leaves; 0 else. */
    ESTIMATED_COMB("estimated-comb"),
    /** About the quantiser step, in sixteenths of a sample value; 16 where nothing was lost, 0 while nothing is automatic. */
    ESTIMATED_STEP("estimated-step"),
    /** 1 where the pictures are drawings, titles or a screen: flat, but for hard edges; 0 else. */
    ESTIMATED_DRAWING("estimated-drawing"),
    /** How much texture there is that a filter would take for ringing, in thousandths. */
    ESTIMATED_TEXTURE("estimated-texture"),
    /** The strength that follows, 0 for none: an index into the kernels' StrengthTier.ALL. */
    ESTIMATED_TIER("estimated-tier"),
    /** Column, 0 to 7, in which the first whole block of 8x8 begins: not 0 where the pictures were cropped after they were coded. */
    ESTIMATED_OFFSET_X("estimated-offset-x"),
    /** The same of rows. */
    ESTIMATED_OFFSET_Y("estimated-offset-y"),
    /** Nanoseconds that the last picture took on the device, by its clock; 0 before the first. */
    GPU_TIME_LAST("gpu-time-last"),
    /** The median of that over the last 255 pictures. */
    GPU_TIME_MEDIAN("gpu-time-median");

    private final String gstName;

    ElementCounter(String gstName) {
        this.gstName = gstName;
    }

    /** The field's name in the GstStructure. */
    public String gstName() {
        return gstName;
    }

    /** Whether the field is there only while the device times pictures, which the property {@code timing} asks for. */
    public boolean timed() {
        return this == GPU_TIME_LAST || this == GPU_TIME_MEDIAN;
    }

    /** Whether the field says what automatic strength found. */
    boolean estimated() {
        return switch (this) {
            case ESTIMATED_COMB,
                    ESTIMATED_DRAWING,
                    ESTIMATED_STEP,
                    ESTIMATED_TEXTURE,
                    ESTIMATED_TIER,
                    ESTIMATED_OFFSET_X,
                    ESTIMATED_OFFSET_Y -> true;
            default -> false;
        };
    }

    /** Whether the field is a gint64; else it is a guint64. */
    public boolean signed() {
        return this == JAVA_BYTES;
    }
}
