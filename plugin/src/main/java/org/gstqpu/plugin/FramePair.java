/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.gstqpu.kernels.picture.MemoryImporter;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;

/** Pairs of pictures in the buffers of a native qpumeter. Owns the imports of their memory, and the native memory that this takes. */
public final class FramePair implements PicturePair {
    /** Never closed: it serves the process. */
    private static final MemoryWatch WATCH = new MemoryWatch();

    private final ImportCache imports;
    private final Side reference;
    private final Side distorted;
    private final AtomicLong merged = new AtomicLong();
    private final AtomicLong mergedBytes = new AtomicLong();

    /** One of the two inputs: the picture that its caps describe, at the upper left of a frame that may be larger. */
    private static final class Side implements Picture, AutoCloseable {
        private final String pad;
        private final FrameSide frame;
        private final VideoInfo info = new VideoInfo();

        /** The layout of the last frame, and that of the picture in it. */
        private PictureLayout whole;

        private PictureLayout shown;

        Side(String pad, ImportCache imports) {
            this.pad = pad;
            frame = new FrameSide(GstVideoLibrary.MAP_READ, imports);
        }

        /** Returns why the buffer holds no picture of the stream; empty if it does. */
        Optional<String> hold(long buffer, boolean onDevice) {
            boolean held;
            try {
                held = frame.hold(info, buffer, onDevice, DmabufFrame.WHOLE_ROWS);
            } catch (ElementException e) {
                throw new IllegalStateException("a picture in whole rows was taken for one in columns", e);
            }
            if (!held) {
                return refusal(frame.problem());
            }
            PictureLayout layout = frame.layout();
            if (layout.width() < info.width() || layout.height() < info.height()) {
                return refusal("its GstVideoMeta says " + layout.width() + "x" + layout.height() + ", and its caps "
                        + info.width() + "x" + info.height());
            }
            if (!layout.equals(whole)) {
                whole = layout;
                shown = new PictureLayout(
                        layout.format(),
                        info.width(),
                        info.height(),
                        layout.offsetBytes(0),
                        layout.strideBytes(0),
                        offset(1),
                        stride(1),
                        offset(2),
                        stride(2));
            }
            frame.place();
            frame.copies();
            return Optional.empty();
        }

        private Optional<String> refusal(String why) {
            return Optional.of("A buffer of " + pad + " does not hold a picture as its caps say: " + why
                    + "; look at the element before that pad");
        }

        private long offset(int plane) {
            return plane < whole.format().planes() ? whole.offsetBytes(plane) : 0;
        }

        private int stride(int plane) {
            return plane < whole.format().planes() ? whole.strideBytes(plane) : 0;
        }

        @Override
        public PictureMemory memory() {
            return frame.memory();
        }

        @Override
        public PictureLayout layout() {
            return shown;
        }

        Optional<String> copyReason() {
            Optional<String> why = frame.mergedBytes() > 0
                    ? Optional.of("GStreamer merged its several memories into one")
                    : frame.copyReason();
            return why.map(reason -> pad + ": " + reason);
        }

        @Override
        public void close() {
            try (info) {
                frame.close();
            }
        }
    }

    /**
     * Holds no pair yet.
     *
     * @param context gives the substrate in use; {@link #forgetImports} is called before it gives another
     * @param nativeElement the GstElement that is told of copies; no reference is taken, so it outlives this object
     */
    public FramePair(Supplier<? extends MemoryImporter> context, long nativeElement) {
        imports = new ImportCache(context, WATCH, new NativeElementHost(nativeElement));
        reference = new Side("ref_sink", imports);
        distorted = new Side("dist_sink", imports);
    }

    @Override
    public void setFormat(long reference, long distorted) {
        this.reference.info.copy(reference);
        this.distorted.info.copy(distorted);
        this.reference.whole = null;
        this.distorted.whole = null;
        synchronized (imports.contextLock) {
            imports.retry();
        }
    }

    @Override
    public PixelFormat format() {
        return distorted.info.format();
    }

    @Override
    public int width() {
        return distorted.info.width();
    }

    @Override
    public int height() {
        return distorted.info.height();
    }

    @Override
    public Optional<String> hold(long reference, long distorted, boolean onDevice) {
        Optional<String> problem = this.reference.hold(reference, onDevice);
        if (problem.isEmpty()) {
            problem = this.distorted.hold(distorted, onDevice);
        }
        if (problem.isEmpty()) {
            count(this.reference.frame.mergedBytes());
            count(this.distorted.frame.mergedBytes());
        }
        return problem;
    }

    private void count(long bytes) {
        if (bytes > 0) {
            merged.incrementAndGet();
            mergedBytes.addAndGet(bytes);
        }
    }

    @Override
    public Optional<String> copyReason() {
        Optional<String> why = reference.copyReason();
        return why.isPresent() ? why : distorted.copyReason();
    }

    @Override
    public Picture reference() {
        return reference;
    }

    @Override
    public Picture distorted() {
        return distorted;
    }

    @Override
    public void release() {
        try {
            distorted.frame.release();
        } finally {
            reference.frame.release();
        }
    }

    @Override
    public void keepForEver() {
        reference.frame.keepForEver();
        distorted.frame.keepForEver();
    }

    @Override
    public void forgetImports() {
        imports.forget();
    }

    @Override
    public Object lock() {
        return imports.contextLock;
    }

    @Override
    public Counts counts() {
        return new Counts(
                imports.dmabufImports() + imports.poolImports(),
                imports.hostImports(),
                imports.hits(),
                merged.get(),
                mergedBytes.get());
    }

    @Override
    public void close() {
        try (imports;
                reference) {
            distorted.close();
        }
    }
}
