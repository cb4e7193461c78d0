/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.gstqpu.kernels.internal.vulkan.picture.PicturePasses.has;

import java.util.List;
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
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Owns the passes over pictures of one format and size, and records them into slots. Also owns what the passes share:
 * the pictures between the filters, the blocks' directions, the memory of automatic strength. Each is made for the first picture
 * that needs it. Belongs to the context's thread.
 */
final class PictureRecorder implements AutoCloseable {
    private static final int PLANES = 3;

    // Numbers of a slot's descriptor sets. Each filter has one set for each plane, because each plane may have a buffer
    // of its own.
    private static final int DEBLOCK_SET = 0;
    private static final int CDEF_SET = DEBLOCK_SET + PLANES;
    private static final int SHRINKAGE_SET = CDEF_SET + PLANES;
    private static final int STRENGTH_SET = SHRINKAGE_SET + PLANES;
    private static final int KEEP_SET = STRENGTH_SET + 1;
    private static final int OFFSET_SET = KEEP_SET + 1;

    private static final int UNPACK_SET = OFFSET_SET + OffsetPass.SETS;
    private static final int PACK_SET = UNPACK_SET + 1;

    /** Number of a slot's descriptor sets. */
    static final int SETS = PACK_SET + 1;

    private static final int WORD_BYTES = 4;

    private final DeviceRuntime runtime;
    private final VulkanDevice device;
    private final BufferPool pool;
    private final KernelTuning tuning;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final DeblockPass deblockPass;
    private final CdefPass cdefPass;
    private final PlanePass planePass;

    /**
     * Layout of the pictures between the passes, and of staged pictures. Its rows are whole words of 4 bytes.
     */
    private final PictureLayout ownLayout;

    private final PicturePlace givenSource = new PicturePlace();
    private final PicturePlace givenDestination = new PicturePlace();
    private final PicturePlace unpackedPlace = new PicturePlace();
    private final PicturePlace unpackedResultPlace = new PicturePlace();
    private final PicturePlace middlePlace = new PicturePlace();
    private final PicturePlace secondMiddlePlace = new PicturePlace();

    /** What the filters read: {@link #givenSource}, or {@link #unpacked} in its place. */
    private PicturePlace source = givenSource;

    /** What the filters write: {@link #givenDestination}, or {@link #unpackedResult} in its place. */
    private PicturePlace destination = givenDestination;

    private StrengthPass strength;
    private OffsetPass offsetPass;
    private ShrinkagePass shrinkagePass;

    /** The picture after the first of several filters. */
    private DeviceBuffer middle;

    /** The picture after the second of three filters. */
    private DeviceBuffer secondMiddle;

    /** The source, if three of its samples share a word. */
    private DeviceBuffer unpacked;

    /** The result, before three of its samples share a word. */
    private DeviceBuffer unpackedResult;

    private DeviceBuffer blocks;
    private DeviceBuffer staged;
    private DeviceBuffer list;
    private ChaseMemory chaseMemory;

    PictureRecorder(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        this.runtime = runtime;
        device = runtime.device();
        pool = runtime.pool();
        tuning = runtime.tuning();
        this.format = format;
        this.width = width;
        this.height = height;
        ownLayout = PictureLayout.packed(format, width, height, WORD_BYTES);
        boolean texels = tuning.texels() && device.viewsWords();
        boolean shuffles = device.canExchangeInSubgroups();
        KernelPipelines pipelines = runtime.pipelines();
        deblockPass = new DeblockPass(pipelines, tuning, shuffles, texels, format, width, height);
        cdefPass = new CdefPass(pipelines, tuning, shuffles, texels, format, width, height);
        planePass = new PlanePass(pipelines, format);
    }

    /** Place of the picture to read. The caller sets it before {@link #record}. */
    PicturePlace source() {
        return givenSource;
    }

    /** Place of the result. The caller sets it before {@link #record}. */
    PicturePlace destination() {
        return givenDestination;
    }

    /** Layout of a picture whose rows are whole words of 4 bytes. */
    PictureLayout ownLayout() {
        return ownLayout;
    }

    /** Bytes of a picture of {@link #ownLayout}. */
    long ownBytes() {
        return ImportedMemory.wordsEndBytes(ownLayout, format.planes() - 1);
    }

    /** The pass of automatic strength, made at its first use. */
    StrengthPass strength() {
        if (strength == null) {
            strength = new StrengthPass(pool, runtime.pipelines(), format, width, height);
        }
        return strength;
    }

    /**
     * Makes what these passes need and what does not exist yet.
     *
     * @throws DeviceException if the device is out of memory, or failed
     */
    void make(int passes) {
        boolean deblock = has(passes, PicturePasses.DEBLOCK);
        boolean cdef = has(passes, PicturePasses.CDEF);
        if (cdef && blocks == null) {
            blocks = pool.acquire(MemoryKind.DEVICE, CdefPass.blocksBytes(width, height));
        }
        if (cdef && staged == null && CdefPass.stagesRows(format, width)) {
            staged = pool.acquire(MemoryKind.DEVICE, CdefPass.stagedBytes(width, height));
        }
        if (lists(passes) && list == null) {
            list = pool.acquire(MemoryKind.UPLOAD, CdefPass.listBytes(width, height));
            CdefPass.emptyList(list.address());
        }
        if (deblock && chaseMemory == null && deblockPass.chasers() > 0) {
            chaseMemory =
                    ChaseMemory.cleared(runtime, deblockPass.chasers(), deblockPass.columns(), format.sampleBytes());
        }
        boolean shrink = PicturePasses.shifts(passes) != 0;
        if ((deblock ? cdef || shrink : cdef && shrink) && middle == null) {
            middle = pool.acquire(MemoryKind.DEVICE, ownBytes());
            middlePlace.set(middle.id(), middle.range(), 0, ownLayout);
        }
        if (deblock && cdef && shrink && secondMiddle == null) {
            secondMiddle = pool.acquire(MemoryKind.DEVICE, ownBytes());
            secondMiddlePlace.set(secondMiddle.id(), secondMiddle.range(), 0, ownLayout);
        }
        if (has(passes, PicturePasses.UNPACK) && unpacked == null) {
            unpacked = pool.acquire(MemoryKind.DEVICE, ownBytes());
            unpackedPlace.set(unpacked.id(), unpacked.range(), 0, ownLayout);
        }
        if (has(passes, PicturePasses.PACK) && unpackedResult == null) {
            unpackedResult = pool.acquire(MemoryKind.DEVICE, ownBytes());
            unpackedResultPlace.set(unpackedResult.id(), unpackedResult.range(), 0, ownLayout);
        }
        if (shrink && shrinkagePass == null) {
            shrinkagePass = new ShrinkagePass(runtime, format, width, height);
        }
        if (deblock && PicturePasses.deblockedOffset(passes) != 0 && offsetPass == null) {
            offsetPass = new OffsetPass(runtime, format, width, height);
        }
    }

    /**
     * True if CDEF gets a list of blocks. Searching only listed blocks pays only if a map may leave blocks unfiltered.
     */
    private boolean lists(int passes) {
        return tuning.listsBlocks() && has(passes, PicturePasses.BLOCK_MAP);
    }

    /**
     * Records the passes into commands that were begun for the slot, and ends the recording.
     *
     * @param passes bits of {@link PicturePasses}; {@link #make} must have been called for them
     * @param parameters memory of the slot's parameters
     */
    void record(SubmitSlot slot, Commands commands, int passes, SlotParameters parameters) {
        boolean deblock = has(passes, PicturePasses.DEBLOCK);
        boolean cdef = has(passes, PicturePasses.CDEF);
        boolean measure = has(passes, PicturePasses.MEASURE);
        boolean shrink = PicturePasses.shifts(passes) != 0;
        boolean unpack = has(passes, PicturePasses.UNPACK);
        boolean pack = has(passes, PicturePasses.PACK);
        // Without a filter, the source is unpacked into the destination, or packed from where it lies.
        boolean filters = deblock || cdef || shrink;
        source = !unpack ? givenSource : filters || pack ? unpackedPlace : givenDestination;
        destination = !pack ? givenDestination : filters ? unpackedResultPlace : source;
        PicturePlace deblocked = !deblock ? source : cdef || shrink ? middlePlace : destination;
        PicturePlace enhanced = !cdef ? deblocked : !shrink ? destination : deblock ? secondMiddlePlace : middlePlace;
        if (has(passes, PicturePasses.FOREIGN_SOURCE)) {
            takeFromForeign(commands, givenSource);
        }
        if (has(passes, PicturePasses.FOREIGN_DESTINATION)) {
            takeFromForeign(commands, givenDestination);
        }
        // The previous picture, in another slot, uses the same buffers between its passes.
        commands.barrier();
        if (unpack) {
            slot.writeDescriptors(UNPACK_SET, PlanePass.bindings(givenSource, source, parameters.kept(slot.index())));
            commands.bindDescriptorSet(slot.descriptorSet(UNPACK_SET));
            planePass.recordUnpack(commands, givenSource, source);
            commands.barrier();
        }
        if (measure) {
            slot.writeDescriptors(STRENGTH_SET, strength.bindings(source, parameters.ladder(slot.index())));
            strength.record(commands, slot.descriptorSet(STRENGTH_SET), source, PicturePasses.measuredOffset(passes));
            commands.barrier();
        }
        if (deblock) {
            BufferRange thresholds = measure ? strength.chosenDeblock() : parameters.deblock(slot.index());
            BufferRange edges = has(passes, PicturePasses.BY_EDGE) ? parameters.edgeMaps() : thresholds;
            recordDeblocking(slot, commands, passes, deblocked, thresholds, edges);
        }
        if (deblock && cdef) {
            commands.barrier();
        }
        if (cdef) {
            BufferRange strengths = measure ? strength.chosenCdef() : parameters.cdef(slot.index());
            BufferRange map = has(passes, PicturePasses.BLOCK_MAP) ? parameters.blockMaps() : strengths;
            recordCdef(slot, commands, passes, deblocked, enhanced, strengths, map);
        }
        if (shrink) {
            if (deblock || cdef) {
                commands.barrier();
            }
            BufferRange thresholds = measure ? strength.chosenShrinkage() : parameters.shrinkage(slot.index());
            recordShrinkage(slot, commands, passes, enhanced, thresholds);
        }
        if (has(passes, PicturePasses.KEEP_LEFT)) {
            commands.barrier();
            slot.writeDescriptors(KEEP_SET, PlanePass.bindings(source, destination, parameters.kept(slot.index())));
            commands.bindDescriptorSet(slot.descriptorSet(KEEP_SET));
            planePass.recordKeepLeft(commands, source, destination);
        }
        if (pack) {
            commands.barrier();
            slot.writeDescriptors(
                    PACK_SET, PlanePass.bindings(destination, givenDestination, parameters.kept(slot.index())));
            commands.bindDescriptorSet(slot.descriptorSet(PACK_SET));
            planePass.recordPack(commands, destination, givenDestination);
        }
        if (has(passes, PicturePasses.FOREIGN_SOURCE)) {
            giveToForeign(commands, givenSource);
        }
        if (has(passes, PicturePasses.FOREIGN_DESTINATION)) {
            giveToForeign(commands, givenDestination);
        }
        slot.recorded(commands);
    }

    // Vulkan needs a valid buffer at every binding of a set. Bindings that a kernel does not use get any buffer.

    private void recordDeblocking(
            SubmitSlot slot,
            Commands commands,
            int passes,
            PicturePlace result,
            BufferRange thresholds,
            BufferRange edges) {
        int offset = PicturePasses.deblockedOffset(passes);
        if (offset != 0) {
            offsetPass.record(commands, slot, OFFSET_SET, source, result, offset, thresholds);
            return;
        }
        BufferRange counters = chaseMemory == null ? thresholds : chaseMemory.counters();
        BufferRange handed = chaseMemory == null ? thresholds : chaseMemory.handed();
        for (int plane = 0; plane < sets(source, result); plane++) {
            slot.writeDescriptors(
                    DEBLOCK_SET + plane,
                    List.of(source.range(plane), result.range(plane), thresholds, counters, handed, edges));
        }
        deblockPass.record(
                commands,
                plane -> slot.descriptorSet(DEBLOCK_SET + plane),
                source,
                result,
                has(passes, PicturePasses.BY_EDGE));
    }

    private void recordCdef(
            SubmitSlot slot,
            Commands commands,
            int passes,
            PicturePlace from,
            PicturePlace result,
            BufferRange strengths,
            BufferRange map) {
        boolean listed = lists(passes);
        for (int plane = 0; plane < sets(from, result); plane++) {
            slot.writeDescriptors(
                    CDEF_SET + plane,
                    List.of(
                            from.range(plane),
                            result.range(plane),
                            strengths,
                            blocks.range(),
                            map,
                            staged == null ? blocks.range() : staged.range(),
                            list == null ? map : list.range()));
        }
        cdefPass.record(
                commands,
                plane -> slot.descriptorSet(CDEF_SET + plane),
                from,
                result,
                listed ? list.handle() : 0,
                tuning.listsBlocks() && !listed);
    }

    private void recordShrinkage(
            SubmitSlot slot, Commands commands, int passes, PicturePlace from, BufferRange thresholds) {
        int sets = Math.max(sets(from, destination), sets(source, destination));
        for (int plane = 0; plane < sets; plane++) {
            slot.writeDescriptors(
                    SHRINKAGE_SET + plane, shrinkagePass.bindings(from, source, destination, plane, thresholds));
        }
        shrinkagePass.record(
                commands,
                plane -> slot.descriptorSet(SHRINKAGE_SET + plane),
                from,
                source,
                destination,
                PicturePasses.shifts(passes),
                PicturePasses.deblockedOffset(passes));
    }

    /** Number of descriptor sets of a pass: one, or one for each plane if planes have buffers of their own. */
    private int sets(PicturePlace source, PicturePlace destination) {
        return source.isApart() || destination.isApart() ? format.planes() : 1;
    }

    private void takeFromForeign(Commands commands, PicturePlace place) {
        for (int plane = 0; plane < format.planes(); plane++) {
            if (isFirstIn(place, plane)) {
                commands.takeFromForeign(
                        place.range(plane), device.capabilities().computeQueueFamily());
            }
        }
    }

    private void giveToForeign(Commands commands, PicturePlace place) {
        for (int plane = 0; plane < format.planes(); plane++) {
            if (isFirstIn(place, plane)) {
                commands.giveToForeign(place.range(plane), device.capabilities().computeQueueFamily());
            }
        }
    }

    /** True if no earlier plane lies in the same buffer. */
    private static boolean isFirstIn(PicturePlace place, int plane) {
        for (int before = 0; before < plane; before++) {
            if (place.range(before).equals(place.range(plane))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        release(middle);
        release(secondMiddle);
        release(unpacked);
        release(unpackedResult);
        release(blocks);
        release(staged);
        release(list);
        if (chaseMemory != null) {
            chaseMemory.close();
        }
        if (strength != null) {
            strength.close();
        }
        if (offsetPass != null) {
            offsetPass.close();
        }
    }

    private void release(DeviceBuffer buffer) {
        if (buffer != null) {
            pool.release(buffer);
        }
    }
}
