/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Optional;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * The two pictures that a qpumeter compares, one pair after the other: in GstBuffers, and in the memory in which a substrate uses them.
 * Belongs to the streaming thread; methods that any thread may call say so. Nothing is allocated in the steady state.
 */
public interface PicturePair extends AutoCloseable {
    /**
     * What a pair counts.
     *
     * @param dmabufImports imported dmabufs
     * @param hostImports imported memories of the process
     * @param importHits pictures that lay in memory that was already imported
     * @param merged buffers of several memories, which GStreamer copied in order to map them
     * @param mergedBytes bytes of these copies
     */
    record Counts(long dmabufImports, long hostImports, long importHits, long merged, long mergedBytes) {}

    /**
     * The pictures are of these streams from now on.
     *
     * @param reference a GstVideoInfo, which is read during the call
     * @param distorted one of the same format and size
     */
    void setFormat(long reference, long distorted);

    /** The pixel format. */
    PixelFormat format();

    /** Number of luma samples in a row. */
    int width();

    /** Number of luma rows. */
    int height();

    /**
     * Holds a pair until {@link #release}, which follows in any case.
     *
     * @param reference a GstBuffer; no reference is taken, so the caller keeps it until {@link #release}
     * @param distorted another, or the same
     * @param onDevice true if a device reads the pictures, so that buffers which it can import need not be mapped
     * @return why a buffer does not hold a picture of its stream, as a line; empty if both do
     */
    Optional<String> hold(long reference, long distorted, boolean onDevice);

    /** Why one of the held pictures has to be copied for a device, after its pad and a colon; empty if neither has to. */
    Optional<String> copyReason();

    /** The held reference, of the size that the caps say. */
    Picture reference();

    /** The held distorted picture. */
    Picture distorted();

    /** Ends {@link #hold}; does nothing if no pair is held. */
    void release();

    /** Takes a reference of both held buffers that nobody gives back, because a device may use them until the process ends. */
    void keepForEver();

    /** Ends the imports, before another substrate takes the place of the one that has them. Called without {@link #lock}. */
    void forgetImports();

    /** Held while the substrate, or what it has made, is used: any thread may free a GstMemory, which ends its import. */
    Object lock();

    /** What has been counted so far; any thread. */
    Counts counts();

    /** Releases everything; the substrate is closed later. A second call does nothing. */
    @Override
    void close();
}
