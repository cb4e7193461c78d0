/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.internal.row.Row;
import org.gstqpu.kernels.internal.stage.DeviceStage;
import org.gstqpu.kernels.internal.stage.FilterStage;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.stage.StageRecording;
import org.gstqpu.kernels.internal.stage.plane.KeepStage;
import org.gstqpu.kernels.internal.stage.plane.PackStage;
import org.gstqpu.kernels.internal.stage.strength.MeasureStage;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * What happens to a picture of one format and size on the device, one stage after the other. Owns the stages, their parameters and the
 * pictures between them, and records them into slots. Belongs to the context's thread.
 *
 * <p>For each picture: {@link #prepare}, then the places of its source and destination, then {@link #write}, and {@link #record} unless
 * the slot holds a recording for pictures of the same forms.
 */
public final class StageRow implements AutoCloseable {
    private static final int WORD_BYTES = 4;

    /** Pictures between stages: two that take turns, and the unpacked source, which later stages read again. */
    private static final int BETWEEN = 3;

    private static final int UNPACKED = 2;

    private final VulkanDevice device;
    private final BufferPool pool;
    private final PixelFormat format;

    /** Layout of the pictures between the stages, and of staged pictures. Its rows are whole words of 4 bytes. */
    private final PictureLayout ownLayout;

    private final DeviceStage unpack;
    private final MeasureStage measure;
    private final List<DeviceStage> stages;
    private final SlotParameters parameters;

    private final PicturePlace source = new PicturePlace();
    private final PicturePlace destination = new PicturePlace();
    private final DeviceBuffer[] between = new DeviceBuffer[BETWEEN];

    // Of the picture that was prepared last.
    private final int[] forms;
    private boolean hasMaps;
    private boolean foreignSource;
    private boolean foreignDestination;
    private boolean completes;

    /**
     * Makes a row.
     *
     * @param slots number of slots of the ring
     * @throws DeviceException if the device is out of memory; nothing is left behind
     */
    StageRow(DeviceRuntime runtime, PixelFormat format, int width, int height, int slots) {
        device = runtime.device();
        pool = runtime.pool();
        this.format = format;
        ownLayout = PictureLayout.packed(format, width, height, WORD_BYTES);
        KernelPipelines pipelines = runtime.pipelines();
        List<FilterStage> filters = Row.FILTERS.stream()
                .map(filter -> filter.onDevice(runtime, format, width, height))
                .toList();
        unpack = new PackStage(pipelines, format, false);
        measure = new MeasureStage(pool, pipelines, format, width, height, filters, slots);
        List<DeviceStage> row = new ArrayList<>(List.of(unpack, measure));
        row.addAll(filters);
        row.add(new KeepStage(pipelines, format));
        row.add(new PackStage(pipelines, format, true));
        stages = List.copyOf(row);
        forms = new int[stages.size()];
        parameters = new SlotParameters(pool, stages, slots);
    }

    /** Number of descriptor sets of a slot. */
    public int sets() {
        return firstSet(stages.size());
    }

    private int firstSet(int stage) {
        int sets = 0;
        for (int before = 0; before < stage; before++) {
            sets += stages.get(before).sets();
        }
        return sets;
    }

    /** Place of the picture to read. The caller sets it before {@link #record}. */
    PicturePlace source() {
        return source;
    }

    /** Place of the result. The caller sets it before {@link #record}. */
    PicturePlace destination() {
        return destination;
    }

    /** Layout of a picture whose rows are whole words of 4 bytes. */
    PictureLayout ownLayout() {
        return ownLayout;
    }

    /** Bytes of a picture of {@link #ownLayout}. */
    long ownBytes() {
        return ImportedMemory.wordsEndBytes(ownLayout, format.planes() - 1);
    }

    /** The pictures that come next continue this sequence. */
    void setSequence(int sequence) {
        for (int i = 0; i < stages.size(); i++) {
            stages.get(i).setSequence(sequence);
        }
    }

    /** The next picture of each sequence knows nothing of those before. */
    void forgetPast() {
        for (int i = 0; i < stages.size(); i++) {
            stages.get(i).forgetPast();
        }
    }

    /** What temporal fusion has done. */
    FusionCounts fusion() {
        return stages.stream().map(DeviceStage::fusion).reduce(FusionCounts.NONE, FusionCounts::plus);
    }

    /** The stage of automatic strength. */
    MeasureStage measure() {
        return measure;
    }

    /**
     * Asks each stage how it runs for a picture, and makes what that needs and does not exist yet. Returns a number for the answers:
     * pictures with equal numbers, in the same memory, share a recording.
     *
     * @param foreignSource whether drivers of other devices may use the source, too
     * @param foreignDestination whether drivers of other devices may use the destination, too
     * @throws DeviceException if the device is out of memory, or failed
     */
    long prepare(StagePicture picture, boolean foreignSource, boolean foreignDestination) {
        this.foreignSource = foreignSource;
        this.foreignDestination = foreignDestination;
        completes = picture.completes();
        hasMaps = false;
        long number = (foreignSource ? 1 : 0) | (foreignDestination ? 2 : 0);
        int bits = 2;
        for (int stage = 0; stage < forms.length; stage++) {
            int form = completes && !stages.get(stage).completes()
                    ? 0
                    : stages.get(stage).form(picture);
            forms[stage] = form;
            number |= (long) form << bits;
            bits += stages.get(stage).formBits();
            if (form != 0) {
                stages.get(stage).make(form);
                hasMaps |= stages.get(stage).hasMap(form);
            }
        }
        int turn = 0;
        int last = lastPicture();
        for (int stage = 0; stage < last; stage++) {
            if (makesPicture(stage)) {
                int place = stages.get(stage) == unpack ? UNPACKED : turn++ % UNPACKED;
                if (between[place] == null) {
                    between[place] = pool.acquire(MemoryKind.DEVICE, ownBytes());
                }
            }
        }
        return number;
    }

    private boolean makesPicture(int stage) {
        return forms[stage] != 0 && stages.get(stage).makesPicture();
    }

    /** The last stage that makes a picture. */
    private int lastPicture() {
        int last = forms.length - 1;
        while (last > 0 && !makesPicture(last)) {
            last--;
        }
        return last;
    }

    /** True if the picture that was prepared last has maps. */
    boolean hasMaps() {
        return hasMaps;
    }

    /** Memory of the parameters. */
    SlotParameters parameters() {
        return parameters;
    }

    /**
     * Writes the parameters of the picture that was prepared last. The slot's work must not be in flight.
     *
     * @param slot number of the slot
     * @param place number of the picture among those in flight
     */
    public void write(int slot, int place, StagePicture picture) {
        parameters.write(slot, place, picture, forms);
    }

    /** Records the picture that was prepared last into commands that were begun for the slot, and ends the recording. */
    public void record(SubmitSlot slot, Commands commands) {
        if (foreignSource) {
            commands.takeFromForeign(source, device.capabilities().computeQueueFamily());
        }
        if (foreignDestination) {
            commands.takeFromForeign(destination, device.capabilities().computeQueueFamily());
        }
        // A picture that has waited is in its destination, but for what is left to do.
        PicturePlace from = completes ? destination : source;
        PicturePlace decoded = source;
        int turn = 0;
        int last = lastPicture();
        for (int i = 0; i < forms.length; i++) {
            DeviceStage stage = stages.get(i);
            if (forms[i] == 0) {
                continue;
            }
            // Before the first stage, too: the previous picture, in another slot, uses the same buffers between its
            // stages.
            commands.barrier();
            PicturePlace to = from;
            if (stage.makesPicture()) {
                to = i == last ? destination : place(stage == unpack ? UNPACKED : turn++ % UNPACKED);
            }
            BufferRange own = parameters.part(slot.index(), i);
            BufferRange part = stage instanceof FilterStage filter && forms[stages.indexOf(measure)] != 0
                    ? measure.chosen(filter)
                    : own;
            stage.record(
                    new StageRecording(
                            commands,
                            from,
                            decoded,
                            to,
                            part,
                            own,
                            stage.hasMap(forms[i]) ? parameters.maps(i) : part,
                            slot,
                            firstSet(i)),
                    forms[i]);
            from = to;
            decoded = stage == unpack ? to : decoded;
        }
        if (foreignSource) {
            commands.giveToForeign(source, device.capabilities().computeQueueFamily());
        }
        if (foreignDestination) {
            commands.giveToForeign(destination, device.capabilities().computeQueueFamily());
        }
        slot.recorded(commands);
    }

    private PicturePlace place(int index) {
        return new PicturePlace().set(between[index].id(), between[index].range(), 0, ownLayout);
    }

    @Override
    public void close() {
        for (DeviceBuffer buffer : between) {
            pool.release(buffer);
        }
        parameters.close();
        stages.forEach(DeviceStage::close);
    }
}
