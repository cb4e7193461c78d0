/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.internal.memory.PictureKind;
import org.gstqpu.kernels.internal.quality.ClassicFigures;
import org.gstqpu.kernels.internal.quality.MetricChoice;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.PlaneTransfer;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.DmabufFences;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.SubmitRing;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.internal.vulkan.work.WorkKey;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Owns the recorded work, the staging buffers, the results and the extractors of measurements of pictures of one format and size.
 * Belongs to the context's thread.
 */
public final class VulkanQualityMeter implements QualityMeter {
    /** Pairs of buffers whose recordings are kept. */
    private static final int SLOTS = 16;

    private final VulkanDevice device;
    private final KernelPipelines pipelines;
    private final Set<QualityMetric> metrics;
    private final PictureKind kind;
    private final long timeoutNanos;

    /** Layout of staged pictures, whose rows are whole words of 4 bytes. */
    private final PictureLayout ownLayout;

    private final long ownWords;
    private final PicturePlace referencePlace = new PicturePlace();
    private final PicturePlace picturePlace = new PicturePlace();
    private final WorkKey wanted = new WorkKey();
    private final SubmitRing ring;
    private final DmabufFences fences;
    private final List<DeviceExtractor> extractors;

    /** First descriptor set of each extractor, then the number of all. */
    private final int[] firstSets;

    /** First result word of each extractor, then the number of all. */
    private final int[] firstWords;

    private final ExtractorMemory memory;
    private final PlaneGathering referenceGathering;
    private final PlaneGathering pictureGathering;
    private final DeviceBuffer results;
    private DeviceBuffer stagedReference;
    private DeviceBuffer stagedPicture;
    private boolean first = true;
    private boolean closed;

    /**
     * @throws IllegalArgumentException when a metric is not defined for pictures of this size or without chroma
     * @throws DeviceException when the device has not the memory; nothing is left behind
     */
    public VulkanQualityMeter(
            DeviceRuntime runtime,
            PixelFormat format,
            int width,
            int height,
            Set<QualityMetric> metrics,
            MetricOptions options) {
        this.metrics = MetricChoice.checked(metrics, options, format, width, height);
        device = runtime.device();
        pipelines = runtime.pipelines();
        timeoutNanos = runtime.timeoutNanos();
        kind = new PictureKind("meter", format, width, height);
        fences = new DmabufFences(device);
        PairShape shape = PairShape.of(format, width, height);
        ownLayout = shape.layout();
        ownWords = ImportedMemory.wordsEndBytes(ownLayout, format.planes() - 1) / PairShape.WORD_BYTES;
        memory = new ExtractorMemory(runtime.pool());
        try {
            referenceGathering = new PlaneGathering(memory, shape);
            pictureGathering = new PlaneGathering(memory, shape);
            extractors = DeviceExtractors.of(metrics, options, memory, shape);
            firstSets = new int[extractors.size() + 1];
            firstWords = new int[extractors.size() + 1];
            for (int i = 0; i < extractors.size(); i++) {
                firstSets[i + 1] = firstSets[i] + extractors.get(i).sets().size();
                firstWords[i + 1] = firstWords[i] + extractors.get(i).resultWords();
            }
            results = memory.acquire(MemoryKind.DOWNLOAD, firstWords[extractors.size()]);
            int sets = firstSets[extractors.size()] + 2 * PlaneGathering.SETS;
            ring = new SubmitRing(device, pipelines.setLayout(), SLOTS, sets);
        } catch (DeviceException e) {
            release();
            throw e;
        }
    }

    @Override
    public Set<QualityMetric> metrics() {
        return metrics;
    }

    @Override
    public void restart() {
        first = true;
    }

    @Override
    public void measure(Picture reference, Picture measured, QualityFigures figures) {
        if (closed) {
            throw new IllegalStateException("the quality meter is closed");
        }
        device.checkAlive();
        check("reference", reference);
        check("measured", measured);
        fences.prepare();
        if (!liesReady(0, reference, referencePlace)) {
            if (stagedReference == null) {
                stagedReference = memory.acquire(MemoryKind.UPLOAD, ownWords);
            }
            stage(reference, stagedReference, referencePlace);
        }
        if (!liesReady(1, measured, picturePlace)) {
            if (stagedPicture == null) {
                stagedPicture = memory.acquire(MemoryKind.UPLOAD, ownWords);
            }
            stage(measured, stagedPicture, picturePlace);
        }
        boolean foreignReference = ImportedMemory.isForeign(reference.memory(), device);
        // What lies in the same buffers changes its owner once.
        boolean foreignPicture = ImportedMemory.isForeign(measured.memory(), device)
                && !(foreignReference && picturePlace.id() == referencePlace.id());
        wanted.set(referencePlace, picturePlace, (foreignReference ? 1 : 0) | (foreignPicture ? 2 : 0), 0);
        SubmitSlot slot = ring.acquire(wanted, timeoutNanos);
        if (!slot.holds(wanted)) {
            record(slot, foreignReference, foreignPicture);
        }
        device.counters().add(Counted.GATHERED, (referencePlace.isApart() ? 1 : 0) + (picturePlace.isApart() ? 1 : 0));
        slot.submit(fences.dependencies());
        slot.await(timeoutNanos);
        read(figures);
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
        if (!(own instanceof HostImport) && !(isInWholeRowsOfWords(own, layout) && own.holdsWords(layout))) {
            throw new IllegalArgumentException("the " + which + " picture in "
                    + (own.dmabufs().isEmpty() ? "the device's own memory" : "a dmabuf")
                    + " has rows that begin within a word, end behind the memory or are cut into columns;"
                    + " the device measures whole rows of words");
        }
    }

    private static boolean isInWholeRowsOfWords(ImportedMemory memory, PictureLayout layout) {
        return memory.wordsOnly(layout) && !layout.isInColumns();
    }

    /**
     * Sets the place and returns true if the device can read the picture where it lies. The submission then waits for its writers.
     *
     * @param number 0 for the reference, 1 for the measured picture
     */
    private boolean liesReady(int number, Picture picture, PicturePlace place) {
        if (picture.memory() instanceof ImportedMemory imported && isInWholeRowsOfWords(imported, picture.layout())) {
            place.set(imported, picture.layout());
            fences.awaitWriters(number, imported, timeoutNanos);
            return true;
        }
        return false;
    }

    private void stage(Picture picture, DeviceBuffer staged, PicturePlace place) {
        PictureMemory memory = picture.memory();
        long address = memory instanceof HostMemory host ? host.address() : ((HostImport) memory).address();
        device.counters().addCopy(PlaneTransfer.copy(address, picture.layout(), staged.address(), ownLayout, false));
        place.set(staged.id(), staged.range(), 0, ownLayout);
    }

    private void record(SubmitSlot slot, boolean foreignReference, boolean foreignPicture) {
        PicturePlace reference = referenceGathering.placeOf(referencePlace);
        PicturePlace picture = pictureGathering.placeOf(picturePlace);
        int stages = writeDescriptors(slot, reference, picture);
        Commands commands = slot.record(wanted, pipelines.layout());
        int family = device.capabilities().computeQueueFamily();
        if (foreignReference) {
            commands.takeFromForeign(referencePlace, family);
        }
        if (foreignPicture) {
            commands.takeFromForeign(picturePlace, family);
        }
        if (referencePlace.isApart() || picturePlace.isApart()) {
            commands.barrier();
            int firstSet = firstSets[extractors.size()];
            referenceGathering.record(pipelines, commands, slot, firstSet, referencePlace);
            pictureGathering.record(pipelines, commands, slot, firstSet + PlaneGathering.SETS, picturePlace);
        }
        for (int stage = 0; stage < stages; stage++) {
            // Before the first stage: filters may have written the pictures just before.
            commands.barrier();
            for (int i = 0; i < extractors.size(); i++) {
                if (stage < extractors.get(i).stages()) {
                    PairRecording recording = new PairRecording(
                            pipelines, commands, slot, firstSets[i], reference, picture, firstWords[i]);
                    extractors.get(i).record(stage, recording);
                }
            }
        }
        if (foreignReference) {
            commands.giveToForeign(referencePlace, family);
        }
        if (foreignPicture) {
            commands.giveToForeign(picturePlace, family);
        }
        slot.recorded(commands);
    }

    /** Writes the descriptor sets of all extractors, and returns the number of stages. */
    private int writeDescriptors(SubmitSlot slot, PicturePlace reference, PicturePlace picture) {
        int stages = 0;
        for (int i = 0; i < extractors.size(); i++) {
            List<List<BufferRange>> sets = extractors.get(i).sets();
            for (int set = 0; set < sets.size(); set++) {
                List<BufferRange> ranges =
                        new ArrayList<>(List.of(reference.range(0), picture.range(0), results.range()));
                ranges.addAll(sets.get(set));
                slot.writeDescriptors(firstSets[i] + set, ranges);
            }
            stages = Math.max(stages, extractors.get(i).stages());
        }
        return stages;
    }

    private void read(QualityFigures figures) {
        figures.clear();
        for (int i = 0; i < firstWords.length - 1; i++) {
            extractors.get(i).read(results.address() + (long) firstWords[i] * PairShape.WORD_BYTES, first, figures);
        }
        first = false;
        ClassicFigures.put(metrics, figures);
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
        fences.close();
        memory.close();
    }
}
