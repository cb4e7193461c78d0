/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

/**
 * The numbers in the property {@code stats}, declared once. The build generates libgstqpu.so's table of counters from this enum.
 * With that table a closed element shows the fields of an open one, all 0, except those that are {@linkplain #timed timed}. All
 * counts begin when the element is opened. Immutable; any thread.
 */
public enum ElementCounter {
    /** Pictures that were filtered. */
    FRAMES("frames"),
    /** Buffers that were dropped because they held no picture. */
    DROPPED("dropped"),
    /** Pictures for which side information was followed, whether it asked for a filter or for none. */
    FRAMES_WITH_PARAMS("frames-with-params"),
    /** Pictures that passed unfiltered because their side information cannot be used. */
    BAD_PARAMS("bad-params"),
    /** Submissions of work to the device. */
    SUBMITS("submits"),
    /** Bytes that the CPU copied: to device memory, from device memory, and to merge buffers of several memories. */
    BYTES_COPIED("bytes-copied"),
    /** Number of the copies that {@link #BYTES_COPIED} adds up; each is of one picture or one result. */
    COPIES("copies"),
    /** Command buffers that were recorded again. */
    RE_RECORDS("re-records"),
    /** Bytes of device memory in the buffer pool. */
    POOL_BYTES("pool-bytes"),
    /** Dmabufs of other elements that the device imported. */
    IMPORTS_DMABUF("imports-dmabuf"),
    /** Dmabufs of this element's own pools that the device imported. */
    IMPORTS_POOL("imports-pool"),
    /** Memories of the process that the device imported. */
    IMPORTS_HOST("imports-host"),
    /** Pictures that lay in memory that was already imported. */
    IMPORT_CACHE_HITS("import-cache-hits"),
    /** Fences of other drivers that the device waited for. */
    FENCES_IMPORTED("fences-imported"),
    /** Pictures that were passed on with a fence before they were done. */
    FENCES_EXPORTED("fences-exported"),
    /** Number of times that the CPU waited for the device, or for another driver's work on a dmabuf. */
    CPU_WAITS("cpu-waits"),
    /** How often the device failed and the CPU took its place. */
    DEVICE_LOSSES("device-losses"),
    /** How often a device that had failed was tried again. */
    DEVICE_RETRIES("device-retries"),
    /** Pictures that a device had begun when it failed, and that the CPU filtered in its place. */
    FRAMES_REDONE("frames-redone"),
    /** Nanoseconds from the opening of the element until its kernels were compiled; 0 until then, and on a device. */
    WARM_UP_TIME("warm-up-time"),
    /** Bytes of Java heap that the streaming thread allocated since {@code stats} was first read; -1 if the JVM cannot count. */
    JAVA_BYTES("java-bytes"),
    /** Frames over which {@link #JAVA_BYTES} was counted. */
    JAVA_BYTES_FRAMES("java-bytes-frames"),
    /** The step by which pictures are filtered less now; 0 if they are filtered as the settings say. */
    DEGRADE_STEP("degrade-step"),
    /** How many such steps the settings have; 0 if nothing may be given up. */
    DEGRADE_STEPS("degrade-steps"),
    /** Pictures that were late for downstream, as its QoS events say. */
    FRAMES_LATE("frames-late"),
    /** Pictures that lost temporal fusion, and nothing more. */
    FRAMES_WITHOUT_TIME("frames-without-time"),
    /** Pictures that lost shifts of shrinkage, and nothing more. */
    FRAMES_FEWER_SHIFTS("frames-fewer-shifts"),
    /** Pictures that lost shrinkage, and nothing more. */
    FRAMES_WITHOUT_SHRINKAGE("frames-without-shrinkage"),
    /** Pictures that lost CDEF, and not deblocking. */
    FRAMES_WITHOUT_CDEF("frames-without-cdef"),
    /** Pictures that lost deblocking: what was not set exactly passed as it is. */
    FRAMES_WITHOUT_DEBLOCK("frames-without-deblock"),
    /** Pictures that temporal fusion keeps now, for those that come. */
    HELD("held"),
    /** How often a picture had another one to be fused with. */
    REFERENCES("references"),
    /** How often a guard left one of these out of a whole picture; -1 if a device decides that. */
    DROPPED_REFERENCES("dropped-references"),
    /** How many shifts shrinkage averages; 0 if it does not run. */
    SHIFTS("shifts"),
    /** indexA of deblocking for luma, as the filters apply it now; 0 for no deblocking. */
    APPLIED_ALPHA_INDEX("applied-alpha-index"),
    /** indexB of deblocking for luma. */
    APPLIED_BETA_INDEX("applied-beta-index"),
    /** CDEF's luma strength along the direction, 8-bit scale. */
    APPLIED_CDEF_PRIMARY("applied-cdef-primary"),
    /** CDEF's luma strength across the direction. */
    APPLIED_CDEF_SECONDARY("applied-cdef-secondary"),
    /** CDEF's damping; 0 if CDEF does not run. */
    APPLIED_CDEF_DAMPING("applied-cdef-damping"),
    /** Shrinkage's threshold for luma in sixteenths of a sample value, 8-bit scale. */
    APPLIED_THRESHOLD("applied-threshold"),
    /** Shrinkage's threshold for chroma in sixteenths of a sample value, 8-bit scale. */
    APPLIED_CHROMA_THRESHOLD("applied-chroma-threshold"),
    /** 1 if the pictures come from an intra codec with 8x8 blocks, recognised by the comb that its quantiser leaves; else 0. */
    ESTIMATED_COMB("estimated-comb"),
    /**
     * Estimated quantiser step in sixteenths of a sample value: 16 if nothing was lost, 0 if no strength is automatic.
     */
    ESTIMATED_STEP("estimated-step"),
    /** 1 if the pictures are drawings, titles or a screen: flat areas with hard edges; else 0. */
    ESTIMATED_DRAWING("estimated-drawing"),
    /** Amount of texture that a filter would mistake for ringing, in thousandths. */
    ESTIMATED_TEXTURE("estimated-texture"),
    /** The chosen strength: an index into the kernels' StrengthTier.ALL; 0 for no filtering. */
    ESTIMATED_TIER("estimated-tier"),
    /** Column, 0 to 7, in which the first whole 8x8 block begins. Not 0 if the pictures were cropped after they were coded. */
    ESTIMATED_OFFSET_X("estimated-offset-x"),
    /** Row, 0 to 7, in which the first whole 8x8 block begins. */
    ESTIMATED_OFFSET_Y("estimated-offset-y"),
    /** Nanoseconds that the last picture took on the device, by its clock; 0 before the first. */
    GPU_TIME_LAST("gpu-time-last"),
    /** Median of the times that the last 255 pictures took on the device, in nanoseconds. */
    GPU_TIME_MEDIAN("gpu-time-median");

    private final String gstName;

    ElementCounter(String gstName) {
        this.gstName = gstName;
    }

    /** The field's name in the GstStructure. */
    public String gstName() {
        return gstName;
    }

    /** True if the field exists only while the device times pictures, which the property {@code timing} asks for. */
    public boolean timed() {
        return this == GPU_TIME_LAST || this == GPU_TIME_MEDIAN;
    }

    /** True if the field is a gint64; else it is a guint64. */
    public boolean signed() {
        return this == JAVA_BYTES || this == DROPPED_REFERENCES;
    }
}
