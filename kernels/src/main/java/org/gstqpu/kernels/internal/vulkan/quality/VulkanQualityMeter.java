/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static java.lang.Float.intBitsToFloat;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memPutFloat;

import java.util.List;
import org.gstqpu.kernels.internal.picture.PictureKind;
import org.gstqpu.kernels.internal.quality.HvsWeights;
import org.gstqpu.kernels.internal.quality.SsimWindow;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.layout.HvsGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.SimilarityGeometry;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.PlaneTransfer;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.picture.DevicePicture;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.internal.vulkan.work.SubmitRing;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.internal.vulkan.work.WorkKey;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualitySums;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Owns the recorded work, the staging buffers and the results of measurements of pictures of one format and size. Each
 * invocation writes a result of its own; the CPU adds the results in a fixed order, so that every run gives the same
 * figures. Belongs to the context's thread.
 */
public final class VulkanQualityMeter implements QualityMeter {
    /** Pairs of buffers whose recordings are kept. */
    private static final int SLOTS = 16;

    private static final int WORD_BYTES = 4;
    private static final int INVOCATIONS = 64;
    private static final int SIMILARITY_BLOCK = 4;

    // Blocks that one invocation of the SSIM kernel measures, one below the other.
    private static final int SIMILARITY_ROWS = 8;
    private static final int HVS_ROWS = 4;

    private static final PictureComponent[] COMPONENTS = PictureComponent.values();

    private final VulkanDevice device;
    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final PictureKind kind;
    private final int peak;
    private final long timeoutNanos;

    /** Layout of staged pictures, whose rows are whole words of 4 bytes. */
    private final PictureLayout ownLayout;

    private final long ownBytes;
    private final PicturePlace referencePlace = new PicturePlace();
    private final PicturePlace picturePlace = new PicturePlace();
    private final WorkKey wanted = new WorkKey();
    private final PushConstants similarity = new PushConstants(SimilarityGeometry.BYTES);
    private final PushConstants hvs = new PushConstants(HvsGeometry.BYTES);
    private final SubmitRing ring;
    private final int resultWords;
    private DeviceBuffer weights;
    private DeviceBuffer results;
    private DeviceBuffer stagedReference;
    private DeviceBuffer stagedPicture;
    private boolean closed;

    /**
     * @throws DeviceException when the device has not the memory; nothing is left behind
     */
    public VulkanQualityMeter(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        device = runtime.device();
        pool = runtime.pool();
        pipelines = runtime.pipelines();
        timeoutNanos = runtime.timeoutNanos();
        this.format = format;
        this.width = width;
        this.height = height;
        kind = new PictureKind("meter", format, width, height);
        peak = format.peak();
        ownLayout = PictureLayout.packed(format, width, height, WORD_BYTES);
        ownBytes = ImportedMemory.wordsEndBytes(ownLayout, format.planes() - 1);
        int words = hvsColumns() * hvsGroups();
        for (PictureComponent component : COMPONENTS) {
            words += component.isIn(format) ? similarityWords(component) : 0;
        }
        resultWords = words;
        try {
            weights = pool.acquire(
                    MemoryKind.UPLOAD, (long) WORD_BYTES * (HvsWeights.basis().length + HvsWeights.weights().length));
            results = pool.acquire(MemoryKind.DOWNLOAD, (long) WORD_BYTES * resultWords);
            ring = new SubmitRing(device, pipelines.setLayout(), SLOTS, 1);
        } catch (DeviceException e) {
            release();
            throw e;
        }
        long at = put(HvsWeights.basis(), weights.address());
        put(HvsWeights.weights(), at);
    }

    private static long put(float[] values, long address) {
        long at = address;
        for (float value : values) {
            memPutFloat(at, value);
            at += WORD_BYTES;
        }
        return at;
    }

    private static int ceilingDivide(int value, int by) {
        return (value + by - 1) / by;
    }

    private int similarityColumns(PictureComponent component) {
        return ceilingDivide(component.rowSamples(ownLayout), SIMILARITY_BLOCK);
    }

    private int similarityGroups(PictureComponent component) {
        return ceilingDivide(component.rows(ownLayout), SIMILARITY_BLOCK * SIMILARITY_ROWS);
    }

    private int similarityWords(PictureComponent component) {
        return 2 * similarityColumns(component) * similarityGroups(component);
    }

    private int hvsColumns() {
        return width / HvsWeights.BLOCK;
    }

    private int hvsGroups() {
        return ceilingDivide(height / HvsWeights.BLOCK, HVS_ROWS);
    }

    @Override
    public void measure(Picture reference, Picture measured, QualitySums sums) {
        if (closed) {
            throw new IllegalStateException("the quality meter is closed");
        }
        device.checkAlive();
        check("reference", reference);
        check("measured", measured);
        if (!liesReady(reference, referencePlace)) {
            if (stagedReference == null) {
                stagedReference = pool.acquire(MemoryKind.UPLOAD, ownBytes);
            }
            stage(reference, stagedReference, referencePlace);
        }
        if (!liesReady(measured, picturePlace)) {
            if (stagedPicture == null) {
                stagedPicture = pool.acquire(MemoryKind.UPLOAD, ownBytes);
            }
            stage(measured, stagedPicture, picturePlace);
        }
        wanted.set(referencePlace, picturePlace, 0, 0);
        SubmitSlot slot = ring.acquire(wanted, timeoutNanos);
        if (!slot.holds(wanted)) {
            record(slot);
        }
        slot.submit();
        slot.await(timeoutNanos);
        addUp(sums);
    }

    private void check(String which, Picture picture) {
        PictureMemory memory = picture.memory();
        PictureLayout layout = picture.layout();
        kind.check(which, memory, layout);
        if (memory instanceof HostMemory) {
            return;
        }
        if (!(memory instanceof ImportedMemory own && own.belongsTo(device))) {
            throw new IllegalArgumentException("the " + which + " picture's memory was imported by another context");
        }
        if (!own.dmabufs().isEmpty()) {
            throw new IllegalArgumentException(
                    "the " + which + " picture is in a dmabuf; map it and give it as memory of the process");
        }
        if (own instanceof DevicePicture && !isInWholeRowsOfWords(own, layout)) {
            throw new IllegalArgumentException(
                    "the " + which + " picture in the device's own memory has rows that begin"
                            + " within a word or are cut into columns; the device measures whole rows of words");
        }
    }

    private static boolean isInWholeRowsOfWords(ImportedMemory memory, PictureLayout layout) {
        return memory.wordsOnly(layout) && !layout.isInColumns();
    }

    /** Sets the place and returns true if the device can read the picture where it lies. */
    private static boolean liesReady(Picture picture, PicturePlace place) {
        if (picture.memory() instanceof ImportedMemory imported && isInWholeRowsOfWords(imported, picture.layout())) {
            place.set(imported, picture.layout());
            return true;
        }
        return false;
    }

    private void stage(Picture picture, DeviceBuffer staged, PicturePlace place) {
        PictureMemory memory = picture.memory();
        long address = memory instanceof HostMemory host ? host.address() : ((HostImport) memory).address();
        device.counters()
                .countCopied(PlaneTransfer.copy(address, picture.layout(), staged.address(), ownLayout, false));
        place.set(staged.id(), staged.range(), 0, ownLayout);
    }

    private void record(SubmitSlot slot) {
        slot.writeDescriptors(
                0, List.of(referencePlace.range(0), picturePlace.range(0), results.range(), weights.range()));
        Commands commands = slot.record(wanted, pipelines.layout());
        commands.bindDescriptorSet(slot.descriptorSet(0));
        // Filters may have written the pictures just before.
        commands.barrier();
        int resultsAt = 0;
        for (PictureComponent component : COMPONENTS) {
            if (component.isIn(format)) {
                recordSimilarity(commands, component, resultsAt);
                resultsAt += similarityWords(component);
            }
        }
        if (hvsColumns() > 0 && hvsGroups() > 0) {
            recordHvs(commands, resultsAt);
        }
        slot.recorded(commands);
    }

    private void recordSimilarity(Commands commands, PictureComponent component, int resultsAt) {
        int plane = component.plane(format);
        int step = component.sampleStep(format);
        commands.bindPipeline(pipelines.pipeline(
                Kernel.QUALITY_SIMILARITY,
                INVOCATIONS,
                format.sampleBytes(),
                step,
                format.sampleShift(),
                SIMILARITY_ROWS));
        int samples = component.rowSamples(ownLayout);
        int rows = component.rows(ownLayout);
        int firstBits = component.firstSample(format) * format.sampleBytes() * Byte.SIZE;
        commands.push(similarity
                .put(SimilarityGeometry.REFERENCE_OFFSET, referencePlace.offsetWords(plane))
                .put(SimilarityGeometry.REFERENCE_STRIDE, referencePlace.strideWords(plane))
                .put(SimilarityGeometry.PICTURE_OFFSET, picturePlace.offsetWords(plane))
                .put(SimilarityGeometry.PICTURE_STRIDE, picturePlace.strideWords(plane))
                .put(SimilarityGeometry.WIDTH, samples)
                .put(SimilarityGeometry.HEIGHT, rows)
                .put(SimilarityGeometry.FIRST_BITS, firstBits)
                .put(SimilarityGeometry.LAST_WORD, RowWords.words(format, plane, width) - 1)
                .put(SimilarityGeometry.WINDOWS_ACROSS, SsimWindow.count(samples))
                .put(SimilarityGeometry.WINDOWS_DOWN, SsimWindow.count(rows))
                .put(SimilarityGeometry.RESULTS_AT, resultsAt)
                .put(SimilarityGeometry.C1, SsimWindow.c1(peak))
                .put(SimilarityGeometry.C2, SsimWindow.c2(peak)));
        commands.dispatch(ceilingDivide(similarityColumns(component), INVOCATIONS), similarityGroups(component), 1);
    }

    private void recordHvs(Commands commands, int resultsAt) {
        commands.bindPipeline(pipelines.pipeline(
                Kernel.QUALITY_HVS, INVOCATIONS, format.sampleBytes(), 1, format.sampleShift(), HVS_ROWS));
        commands.push(hvs.put(HvsGeometry.REFERENCE_OFFSET, referencePlace.offsetWords(0))
                .put(HvsGeometry.REFERENCE_STRIDE, referencePlace.strideWords(0))
                .put(HvsGeometry.PICTURE_OFFSET, picturePlace.offsetWords(0))
                .put(HvsGeometry.PICTURE_STRIDE, picturePlace.strideWords(0))
                .put(HvsGeometry.COLUMNS, hvsColumns())
                .put(HvsGeometry.ROWS, height / HvsWeights.BLOCK)
                .put(HvsGeometry.RESULTS_AT, resultsAt));
        commands.dispatch(ceilingDivide(hvsColumns(), INVOCATIONS), hvsGroups(), 1);
    }

    private void addUp(QualitySums sums) {
        long at = results.address();
        for (PictureComponent component : COMPONENTS) {
            if (component.isIn(format)) {
                long error = 0;
                double similarity = 0;
                for (int i = similarityWords(component); i > 0; i -= 2) {
                    error += memGetInt(at) & 0xffffffffL;
                    similarity += intBitsToFloat(memGetInt(at + WORD_BYTES));
                    at += 2 * WORD_BYTES;
                }
                sums.add(component, ownLayout, error, similarity);
            }
        }
        double seen = 0;
        for (int i = hvsColumns() * hvsGroups(); i > 0; i--) {
            seen += intBitsToFloat(memGetInt(at));
            at += WORD_BYTES;
        }
        sums.addSeen(ownLayout, seen);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        ring.settle(timeoutNanos);
        ring.close();
        release();
    }

    private void release() {
        release(weights);
        release(results);
        release(stagedReference);
        release(stagedPicture);
    }

    private void release(DeviceBuffer buffer) {
        if (buffer != null) {
            pool.release(buffer);
        }
    }
}
